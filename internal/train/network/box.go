package network

import (
	"math"

	"haarlem/internal/network"
)

// A Box is a rectangle in pixels of a photograph: its centre and its size.
type Box struct{ X, Y, Width, Height float64 }

// side is the mean of width and height: the unit of corrections, and of the sides
// of squares.
func (b Box) side() float64 { return (b.Width + b.Height) / 2 }

// square is [network.Around] for boxes that need not lie on pixels.
func (b Box) square(sides float64) network.Square {
	side := int(math.Round(float64(sides * network.Unit * b.side())))
	return network.Square{
		X:    int(math.Round(network.Unit*b.X)) - side/2,
		Y:    int(math.Round(network.Unit*b.Y)) - side/2,
		Side: min(max(side, 1), 1<<30),
	}
}

// overlap returns the intersection of two boxes, and their union.
func (b Box) overlap(c Box) (intersection, union float64) {
	w := min(b.X+b.Width/2, c.X+c.Width/2) - max(b.X-b.Width/2, c.X-c.Width/2)
	h := min(b.Y+b.Height/2, c.Y+c.Height/2) - max(b.Y-b.Height/2, c.Y-c.Height/2)
	intersection = float64(max(w, 0) * max(h, 0))
	return intersection, float64(b.Width*b.Height) + float64(c.Width*c.Height) - intersection
}

// IoU returns the intersection of two boxes over their union.
func (b Box) IoU(c Box) float64 {
	intersection, union := b.overlap(c)
	return intersection / union
}

// maxCorrection bounds the corrections of a box, of either sign.
const maxCorrection = 1

// correction returns the corrections that turn b into c: the movement of the
// centre, in sides of b, and the logarithms of c's width and height, in sides of b.
// A network sees only the square around b, so nothing depends on b's own shape.
func (b Box) correction(c Box) [4]float32 {
	side := b.side()
	var v [4]float32
	for i, x := range [4]float64{(c.X - b.X) / side, (c.Y - b.Y) / side, log(c.Width / side), log(c.Height / side)} {
		v[i] = float32(min(max(x, -maxCorrection), maxCorrection))
	}
	return v
}

// corrected is the box that corrections make of b.
func (b Box) corrected(v [4]float64) Box {
	side := b.side()
	for i := range v {
		v[i] = min(max(v[i], -maxCorrection), maxCorrection)
	}
	return Box{b.X + float64(v[0]*side), b.Y + float64(v[1]*side), side * exp(v[2]), side * exp(v[3])}
}
