package opencv

import (
	"image"
	"image/draw"

	"haarlem/internal/kernel/colour"
)

// grey returns the grey levels that OpenCV computes of img's colours.
func grey(img image.Image) *image.Gray {
	if g, ok := img.(*image.Gray); ok {
		return g
	}
	r := img.Bounds()
	g := image.NewGray(r)
	row := image.NewRGBA(image.Rect(0, 0, r.Dx(), 1))
	for y := range r.Dy() {
		draw.Draw(row, row.Rect, img, r.Min.Add(image.Pt(0, y)), draw.Src)
		colour.OpenCV(g.Pix[y*g.Stride:][:r.Dx()], row.Pix, 4, false)
	}
	return g
}
