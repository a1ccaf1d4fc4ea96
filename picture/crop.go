package picture

import (
	"image"
	"image/draw"
)

// Crop returns the part of img inside r, as far as there is one. Where the
// image type allows it shares img's pixels.
func Crop(img image.Image, r image.Rectangle) image.Image {
	r = r.Intersect(img.Bounds())
	if m, ok := img.(interface {
		SubImage(image.Rectangle) image.Image
	}); ok {
		return m.SubImage(r)
	}
	out := image.NewRGBA(r)
	draw.Draw(out, r, img, r.Min, draw.Src)
	return out
}
