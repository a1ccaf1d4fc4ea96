package picture

import (
	"image"
	"image/draw"

	"haarlem/internal/obscure"
)

// UsualMargin is the margin for boxes of frontal face models, which go from
// the forehead to the chin: hair, ears and beard lie outside.
const UsualMargin = 0.25

// Blur returns a copy of img in which the boxes, enlarged by margin of their
// size on each side, hold a smooth surface of a few colours.
//
// Blur and [Pixelate] make it unrecognisable. Both throw the same away and only
// draw what is left in different ways, so that one is as safe as the other:
//
// Each box is enlarged by a margin and divided into at most five by five
// cells. Of a cell nothing is kept but its mean colour, rounded to 16 levels
// of red, green and blue. With the usual margin a face has three or four cells
// from ear to ear, and 25 numbers or so say all that is left of eyes, nose and
// mouth. Pixelate paints each cell in its colour; Blur paints a smooth surface
// through the cells' colours. It is no filter over the pixels: such a filter
// can be undone in part by another one (deconvolution), since it multiplies
// detail with small numbers; here it is not there to be multiplied.
//
// What stays: the colours of skin and hair, roughly; everything outside the
// boxes, such as clothes, hands and the place; and in a video many coarse
// pictures of one face, which together hold more than one. Who must not be
// found by somebody who knows them needs a frame that is cut out or painted
// over in one colour.
func Blur(img image.Image, boxes []image.Rectangle, margin float64) *image.RGBA {
	out := obscure.Copy(img)
	obscure.InPlace(out, boxes, margin, true)
	return out
}

// Pixelate returns a copy of img in which the boxes, enlarged by margin of
// their size on each side, hold a few squares, each in one colour. See [Blur] for what
// is left.
func Pixelate(img image.Image, boxes []image.Rectangle, margin float64) *image.RGBA {
	out := obscure.Copy(img)
	obscure.InPlace(out, boxes, margin, false)
	return out
}

// Cover paints the boxes, enlarged by margin, in one dark grey: nothing is left
// of what was there.
func Cover(img draw.Image, boxes []image.Rectangle, margin float64) {
	obscure.Cover(img, boxes, margin)
}
