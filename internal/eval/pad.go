package eval

import (
	"fmt"
	"image"
	"slices"
)

// A Pad adds a border to photographs before they are searched, so that objects cut
// off by the edge can be found. Detections whose centre lies in the border are
// dropped.
type Pad struct {
	Share float64 // of the photograph's shorter side, on each side. 0 means no border
	Fill  Fill
}

// Fill is how a border is filled.
type Fill uint8

const (
	Replicate Fill = iota // with the pixel at the edge
	Mirror                // with the photograph, mirrored at its edge
	Constant              // with the photograph's mean level
)

var fillNames = []string{"replicate", "mirror", "constant"}

// ParseFill returns the fill of that name: replicate, mirror or constant.
func ParseFill(name string) (Fill, error) {
	if i := slices.Index(fillNames, name); i >= 0 {
		return Fill(i), nil
	}
	return 0, fmt.Errorf("eval: no border is called %q, want replicate, mirror or constant", name)
}

func (p Pad) check() error {
	if !(p.Share >= 0 && p.Share <= 1) {
		return fmt.Errorf("eval: a border of %v of the picture, want 0 to 1", p.Share)
	}
	return nil
}

// apply returns g with its border, and the position of g's first pixel.
func (p Pad) apply(g *image.Gray) (*image.Gray, image.Point) {
	w, h := g.Rect.Dx(), g.Rect.Dy()
	n := int(p.Share * float64(min(w, h)))
	if n == 0 {
		return g, image.Point{}
	}
	out := image.NewGray(image.Rect(0, 0, w+2*n, h+2*n))
	mean := byte(0)
	if p.Fill == Constant {
		sum := 0
		for y := range h {
			for _, v := range g.Pix[y*g.Stride:][:w] {
				sum += int(v)
			}
		}
		mean = byte((sum + w*h/2) / (w * h))
	}
	// from maps position i to a pixel of a row of size pixels; -1: the mean.
	from := func(i, size int) int {
		switch {
		case i >= 0 && i < size:
			return i
		case p.Fill == Constant:
			return -1
		case p.Fill == Mirror && i < 0:
			return min(-1-i, size-1)
		case p.Fill == Mirror:
			return max(2*size-1-i, 0)
		}
		return min(max(i, 0), size-1)
	}
	for y := range out.Rect.Dy() {
		row := out.Pix[y*out.Stride:][:w+2*n]
		sy := from(y-n, h)
		for x := range row {
			sx := from(x-n, w)
			if sx < 0 || sy < 0 {
				row[x] = mean
			} else {
				row[x] = g.Pix[sy*g.Stride+sx]
			}
		}
	}
	return out, image.Pt(n, n)
}
