package network

import (
	"context"
	"image"
	"slices"

	"haarlem/internal/kernel/colour"
)

// Planes are the brightness Y and the colours Cb and Cr of a picture, by JPEG's
// formulas (full-range BT.601), for any number of goroutines that crop squares.
// Coordinates count from the picture's upper left pixel.
type Planes struct {
	planes [3]plane
	grey   bool   // Cb and Cr are 128 everywhere
	made   []byte // memory of converted pictures
}

// A plane has one value for each part of the picture of 1<<shiftX by 1<<shiftY
// pixels. The first begins skipX and skipY pixels before the picture.
type plane struct {
	pix            []byte
	stride         int
	width, height  int
	shiftX, shiftY int
	skipX, skipY   int
}

// Set makes p the planes of img. It copies no pixels of [image.YCbCr],
// [image.Gray] and opaque [image.NYCbCrA], so they must not change while p is in
// use. Others are converted as the image package does, transparent ones on black,
// into memory that the next call uses again. img has at least one pixel. The only
// error is that of ctx, which is checked every megapixel.
func (p *Planes) Set(ctx context.Context, img image.Image) error {
	if img.Bounds().Empty() {
		panic("network: a picture without pixels")
	}
	p.grey = false
	switch m := img.(type) {
	case *image.YCbCr:
		return p.use(ctx, m, img)
	case *image.NYCbCrA:
		if m.Opaque() {
			return p.use(ctx, &m.YCbCr, img)
		}
		return p.convert(ctx, img)
	case *image.Gray:
		r := m.Rect
		p.grey = true
		p.planes = [3]plane{{pix: m.Pix[m.PixOffset(r.Min.X, r.Min.Y):], stride: m.Stride, width: r.Dx(), height: r.Dy()}}
	default:
		return p.convert(ctx, img)
	}
	return ctx.Err()
}

// Release forgets the picture, so that its memory can be freed.
func (p *Planes) Release() { p.planes = [3]plane{} }

// use takes the planes of m, which is img.
func (p *Planes) use(ctx context.Context, m *image.YCbCr, img image.Image) error {
	r := m.Rect
	if r.Min.X < 0 || r.Min.Y < 0 {
		// Package image rounds halves of coordinates towards 0, so that three
		// pixels share the colour at 0.
		return p.convert(ctx, img)
	}
	p.planes[0] = plane{pix: m.Y[m.YOffset(r.Min.X, r.Min.Y):], stride: m.YStride, width: r.Dx(), height: r.Dy()}
	shiftX, shiftY := shifts(m.SubsampleRatio)
	colour := plane{
		stride: m.CStride, shiftX: shiftX, shiftY: shiftY,
		skipX: r.Min.X & (1<<shiftX - 1), skipY: r.Min.Y & (1<<shiftY - 1),
		width:  (r.Max.X-1)>>shiftX - r.Min.X>>shiftX + 1,
		height: (r.Max.Y-1)>>shiftY - r.Min.Y>>shiftY + 1,
	}
	at := m.COffset(r.Min.X, r.Min.Y)
	for i, pix := range [][]byte{m.Cb, m.Cr} {
		colour.pix = pix[at:]
		p.planes[1+i] = colour
	}
	return ctx.Err()
}

// shifts returns the logarithms of the width and height, in pixels, that share one
// colour.
func shifts(r image.YCbCrSubsampleRatio) (x, y int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 1, 0
	case image.YCbCrSubsampleRatio420:
		return 1, 1
	case image.YCbCrSubsampleRatio440:
		return 0, 1
	case image.YCbCrSubsampleRatio411:
		return 2, 0
	case image.YCbCrSubsampleRatio410:
		return 2, 1
	}
	return 0, 0
}

// convert computes the planes of any picture.
func (p *Planes) convert(ctx context.Context, img image.Image) error {
	r := img.Bounds()
	w, h := r.Dx(), r.Dy()
	p.made = slices.Grow(p.made[:0], 3*w*h+4*w)[:3*w*h+4*w]
	for i := range p.planes {
		p.planes[i] = plane{pix: p.made[i*w*h : (i+1)*w*h], stride: w, width: w, height: h}
	}
	row := p.made[3*w*h:] // of pixels
	for y := range h {
		if y%max(1<<20/w, 1) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		pixels, premultiplied := row, true
		switch m := img.(type) {
		case *image.RGBA:
			pixels = m.Pix[m.PixOffset(r.Min.X, r.Min.Y+y):][:4*w]
		case *image.NRGBA: // of browsers
			pixels, premultiplied = m.Pix[m.PixOffset(r.Min.X, r.Min.Y+y):][:4*w], false
		case image.RGBA64Image:
			for x := range w {
				c := m.RGBA64At(r.Min.X+x, r.Min.Y+y)
				row[4*x], row[4*x+1], row[4*x+2] = byte(c.R>>8), byte(c.G>>8), byte(c.B>>8)
			}
		default:
			for x := range w {
				red, green, blue, _ := img.At(r.Min.X+x, r.Min.Y+y).RGBA()
				row[4*x], row[4*x+1], row[4*x+2] = byte(red>>8), byte(green>>8), byte(blue>>8)
			}
		}
		colour.YCbCr(p.made[y*w:][:w], p.made[(h+y)*w:][:w], p.made[(2*h+y)*w:][:w], pixels, premultiplied)
	}
	return nil
}
