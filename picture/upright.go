package picture

import (
	"image"
	"image/draw"

	"haarlem/internal/orient"
)

// yCbCr returns an upright copy. Its grey plane is exactly the stored one,
// turned. Colour gets a sample for every pixel: a coarser grid would no longer
// line up with pictures of odd width when these are mirrored.
func yCbCr(t orient.Turn, m *image.YCbCr) *image.YCbCr {
	return &image.YCbCr{
		Y:              t.Gather(nil, m.Y, 1, m.YOffset),
		Cb:             t.Gather(nil, m.Cb, 1, m.COffset),
		Cr:             t.Gather(nil, m.Cr, 1, m.COffset),
		YStride:        t.Width,
		CStride:        t.Width,
		SubsampleRatio: image.YCbCrSubsampleRatio444,
		Rect:           image.Rect(0, 0, t.Width, t.Height),
	}
}

// upright returns img, whose bounds begin at (0, 0), the right way up.
func upright(img image.Image, orientation int) image.Image {
	if orientation == 1 {
		return img
	}
	b := img.Bounds()
	t := orient.Of(orientation, b.Dx(), b.Dy())
	whole := image.Rect(0, 0, t.Width, t.Height)
	switch m := img.(type) {
	case *image.YCbCr:
		return yCbCr(t, m)
	case *image.NYCbCrA:
		return &image.NYCbCrA{YCbCr: *yCbCr(t, &m.YCbCr), A: t.Plane(nil, m.A, m.AStride, 1), AStride: t.Width}
	case *image.Gray:
		return &image.Gray{Pix: t.Plane(nil, m.Pix, m.Stride, 1), Stride: t.Width, Rect: whole}
	case *image.Gray16:
		return &image.Gray16{Pix: t.Plane(nil, m.Pix, m.Stride, 2), Stride: 2 * t.Width, Rect: whole}
	case *image.Paletted:
		return &image.Paletted{Pix: t.Plane(nil, m.Pix, m.Stride, 1), Stride: t.Width, Rect: whole, Palette: m.Palette}
	case *image.RGBA:
		return &image.RGBA{Pix: t.Plane(nil, m.Pix, m.Stride, 4), Stride: 4 * t.Width, Rect: whole}
	case *image.NRGBA:
		return &image.NRGBA{Pix: t.Plane(nil, m.Pix, m.Stride, 4), Stride: 4 * t.Width, Rect: whole}
	case *image.CMYK:
		return &image.CMYK{Pix: t.Plane(nil, m.Pix, m.Stride, 4), Stride: 4 * t.Width, Rect: whole}
	case *image.RGBA64:
		return &image.RGBA64{Pix: t.Plane(nil, m.Pix, m.Stride, 8), Stride: 8 * t.Width, Rect: whole}
	case *image.NRGBA64:
		return &image.NRGBA64{Pix: t.Plane(nil, m.Pix, m.Stride, 8), Stride: 8 * t.Width, Rect: whole}
	}
	copied := image.NewRGBA64(image.Rect(0, 0, b.Dx(), b.Dy())) // holds any colour
	draw.Draw(copied, copied.Rect, img, b.Min, draw.Src)
	return upright(copied, orientation)
}
