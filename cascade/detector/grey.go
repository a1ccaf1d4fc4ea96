package detector

import (
	"context"
	"image"

	"haarlem/internal/luma"
)

// greyBand is the number of pixels converted between two checks of the context.
const greyBand = 1 << 18

// A greyer converts images to grey levels, one at a time.
type greyer struct{ pix []byte }

// of returns the grey levels of the part r of img, without a copy if img has a plane
// of them. The result is that of [integral.Grey].
func (k *greyer) of(ctx context.Context, img image.Image, r image.Rectangle) (luma.Plane, error) {
	whole := img.Bounds()
	switch m := img.(type) {
	case *image.Gray, *image.YCbCr:
		return planeOf(img, whole, r), nil
	case *image.NYCbCrA:
		if ok, err := opaque(ctx, m); err != nil {
			return luma.Plane{}, err
		} else if ok {
			return planeOf(&m.YCbCr, whole, r), nil
		}
	}
	w, h := r.Dx(), r.Dy()
	if cap(k.pix) < w*h {
		k.pix = make([]byte, w*h)
	}
	k.pix = k.pix[:w*h]
	rows := max(greyBand/w, 1)
	for y := 0; y < h; y += rows {
		if err := ctx.Err(); err != nil {
			return luma.Plane{}, err
		}
		n := min(rows, h-y)
		strip := image.Rect(r.Min.X, r.Min.Y+y, r.Max.X, r.Min.Y+y+n)
		luma.Of(crop(img, strip), k.pix[y*w:(y+n)*w])
	}
	return luma.Plane{Pix: k.pix, Stride: w, Width: w, Height: h}, nil
}

// opaque is m.Opaque with checks of the context.
func opaque(ctx context.Context, m *image.NYCbCrA) (bool, error) {
	rows := max(greyBand/max(m.Rect.Dx(), 1), 1)
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y += rows {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		strip := image.Rect(m.Rect.Min.X, y, m.Rect.Max.X, min(y+rows, m.Rect.Max.Y))
		if !m.SubImage(strip).(*image.NYCbCrA).Opaque() {
			return false, nil
		}
	}
	return true, nil
}

// planeOf returns the part r of img's plane of grey levels.
func planeOf(img image.Image, whole, r image.Rectangle) luma.Plane {
	g, _ := luma.Of(img, nil)
	return g.Sub(r.Min.X-whole.Min.X, r.Min.Y-whole.Min.Y, r.Dx(), r.Dy())
}

// crop returns the part r of img, of the same type where integral has a fast path for
// it.
func crop(img image.Image, r image.Rectangle) image.Image {
	switch m := img.(type) {
	case *image.RGBA:
		return m.SubImage(r)
	case *image.NRGBA:
		return m.SubImage(r)
	case *image.Gray16:
		return m.SubImage(r)
	case *image.Paletted:
		return m.SubImage(r)
	case image.RGBA64Image:
		return window64{m, r}
	}
	return window{img, r}
}

// A window is a part of an image of any type.
type window struct {
	image.Image
	r image.Rectangle
}

func (w window) Bounds() image.Rectangle { return w.r }

// A window64 is a part of an image with RGBA64At, which needs no interface value for a
// pixel.
type window64 struct {
	image.RGBA64Image
	r image.Rectangle
}

func (w window64) Bounds() image.Rectangle { return w.r }
