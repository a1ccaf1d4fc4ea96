package train

import (
	"image"

	"haarlem/internal/orient"
)

// An orientation is one of the eight orientations of an image: bit 0 mirrors it, and
// the rest is the number of clockwise rotations by 90 degrees that follow.
type orientation uint8

// orientationsInUse are the orientations in order of use: those that differ most come
// first. Mirror images are last, since much that resembles the object also does
// so mirrored.
var orientationsInUse = [8]orientation{0, 2 << 1, 1 << 1, 3 << 1, 1, 2<<1 | 1, 1<<1 | 1, 3<<1 | 1}

// exifOrientations are their numbers in EXIF.
var exifOrientations = [8]int{0: 1, 1: 2, 2: 6, 3: 7, 4: 3, 5: 4, 6: 8, 7: 5}

// picture returns g in the orientation, in dst's memory if that suffices; g
// itself for orientation 0.
func (o orientation) picture(dst, g *image.Gray) *image.Gray {
	if o == 0 {
		return g
	}
	q := orient.Of(exifOrientations[o], g.Rect.Dx(), g.Rect.Dy())
	dst.Pix, dst.Stride, dst.Rect = q.Plane(dst.Pix, g.Pix, g.Stride, 1), q.Width, image.Rect(0, 0, q.Width, q.Height)
	return dst
}

// back maps a box of the oriented image to the original, of w by h pixels. Both
// begin at 0, 0.
func (o orientation) back(box image.Rectangle, w, h int) image.Rectangle {
	q := orient.Of(exifOrientations[o], w, h)
	// The corners are pixels, and the end corner belongs to the box.
	ax, ay := q.From(box.Min.X, box.Min.Y)
	bx, by := q.From(box.Max.X-1, box.Max.Y-1)
	return image.Rect(min(ax, bx), min(ay, by), max(ax, bx)+1, max(ay, by)+1)
}
