// Package orient rotates images by multiples of 90 degrees, and mirrors them.
package orient

import "slices"

// A Turn maps each pixel of the oriented image to where it is stored: (x0 +
// xx*x + xy*y, y0 + yx*x + yy*y).
type Turn struct {
	Width, Height int // of the oriented image
	x0, xx, xy    int
	y0, yx, yy    int
}

// Of returns the turn for a stored image of w times h pixels. The orientations
// are those of EXIF (tag 274): 1 as stored, 2 mirrored, 3 upside down, 4
// mirrored and upside down, 5 transposed, 6 to rotate clockwise, 7 transposed
// over the other diagonal, 8 to rotate anticlockwise.
func Of(orientation, w, h int) Turn {
	right, bottom := w-1, h-1
	switch orientation {
	case 2:
		return Turn{w, h, right, -1, 0, 0, 0, 1}
	case 3:
		return Turn{w, h, right, -1, 0, bottom, 0, -1}
	case 4:
		return Turn{w, h, 0, 1, 0, bottom, 0, -1}
	case 5:
		return Turn{h, w, 0, 0, 1, 0, 1, 0}
	case 6:
		return Turn{h, w, 0, 0, 1, bottom, -1, 0}
	case 7:
		return Turn{h, w, right, 0, -1, bottom, -1, 0}
	case 8:
		return Turn{h, w, right, 0, -1, 0, 1, 0}
	}
	return Turn{w, h, 0, 1, 0, 0, 0, 1}
}

// From returns where pixel (x, y) of the oriented image is stored.
func (t Turn) From(x, y int) (sx, sy int) {
	return t.x0 + t.xx*x + t.xy*y, t.y0 + t.yx*x + t.yy*y
}

// Gather returns an oriented copy of interleaved bytes, size per pixel, in
// dst's memory if that suffices. place(sx, sy) is the index of a stored pixel.
// It must be the sum of a part that depends on sx and one that depends on sy.
func (t Turn) Gather(dst, pix []byte, size int, place func(sx, sy int) int) []byte {
	alongX, alongY := make([]int, t.Width), make([]int, t.Height)
	for x := range alongX {
		alongX[x] = size * place(t.From(x, 0))
	}
	for y := range alongY {
		alongY[y] = size * (place(t.From(0, y)) - place(t.From(0, 0)))
	}
	out := slices.Grow(dst[:0], t.Width*t.Height*size)[:t.Width*t.Height*size]
	// In squares: a row is a stored column, which touches as many cache lines
	// as it has pixels.
	const side = 64
	for y0 := 0; y0 < t.Height; y0 += side {
		for x0 := 0; x0 < t.Width; x0 += side {
			columns := alongX[x0:min(x0+side, t.Width)]
			for y := y0; y < min(y0+side, t.Height); y++ {
				to := out[(y*t.Width+x0)*size:][:len(columns)*size]
				row := alongY[y]
				switch size {
				case 1:
					for x, at := range columns {
						to[x] = pix[row+at]
					}
				default:
					for x, at := range columns {
						copy(to[x*size:x*size+size], pix[row+at:row+at+size])
					}
				}
			}
		}
	}
	return out
}

// Plane is Gather for rows of stride bytes.
func (t Turn) Plane(dst, pix []byte, stride, size int) []byte {
	return t.Gather(dst, pix, size, func(sx, sy int) int { return sy*(stride/size) + sx })
}
