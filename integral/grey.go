package integral

import (
	"image"

	"haarlem/internal/luma"
)

// Grey returns the grey levels of img, with its top left pixel at (0, 0). Those of
// *image.Gray, and the Y plane of *image.YCbCr, are not copied. The levels are those of
// [image/color.GrayModel], and for *image.YCbCr its luma.
func Grey(img image.Image) *image.Gray {
	p, _ := luma.Of(img, nil)
	return p.Gray()
}
