package annotate

import (
	"image"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

// Caption writes lines of text into the upper left corner of img, on a dark
// ground. What does not fit is cut off.
func Caption(img *image.RGBA, lines ...string) {
	b := img.Rect
	if len(lines) == 0 || min(b.Dx(), b.Dy()) < 24 {
		return
	}
	face := letters(max(11, min(b.Dx(), b.Dy())/30))
	defer face.Close()
	metrics := face.Metrics()
	ascent, height := metrics.Ascent.Ceil(), metrics.Height.Ceil()
	pad := max(2, ascent/3)
	width := 0
	for _, line := range lines {
		width = max(width, font.MeasureString(face, line).Ceil())
	}
	ground := image.Rect(0, 0, width+2*pad, len(lines)*height+2*pad).Add(b.Min)
	draw.Draw(img, ground, image.NewUniform(outerColour), image.Point{}, draw.Src)
	d := font.Drawer{Dst: img, Src: image.NewUniform(markColour), Face: face}
	for i, line := range lines {
		d.Dot = fixed.P(b.Min.X+pad, b.Min.Y+pad+i*height+ascent)
		d.DrawString(line)
	}
}
