package annotate

import (
	"image"
	"image/color"
)

// Planes makes an [image.YCbCr] an image that can be drawn on. Where several pixels
// share a sample of colour, the last one that is set decides it.
type Planes struct{ *image.YCbCr }

// Set sets a pixel; outside the image it does nothing.
func (p Planes) Set(x, y int, c color.Color) {
	if !(image.Pt(x, y).In(p.Rect)) {
		return
	}
	v := color.YCbCrModel.Convert(c).(color.YCbCr)
	p.Y[p.YOffset(x, y)] = v.Y
	at := p.COffset(x, y)
	p.Cb[at], p.Cr[at] = v.Cb, v.Cr
}
