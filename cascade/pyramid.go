package cascade

import (
	"context"
	"image"
	"math"
	"slices"

	"haarlem/internal/kernel/resize"
)

// A level is the image scaled down by one factor, and its grid of windows. A
// factor below 1 makes it larger.
type level struct {
	factor float32
	scaled image.Point // size of the scaled image, in pixels
	edge   image.Point // how far the search goes beyond it, on each side
	width  int         // of both together
	height int
	size   image.Point // of candidates, in image pixels
	window image.Point // the cascade's
	step   int
	places image.Point // where windows may stand, without the step
	nx, ny int         // windows of the grid in a row, and rows of them
	x, y   resize.Axis
	start  float64 // score that windows begin with
	copied bool    // the level is the image itself
	halved int     // how many times the image is halved before it is scaled
	whole  bool    // all windows of the grid are looked at; see Options.Between
}

// leastSide is the least that a candidate may measure in pixels of an image that
// is searched enlarged.
const leastSide = 2

// round is OpenCV's: to nearest, ties to even.
func round(v float64) int { return int(math.RoundToEven(v)) }

// candidate returns the rectangle of the window at (x, y) of the level.
func (l *level) candidate(x, y int) image.Rectangle {
	x, y = x-l.edge.X, y-l.edge.Y
	x0, y0 := round(float64(float32(x)*l.factor)), round(float64(float32(y)*l.factor))
	return image.Rect(x0, y0, x0+l.size.X, y0+l.size.Y)
}

// at packs a window's place. No level has more pixels than 32 bits count: what
// lies beyond the edge at most doubles a side.
func (l *level) at(index, x, y int) uint64 {
	return uint64(index)<<32 | uint64(y*l.width+x)
}

// place unpacks where a window of this level stands.
func (l *level) place(at uint64) (x, y int) {
	return int(uint32(at)) % l.width, int(uint32(at)) / l.width
}

// unpack returns the candidate of a hit on this level.
func (l *level) unpack(h hit) candidate {
	x, y := l.place(h.at)
	return candidate{level: int32(h.at >> 32), x: int32(x), y: int32(y), box: l.candidate(x, y), margin: h.margin}
}

// levels returns the pyramid for an image of width x height, largest first.
// Scales from 1 on, sizes and the rows that are visited are OpenCV's to the last
// bit. It fails only if ctx ends.
func levels(ctx context.Context, c *Cascade, o *Options, rule WindowRule, width, height int) ([]level, error) {
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
		fits := round(float64(c.Width)*f) <= width && round(float64(c.Height)*f) <= height
		if fits {
			s := float32(f)
			all = append(all, scale{s, image.Pt(round(float64(float32(c.Width)*s)), round(float64(float32(c.Height)*s)))})
		}
		return fits
	}
	for f := 1 / o.Scale; f >= 1/o.Enlarge && f*float64(min(c.Width, c.Height)) >= leastSide; f /= o.Scale {
		add(f)
	}
	slices.Reverse(all)
	for f := 1.0; add(f); f *= o.Scale {
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
		best, least := 0, math.Inf(1)
		for i, s := range all {
			dx, dy := float64(o.MinSize.X-s.size.X), float64(o.MinSize.Y-s.size.Y)
			if d := float64(dx*dx) + float64(dy*dy); d < least {
				best, least = i, d
			}
		}
		kept = all[best : best+1]
	}
	var ls []level
	stripes := 0
	for _, s := range kept {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := level{
			factor: s.factor,
			size:   s.size,
			window: image.Pt(c.Width, c.Height),
			scaled: image.Pt(round(float64(float32(width)/s.factor)), round(float64(float32(height)/s.factor))),
			step:   o.Stride,
			start:  c.HeadStart.at(s.factor),
		}
		if l.step == 0 {
			l.step = 2
			if l.factor >= 2 {
				l.step = 1
			}
		}
		if o.Pad > 0 {
			// Whole steps, so that the grid is the one of a search without.
			l.edge.X = int(o.Pad*float64(c.Width)) / l.step * l.step
			l.edge.Y = int(o.Pad*float64(c.Height)) / l.step * l.step
		}
		l.width, l.height = l.scaled.X+2*l.edge.X, l.scaled.Y+2*l.edge.Y
		wx, wy := max(l.width+1-c.Width, 0), max(l.height+1-c.Height, 0)
		if stripes == 0 {
			stripes = (wx + 31) / 32
		}
		if rule == WindowsOpenCV && stripes > 0 {
			// OpenCV deals rows out in stripes and misses what is left over.
			stripe := max((wy/l.step+stripes-1)/stripes, 1) * l.step
			wy = min(stripes*stripe, wy)
		}
		l.places = image.Pt(wx, wy)
		l.nx = (wx + l.step - 1) / l.step
		l.ny = (wy + l.step - 1) / l.step
		if l.nx == 0 || l.ny == 0 {
			continue
		}
		if l.scaled == image.Pt(width, height) {
			l.copied = true
		} else {
			l.halved = c.halvings(l.factor)
			l.x = resize.NewScale(width, l.scaled.X).Halved(l.halved).Axis(l.scaled.X)
			l.y = resize.NewScale(height, l.scaled.Y).Halved(l.halved).Axis(l.scaled.Y)
		}
		l.whole = len(ls)%o.apart() == 0 || o.BetweenBelow > 0 && float64(l.factor) >= o.BetweenBelow
		ls = append(ls, l)
	}
	return ls, nil
}
