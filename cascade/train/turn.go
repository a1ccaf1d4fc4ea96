package train

import (
	"image"

	"haarlem/internal/orient"
)

// A turn is one of the eight orientations of a picture: bit 0 mirrors it, and the
// rest is by how many quarters it is rotated afterwards, clockwise.
type turn uint8

// turnsOf are the turns in the order in which they are used when a picture is
// searched in n of them: those that differ most come first. Mirror images are
// last, since much that looks like the object does so mirrored too.
var turnsOf = [8]turn{0, 2 << 1, 1 << 1, 3 << 1, 1, 2<<1 | 1, 1<<1 | 1, 3<<1 | 1}

// orientations are the EXIF orientations of a picture of each turn.
var orientations = [8]int{0: 1, 1: 2, 2: 6, 3: 7, 4: 3, 5: 4, 6: 8, 7: 5}

// picture returns g turned, in dst's memory if that has room; g itself for turn 0.
func (t turn) picture(dst, g *image.Gray) *image.Gray {
	if t == 0 {
		return g
	}
	q := orient.Of(orientations[t], g.Rect.Dx(), g.Rect.Dy())
	dst.Pix, dst.Stride, dst.Rect = q.Plane(dst.Pix, g.Pix, g.Stride, 1), q.Width, image.Rect(0, 0, q.Width, q.Height)
	return dst
}

// back returns a box of the turned picture in the original, whose size is w times
// h. Both begin at 0, 0.
func (t turn) back(box image.Rectangle, w, h int) image.Rectangle {
	q := orient.Of(orientations[t], w, h)
	// The corners are pixels, and the one at the end belongs to the box.
	ax, ay := q.From(box.Min.X, box.Min.Y)
	bx, by := q.From(box.Max.X-1, box.Max.Y-1)
	return image.Rect(min(ax, bx), min(ay, by), max(ax, bx)+1, max(ay, by)+1)
}
