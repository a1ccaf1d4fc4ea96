package train

import (
	"image"

	"haarlem/internal/orient"
)

// A turn is one of the eight ways in which a picture can lie: bit 0 mirrors it,
// and the rest says by how many quarters it is turned afterwards, clockwise.
type turn uint8

// turnsOf is in what order they are taken when a picture is looked at in n of
// them: what differs most comes first. Mirror images are last, as much of what
// looks like the object does so in a mirror as well.
var turnsOf = [8]turn{0, 2 << 1, 1 << 1, 3 << 1, 1, 2<<1 | 1, 1<<1 | 1, 3<<1 | 1}

// orientations says how a picture of each turn would be stored in a file, by the
// numbers of EXIF.
var orientations = [8]int{0: 1, 1: 2, 2: 6, 3: 7, 4: 3, 5: 4, 6: 8, 7: 5}

// picture returns g turned, in dst's memory if that has room; g itself if there
// is nothing to turn.
func (t turn) picture(dst, g *image.Gray) *image.Gray {
	if t == 0 {
		return g
	}
	q := orient.Of(orientations[t], g.Rect.Dx(), g.Rect.Dy())
	dst.Pix, dst.Stride, dst.Rect = q.Plane(dst.Pix, g.Pix, g.Stride, 1), q.Width, image.Rect(0, 0, q.Width, q.Height)
	return dst
}

// back returns where a box of the turned picture lies in the picture as it was,
// whose size is w times h. Both begin at 0, 0.
func (t turn) back(box image.Rectangle, w, h int) image.Rectangle {
	q := orient.Of(orientations[t], w, h)
	// The corners are pixels, and the one at the end belongs to the box.
	ax, ay := q.From(box.Min.X, box.Min.Y)
	bx, by := q.From(box.Max.X-1, box.Max.Y-1)
	return image.Rect(min(ax, bx), min(ay, by), max(ax, bx)+1, max(ay, by)+1)
}
