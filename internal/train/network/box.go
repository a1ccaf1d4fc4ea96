package network

import (
	"image"
	"math"

	"haarlem/internal/network"
	"haarlem/internal/numeric"
)

// A Box is a rectangle in pixels of a photograph: its centre and its size.
type Box struct{ X, Y, Width, Height float64 }

// BoxOf is a rectangle as a Box.
func BoxOf(r image.Rectangle) Box {
	return Box{float64(r.Min.X+r.Max.X) / 2, float64(r.Min.Y+r.Max.Y) / 2, float64(r.Dx()), float64(r.Dy())}
}

// usable reports whether a box has a size, and lies where a picture can.
func (b Box) usable() bool {
	return b.Width > 0 && b.Height > 0 && math.Abs(b.X)+math.Abs(b.Y)+b.Width+b.Height < 1<<22
}

// rectangle is the inverse of BoxOf, with edges on pixels.
func (b Box) rectangle() image.Rectangle {
	round := func(v float64) int { return int(math.RoundToEven(v)) }
	return image.Rect(round(b.X-b.Width/2), round(b.Y-b.Height/2), round(b.X+b.Width/2), round(b.Y+b.Height/2))
}

// square is [network.Around], for boxes that need not lie on pixels.
func (b Box) square(sides float64) network.Square {
	half := max(1, int64(math.Round(float64(sides*(network.Unit/4)*(b.Width+b.Height)))))
	return network.Square{
		X:    int64(math.Round(network.Unit*b.X)) - half,
		Y:    int64(math.Round(network.Unit*b.Y)) - half,
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

// correction returns the corrections that turn b into c: the movement of the centre,
// in sides of b, and the logarithms of the factors of its width and height.
func (b Box) correction(c Box) [4]float32 {
	var v [4]float32
	for i, x := range [4]float64{(c.X - b.X) / b.Width, (c.Y - b.Y) / b.Height, numeric.Log(c.Width / b.Width), numeric.Log(c.Height / b.Height)} {
		v[i] = float32(min(max(x, -network.MaxCorrection), network.MaxCorrection))
	}
	return v
}

// corrected is what the detector makes of b, whose edges are on pixels.
func (b Box) corrected(v [4]float64) Box { return BoxOf(network.Correct(b.rectangle(), v)) }
