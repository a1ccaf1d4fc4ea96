package engine

import (
	"context"
	"image"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/kernel/resize"
)

// A level of the image pyramid is the image scaled down by a factor, and its grid of
// detection windows. A factor below 1 enlarges.
type level struct {
	number    int // in the pyramid
	factor    float32
	scaled    image.Point // size of the scaled image, in pixels
	edge      image.Point // padding on each side
	width     int         // with padding
	height    int
	size      image.Point // of candidates, in image pixels
	window    image.Point // the cascade's
	step      int
	positions image.Point // numbers of window positions with a step of 1
	nx, ny    int         // windows of the grid in a row, and rows
	x, y      resize.Axis
	start     float64 // initial score of windows
	copied    bool    // the level is the image itself
	halved    int     // how many times the image is halved before it is scaled
	dense     bool    // all windows of the grid are searched; see InterLevel of cascade.Search
}

// minSide is the smallest side of a candidate, in pixels of an image that is
// enlarged.
const minSide = 2

// Round rounds as OpenCV does: to nearest, ties to even.
func Round(v float64) int { return int(math.RoundToEven(v)) }

// candidate returns the rectangle of the window at (x, y) of the level.
func (l *level) candidate(x, y int) image.Rectangle {
	x, y = x-l.edge.X, y-l.edge.Y
	x0, y0 := Round(float64(float32(x)*l.factor)), Round(float64(float32(y)*l.factor))
	return image.Rect(x0, y0, x0+l.size.X, y0+l.size.Y)
}

// at packs a window's level and position. Pixels of a level fit 32 bits: padding at
// most doubles a side.
func (l *level) at(x, y int) uint64 { return uint64(l.number)<<32 | uint64(y*l.width+x) }

// levelOf returns the level's number of a packed position.
func levelOf(at uint64) int { return int(at >> 32) }

// position unpacks the position of a window on this level.
func (l *level) position(at uint64) (x, y int) {
	return int(uint32(at)) % l.width, int(uint32(at)) / l.width
}

// levels returns the pyramid for an image of width x height, largest first, without axes.
// Scales from 1 on, sizes and rows are exactly OpenCV's, but with a network scales begin
// with [Options.FirstFactor]. It fails only if ctx ends.
func levels(ctx context.Context, c *cascade.Cascade, o *Options, width, height int) ([]level, error) {
	maxSize := o.MaxSize
	if maxSize.X == 0 || maxSize.Y == 0 {
		maxSize = image.Pt(width, height)
	}
	type scale struct {
		factor float32
		size   image.Point
	}
	var all []scale
	add := func(f float64) bool {
		fits := Round(float64(c.Width)*f) <= width && Round(float64(c.Height)*f) <= height
		if fits {
			s := float32(f)
			all = append(all, scale{s, image.Pt(Round(float64(float32(c.Width)*s)), Round(float64(float32(c.Height)*s)))})
		}
		return fits
	}
	if c.Network != nil {
		for f := o.FirstFactor(c); add(f); f *= o.Scale {
		}
	}
	if all == nil {
		for f := 1 / o.Scale; f >= 1/o.Enlarge && f*float64(min(c.Width, c.Height)) >= minSide; f /= o.Scale {
			add(f)
		}
		slices.Reverse(all)
		for f := 1.0; add(f); f *= o.Scale {
		}
	}
	if all == nil {
		return nil, nil
	}
	var kept []scale
	for _, s := range all {
		if s.size.X > maxSize.X || s.size.Y > maxSize.Y {
			break
		}
		if s.size.X < o.MinSize.X || s.size.Y < o.MinSize.Y {
			continue
		}
		kept = append(kept, s)
	}
	if kept == nil {
		best, lowest := 0, math.Inf(1)
		for i, s := range all {
			dx, dy := float64(o.MinSize.X-s.size.X), float64(o.MinSize.Y-s.size.Y)
			if d := float64(dx*dx) + float64(dy*dy); d < lowest {
				best, lowest = i, d
			}
		}
		kept = all[best : best+1]
	}
	var ls []level
	stripes, every, denseFrom := 0, 1, c.Search.DenseFrom
	if o.Apart > 0 {
		denseFrom = 0
	}
	if c.Search.InterLevel > 0 {
		every = o.apart()
	}
	for _, s := range kept {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := level{
			number: len(ls),
			factor: s.factor,
			size:   s.size,
			window: image.Pt(c.Width, c.Height),
			scaled: image.Pt(Round(float64(float32(width)/s.factor)), Round(float64(float32(height)/s.factor))),
			step:   c.Search.Stride,
			start:  c.Search.ScaleBias.At(s.factor),
		}
		if l.step == 0 {
			l.step = 2
			if l.factor >= 2 {
				l.step = 1
			}
		}
		if c.Search.Pad > 0 {
			// A multiple of the step, so that the grid is that of a search without padding.
			l.edge.X = int(c.Search.Pad*float64(c.Width)) / l.step * l.step
			l.edge.Y = int(c.Search.Pad*float64(c.Height)) / l.step * l.step
		}
		l.width, l.height = l.scaled.X+2*l.edge.X, l.scaled.Y+2*l.edge.Y
		wx, wy := max(l.width+1-c.Width, 0), max(l.height+1-c.Height, 0)
		if stripes == 0 {
			stripes = (wx + 31) / 32
		}
		if o.Windows == WindowsOpenCV && stripes > 0 {
			// OpenCV divides rows into stripes and misses the remainder.
			stripe := max((wy/l.step+stripes-1)/stripes, 1) * l.step
			wy = min(stripes*stripe, wy)
		}
		l.positions = image.Pt(wx, wy)
		l.nx = (wx + l.step - 1) / l.step
		l.ny = (wy + l.step - 1) / l.step
		if l.nx == 0 || l.ny == 0 {
			continue
		}
		if l.copied = l.scaled == image.Pt(width, height); !l.copied {
			l.halved = halvings(l.factor, c.Search.PrefilterFrom)
		}
		l.dense = !o.OnlyNear && (every == 1 || len(ls)%every == 0 || denseFrom > 0 && float64(l.factor) >= denseFrom)
		ls = append(ls, l)
	}
	return ls, nil
}

// visits returns the number of windows on the grids of the levels that are searched
// densely.
func visits(ls []level) (n int) {
	for i := range ls {
		if ls[i].dense {
			n += ls[i].nx * ls[i].ny
		}
	}
	return n
}
