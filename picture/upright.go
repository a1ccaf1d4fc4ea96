package picture

import (
	"image"
	"image/draw"
)

// A turn says for each pixel of the upright picture where it is stored:
// (x0 + xx*x + xy*y, y0 + yx*x + yy*y).
type turn struct {
	width, height int // upright
	x0, xx, xy    int
	y0, yx, yy    int
}

// turnOf returns the turn for a stored picture of w times h pixels. The
// orientations are those of EXIF (tag 274): 1 as stored, 2 mirrored, 3 upside
// down, 4 mirrored and upside down, 5 transposed, 6 to be turned clockwise,
// 7 transposed over the other diagonal, 8 to be turned anticlockwise.
func turnOf(orientation, w, h int) turn {
	right, bottom := w-1, h-1
	switch orientation {
	case 2:
		return turn{w, h, right, -1, 0, 0, 0, 1}
	case 3:
		return turn{w, h, right, -1, 0, bottom, 0, -1}
	case 4:
		return turn{w, h, 0, 1, 0, bottom, 0, -1}
	case 5:
		return turn{h, w, 0, 0, 1, 0, 1, 0}
	case 6:
		return turn{h, w, 0, 0, 1, bottom, -1, 0}
	case 7:
		return turn{h, w, right, 0, -1, bottom, -1, 0}
	case 8:
		return turn{h, w, right, 0, -1, 0, 1, 0}
	}
	return turn{w, h, 0, 1, 0, 0, 0, 1}
}

// from returns where the pixel (x, y) of the upright picture is stored.
func (t turn) from(x, y int) (sx, sy int) {
	return t.x0 + t.xx*x + t.xy*y, t.y0 + t.yx*x + t.yy*y
}

// gather returns an upright copy of interleaved bytes, size of them a pixel.
// The place of a stored pixel is place(sx, sy), in pixels. Since a turn never
// mixes the axes, that is one part that depends on x and one on y.
func (t turn) gather(pix []byte, size int, place func(sx, sy int) int) []byte {
	alongX, alongY := make([]int, t.width), make([]int, t.height)
	for x := range alongX {
		alongX[x] = size * place(t.from(x, 0))
	}
	for y := range alongY {
		alongY[y] = size * (place(t.from(0, y)) - place(t.from(0, 0)))
	}
	out := make([]byte, t.width*t.height*size)
	// In squares: a turned row is a stored column, which touches as many
	// lines of the cache as it has pixels.
	const side = 64
	for y0 := 0; y0 < t.height; y0 += side {
		for x0 := 0; x0 < t.width; x0 += side {
			columns := alongX[x0:min(x0+side, t.width)]
			for y := y0; y < min(y0+side, t.height); y++ {
				to := out[(y*t.width+x0)*size:][:len(columns)*size]
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

// plane is gather for rows of stride bytes.
func (t turn) plane(pix []byte, stride, size int) []byte {
	return t.gather(pix, size, func(sx, sy int) int { return sy*(stride/size) + sx })
}

// yCbCr returns an upright copy. Its grey plane is exactly the stored one,
// turned. Colour gets a sample for every pixel: a coarser grid would no longer
// line up with pictures of odd width when these are mirrored.
func (t turn) yCbCr(m *image.YCbCr) *image.YCbCr {
	return &image.YCbCr{
		Y:              t.gather(m.Y, 1, m.YOffset),
		Cb:             t.gather(m.Cb, 1, m.COffset),
		Cr:             t.gather(m.Cr, 1, m.COffset),
		YStride:        t.width,
		CStride:        t.width,
		SubsampleRatio: image.YCbCrSubsampleRatio444,
		Rect:           image.Rect(0, 0, t.width, t.height),
	}
}

// upright returns img, whose bounds begin at (0, 0), the right way up.
func upright(img image.Image, orientation int) image.Image {
	if orientation == 1 {
		return img
	}
	b := img.Bounds()
	t := turnOf(orientation, b.Dx(), b.Dy())
	whole := image.Rect(0, 0, t.width, t.height)
	switch m := img.(type) {
	case *image.YCbCr:
		return t.yCbCr(m)
	case *image.NYCbCrA:
		return &image.NYCbCrA{YCbCr: *t.yCbCr(&m.YCbCr), A: t.plane(m.A, m.AStride, 1), AStride: t.width}
	case *image.Gray:
		return &image.Gray{Pix: t.plane(m.Pix, m.Stride, 1), Stride: t.width, Rect: whole}
	case *image.Gray16:
		return &image.Gray16{Pix: t.plane(m.Pix, m.Stride, 2), Stride: 2 * t.width, Rect: whole}
	case *image.Paletted:
		return &image.Paletted{Pix: t.plane(m.Pix, m.Stride, 1), Stride: t.width, Rect: whole, Palette: m.Palette}
	case *image.RGBA:
		return &image.RGBA{Pix: t.plane(m.Pix, m.Stride, 4), Stride: 4 * t.width, Rect: whole}
	case *image.NRGBA:
		return &image.NRGBA{Pix: t.plane(m.Pix, m.Stride, 4), Stride: 4 * t.width, Rect: whole}
	case *image.CMYK:
		return &image.CMYK{Pix: t.plane(m.Pix, m.Stride, 4), Stride: 4 * t.width, Rect: whole}
	case *image.RGBA64:
		return &image.RGBA64{Pix: t.plane(m.Pix, m.Stride, 8), Stride: 8 * t.width, Rect: whole}
	case *image.NRGBA64:
		return &image.NRGBA64{Pix: t.plane(m.Pix, m.Stride, 8), Stride: 8 * t.width, Rect: whole}
	}
	copied := image.NewRGBA64(image.Rect(0, 0, b.Dx(), b.Dy())) // holds any colour
	draw.Draw(copied, copied.Rect, img, b.Min, draw.Src)
	return upright(copied, orientation)
}
