package network

import (
	"math"

	"haarlem/internal/network"
)

// A Box is a rectangle in pixels of a photograph: its centre and its size.
type Box struct{ X, Y, Width, Height float64 }

// square is [network.Around], for boxes that need not lie on pixels.
func (b Box) square(sides float64) network.Square {
	half := max(1, int(math.Round(float64(sides*(network.Unit/4)*(b.Width+b.Height)))))
	return network.Square{
		X:    int(math.Round(network.Unit*b.X)) - half,
		Y:    int(math.Round(network.Unit*b.Y)) - half,
		Side: 2 * half,
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

// correction returns the corrections that turn b into c: the movement of the centre,
// in sides of b, and the logarithms of the factors of its width and height.
func (b Box) correction(c Box) [4]float32 {
	var v [4]float32
	for i, x := range [4]float64{(c.X - b.X) / b.Width, (c.Y - b.Y) / b.Height, log(c.Width / b.Width), log(c.Height / b.Height)} {
		v[i] = float32(min(max(x, -maxCorrection), maxCorrection))
	}
	return v
}

// moved is the box that corrections make of b.
func (b Box) moved(v [4]float64) Box {
	for i := range v {
		v[i] = min(max(v[i], -maxCorrection), maxCorrection)
	}
	return Box{b.X + float64(v[0]*b.Width), b.Y + float64(v[1]*b.Height), b.Width * series(v[2]), b.Height * series(v[3])}
}

// corrected is moved with its edges on pixels, as the detector's boxes are: b itself if
// that would be empty.
func (b Box) corrected(v [4]float64) Box {
	c := b.moved(v)
	left, right := math.RoundToEven(c.X-c.Width/2), math.RoundToEven(c.X+c.Width/2)
	top, bottom := math.RoundToEven(c.Y-c.Height/2), math.RoundToEven(c.Y+c.Height/2)
	if left >= right || top >= bottom {
		return b
	}
	return Box{(left + right) / 2, (top + bottom) / 2, right - left, bottom - top}
}

// series is the detector's e to the power of v.
func series(v float64) float64 {
	sum := 1.0
	for _, n := range [...]float64{4, 3, 2, 1} {
		sum = 1 + float64(float64(sum*v)/n)
	}
	return sum
}
