package augment

import (
	"fmt"
	"math"

	"haarlem/internal/luma"
	"haarlem/internal/samples"
)

// A patch is the source of all variants of an object: its surroundings, cut out
// of the photograph, and averaged over squares if that is much finer than any
// window needs.
type patch struct {
	pix           []byte
	width, height int
	place         samples.Similarity // of the window on the patch
}

// aboutWindow is how much is cut out on each side of the window's centre, in
// window sides: enough for rotation, shift and scale.
const aboutWindow = 1.5

// cut makes p the surroundings of the window at place, of width by height pixels, that
// is drawn at up to zoom times its size.
func (p *patch) cut(g *luma.Plane, place samples.Similarity, width, height int, zoom float64) error {
	side := place.Side()
	// Infinite, NaN or absurd numbers would overflow below.
	if largest := float64(16 * max(g.Width, g.Height)); !(side >= 1) || side > largest {
		return fmt.Errorf("its window would be %.6g pixels wide, want 1 to %v in a picture of %dx%d", side, largest, g.Width, g.Height)
	}
	half := float64(side * math.Max(1, float64(height)/float64(width)))
	if !(place.X > -half/2 && place.X < float64(g.Width)+half/2 && place.Y > -half/2 && place.Y < float64(g.Height)+half/2) {
		return fmt.Errorf("it lies at %.6g,%.6g, outside the picture of %dx%d", place.X, place.Y, g.Width, g.Height)
	}
	reach := float64(half * aboutWindow)
	bound := func(v float64, largest int) int { return int(math.Max(0, math.Min(v, float64(largest)))) }
	x0, x1 := bound(math.Floor(place.X-reach), g.Width-1), bound(math.Ceil(place.X+reach), g.Width)
	y0, y1 := bound(math.Floor(place.Y-reach), g.Height-1), bound(math.Ceil(place.Y+reach), g.Height)
	x1, y1 = max(x1, x0+1), max(y1, y0+1)

	k := max(1, int(side/float64(zoom*float64(width))))
	p.average(g, x0, y0, x1, y1, k)
	by := float64(k)
	p.place = samples.Similarity{A: place.A / by, B: place.B / by, X: (place.X - float64(x0)) / by, Y: (place.Y - float64(y0)) / by}
	return nil
}

// average computes the patch's pixels: each the mean of k by k pixels of the
// photograph, fewer at the right and lower edge.
func (p *patch) average(g *luma.Plane, x0, y0, x1, y1, k int) {
	p.width, p.height = (x1-x0+k-1)/k, (y1-y0+k-1)/k
	p.pix = p.pix[:0]
	for y := y0; y < y1; y += k {
		if k == 1 {
			p.pix = append(p.pix, g.Row(y)[x0:x1]...)
			continue
		}
		for x := x0; x < x1; x += k {
			w, h := min(k, x1-x), min(k, y1-y)
			sum := 0
			for i := range h {
				for _, v := range g.Row(y + i)[x : x+w] {
					sum += int(v)
				}
			}
			p.pix = append(p.pix, byte((2*sum+w*h)/(2*w*h)))
		}
	}
}

// at returns the grey level, in 1/256, at a point in 1/65536 pixels: bilinear
// between pixel centres, mirrored at the edges.
func (p *patch) at(x, y int64) int32 {
	// From a pixel's corner to its middle, rounded to 1/256.
	x += 1<<7 - 1<<15
	y += 1<<7 - 1<<15
	ix, iy := int(x>>16), int(y>>16)
	fx, fy := int32(x>>8&0xff), int32(y>>8&0xff)
	var tl, tr, bl, br int32
	if ix >= 0 && iy >= 0 && ix < p.width-1 && iy < p.height-1 {
		i := iy*p.width + ix
		top, bottom := p.pix[i:i+2], p.pix[i+p.width:i+p.width+2]
		tl, tr, bl, br = int32(top[0]), int32(top[1]), int32(bottom[0]), int32(bottom[1])
	} else {
		l, r := folded(ix, p.width), folded(ix+1, p.width)
		t, b := folded(iy, p.height)*p.width, folded(iy+1, p.height)*p.width
		tl, tr, bl, br = int32(p.pix[t+l]), int32(p.pix[t+r]), int32(p.pix[b+l]), int32(p.pix[b+r])
	}
	top := tl<<8 + (tr-tl)*fx
	bottom := bl<<8 + (br-bl)*fx
	return (top<<8 + (bottom-top)*fy + 1<<7) >> 8
}

// folded returns the pixel in a row of n for position i, with the row mirrored
// beyond its ends.
func folded(i, n int) int {
	if uint(i) < uint(n) {
		return i
	}
	i %= 2 * n
	if i < 0 {
		i += 2 * n
	}
	if i >= n {
		i = 2*n - 1 - i
	}
	return i
}
