package cascade

import (
	"image"
	"math"
)

// A Framing turns boxes of one convention into those of another, such as boxes of eyes
// and mouth into boxes of the whole head. The zero value changes nothing.
type Framing struct {
	Right, Down   float64 // from the centre of the box to that of the other one, in its widths and heights
	Width, Height float64 // of the other one, in widths and heights of the box
}

// Of returns the other box of an object that is rotated clockwise by some degrees about
// the centre of its box. Boxes are those of the object before it was rotated, with the
// centre that they have afterwards.
func (f Framing) Of(box image.Rectangle, degrees float64) image.Rectangle {
	if f == (Framing{}) {
		return box
	}
	w, h := float64(box.Dx()), float64(box.Dy())
	x, y := float64(f.Right*w), float64(f.Down*h)
	if degrees != 0 {
		sin, cos := math.Sincos(degrees * (math.Pi / 180))
		x, y = float64(x*cos)-float64(y*sin), float64(x*sin)+float64(y*cos)
	}
	x += float64(box.Min.X) + w/2
	y += float64(box.Min.Y) + h/2
	w, h = float64(w*f.Width), float64(h*f.Height)
	round := func(v float64) int { return int(math.Floor(v + 0.5)) } // the same for all places
	left, top := round(x-w/2), round(y-h/2)
	return image.Rect(left, top, left+round(w), top+round(h))
}

// Inverse returns the framing from the other convention to this one.
func (f Framing) Inverse() Framing {
	if f == (Framing{}) {
		return f
	}
	return Framing{Right: -f.Right / f.Width, Down: -f.Down / f.Height, Width: 1 / f.Width, Height: 1 / f.Height}
}

// Then returns the framing that applies f and then g.
func (f Framing) Then(g Framing) Framing {
	switch {
	case f == (Framing{}):
		return g
	case g == (Framing{}):
		return f
	}
	return Framing{
		Right: f.Right + float64(g.Right*f.Width), Down: f.Down + float64(g.Down*f.Height),
		Width: f.Width * g.Width, Height: f.Height * g.Height,
	}
}
