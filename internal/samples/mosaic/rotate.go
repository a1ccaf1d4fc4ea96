package mosaic

import (
	"image"
	"math"

	"haarlem/internal/samples"
)

// rotated returns src rotated about a point by degrees, with bilinear interpolation
// and its edge repeated, and the boxes moved with their centres. Integers, so that
// the bytes are the same on every machine.
func rotated(src *image.Gray, about samples.Point, degrees float64, boxes []image.Rectangle) (*image.Gray, []image.Rectangle) {
	const bits = 12
	const one = 1 << bits
	s, c := math.Sincos(degrees * math.Pi / 180)
	sin, cos := int(math.Round(s*one)), int(math.Round(c*one))
	// turn returns the source of (x, y), in 1/one pixel from the centre, with
	// sin, and the inverse with -sin.
	turn := func(x, y, sin int) (int, int) { return (x*cos + y*sin) >> bits, (y*cos - x*sin) >> bits }
	cx, cy := int(about.X*one), int(about.Y*one)
	out := image.NewGray(src.Rect)
	w, h := src.Rect.Dx(), src.Rect.Dy()
	for y := range h {
		for x := range w {
			// Pixels' centres.
			u, v := turn(x*one+one/2-cx, y*one+one/2-cy, sin)
			u, v = min(max(u+cx-one/2, 0), (w-1)*one), min(max(v+cy-one/2, 0), (h-1)*one)
			i, j := u>>bits, v>>bits
			k, l := min(i+1, w-1), min(j+1, h-1)
			at := func(i, j int) int { return int(src.Pix[j*src.Stride+i]) }
			u, v = u&(one-1), v&(one-1)
			top := (one-u)*at(i, j) + u*at(k, j)
			bottom := (one-u)*at(i, l) + u*at(k, l)
			out.Pix[y*out.Stride+x] = byte(((one-v)*top + v*bottom + one*one/2) >> (2 * bits))
		}
	}
	var moved []image.Rectangle
	for _, b := range boxes {
		m := b.Min.Add(b.Max) // twice the middle
		x, y := turn(m.X*one/2-cx, m.Y*one/2-cy, -sin)
		to := image.Pt((x+cx)>>bits, (y+cy)>>bits)
		moved = append(moved, b.Add(to.Sub(m.Div(2))))
	}
	return out, moved
}
