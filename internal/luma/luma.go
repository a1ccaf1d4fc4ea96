// Package luma makes planes of grey levels out of images.
package luma

import (
	"image"
	"image/color"

	"haarlem/internal/kernel/colour"
)

// A Plane is a plane of grey levels: pixel (x, y) is Pix[y*Stride+x]. Its
// origin is the top left pixel, whatever the bounds of the image it came from.
type Plane struct {
	Pix           []byte
	Stride        int
	Width, Height int
}

// Row returns the pixels from (0, y) on, to the end of the plane.
func (g *Plane) Row(y int) []byte { return g.Pix[y*g.Stride:] }

// Sub returns the part of g from (x, y) on that is width by height pixels
// large. It shares g's pixels.
func (g *Plane) Sub(x, y, width, height int) Plane {
	if width == 0 || height == 0 { // may lie behind the last pixel
		return Plane{Width: width, Height: height}
	}
	return Plane{Pix: g.Pix[y*g.Stride+x:], Stride: g.Stride, Width: width, Height: height}
}

// Gray returns g as an image that shares its pixels.
func (g *Plane) Gray() *image.Gray {
	return &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: image.Rect(0, 0, g.Width, g.Height)}
}

// Of returns the grey levels of img. Those of *image.Gray, and the Y plane
// of *image.YCbCr, are not copied; others are converted into buf, which grows
// as needed and is returned for the next call. The levels are those of
// [color.GrayModel], and for *image.YCbCr its luma. It panics if the image does
// not fit into memory.
func Of(img image.Image, buf []byte) (Plane, []byte) {
	b := img.Bounds()
	g := Plane{Width: b.Dx(), Height: b.Dy(), Stride: b.Dx()}
	if b.Empty() {
		return Plane{}, buf
	}
	switch m := img.(type) {
	case *image.Gray:
		g.Pix, g.Stride = m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride
		return g, buf
	case *image.YCbCr:
		g.Pix, g.Stride = m.Y[m.YOffset(b.Min.X, b.Min.Y):], m.YStride
		return g, buf
	case *image.NYCbCrA:
		if m.Opaque() {
			g.Pix, g.Stride = m.Y[m.YOffset(b.Min.X, b.Min.Y):], m.YStride
			return g, buf
		}
	}
	if n := g.Width * g.Height; cap(buf) < n {
		buf = make([]byte, n)
	}
	buf = buf[:g.Width*g.Height]
	g.Pix = buf
	switch m := img.(type) {
	case *image.RGBA:
		for y := range g.Height {
			o := m.PixOffset(b.Min.X, b.Min.Y+y)
			colour.Grey(buf[y*g.Width:][:g.Width], m.Pix[o:o+4*g.Width], true)
		}
	case *image.NRGBA:
		for y := range g.Height {
			o := m.PixOffset(b.Min.X, b.Min.Y+y)
			colour.Grey(buf[y*g.Width:][:g.Width], m.Pix[o:o+4*g.Width], false)
		}
	case *image.Gray16:
		for y := range g.Height {
			o := m.PixOffset(b.Min.X, b.Min.Y+y)
			row := m.Pix[o : o+2*g.Width]
			for x := range g.Width {
				buf[y*g.Width+x] = row[2*x]
			}
		}
	case *image.Paletted:
		var table [256]byte
		for i, c := range m.Palette {
			if i < len(table) {
				table[i] = color.GrayModel.Convert(c).(color.Gray).Y
			}
		}
		for y := range g.Height {
			o := m.PixOffset(b.Min.X, b.Min.Y+y)
			for x, i := range m.Pix[o : o+g.Width] {
				buf[y*g.Width+x] = table[i]
			}
		}
	case image.RGBA64Image:
		for y := range g.Height {
			for x := range g.Width {
				c := m.RGBA64At(b.Min.X+x, b.Min.Y+y)
				buf[y*g.Width+x] = luma(uint32(c.R), uint32(c.G), uint32(c.B))
			}
		}
	default:
		for y := range g.Height {
			for x := range g.Width {
				r, gr, bl, _ := img.At(b.Min.X+x, b.Min.Y+y).RGBA()
				buf[y*g.Width+x] = luma(r, gr, bl)
			}
		}
	}
	return g, buf
}

// luma is color.GrayModel's: 0.299 R + 0.587 G + 0.114 B of 16-bit levels.
func luma(r, g, b uint32) byte { return byte((19595*r + 38470*g + 7471*b + 1<<15) >> 24) }
