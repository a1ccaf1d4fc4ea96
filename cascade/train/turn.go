package train

import "image"

// A turn is one of the eight ways in which a picture can lie: bit 0 mirrors it,
// and the rest says by how many quarters it is turned afterwards, clockwise.
type turn uint8

// turnsOf is in what order they are taken when a picture is looked at in n of
// them: what differs most comes first. Mirror images are last, as much of what
// looks like the object does so in a mirror as well.
var turnsOf = [8]turn{0, 2 << 1, 1 << 1, 3 << 1, 1, 2<<1 | 1, 1<<1 | 1, 3<<1 | 1}

// across reports whether width and height change places.
func (t turn) across() bool { return t>>1&1 == 1 }

// from returns where in the picture as it was pixel x, y of the turned one comes
// from: x and y are multiplied by one matrix of two steps each, and moved. w and
// h are the size as it was.
func (t turn) from(w, h int) (dx, dy, at image.Point) {
	switch t >> 1 {
	case 0:
		dx, dy, at = image.Pt(1, 0), image.Pt(0, 1), image.Pt(0, 0)
	case 1:
		dx, dy, at = image.Pt(0, -1), image.Pt(1, 0), image.Pt(0, h-1)
	case 2:
		dx, dy, at = image.Pt(-1, 0), image.Pt(0, -1), image.Pt(w-1, h-1)
	default:
		dx, dy, at = image.Pt(0, 1), image.Pt(-1, 0), image.Pt(w-1, 0)
	}
	if t&1 != 0 {
		dx.X, dy.X, at.X = -dx.X, -dy.X, w-1-at.X
	}
	return dx, dy, at
}

// picture returns g turned, in dst's memory if that has room; g itself if there
// is nothing to turn.
func (t turn) picture(dst, g *image.Gray) *image.Gray {
	if t == 0 {
		return g
	}
	w, h := g.Rect.Dx(), g.Rect.Dy()
	tw, th := w, h
	if t.across() {
		tw, th = h, w
	}
	if cap(dst.Pix) < w*h {
		dst.Pix = make([]byte, w*h)
	}
	dst.Pix, dst.Stride, dst.Rect = dst.Pix[:w*h], tw, image.Rect(0, 0, tw, th)
	dx, dy, at := t.from(w, h)
	step, down, first := dx.Y*g.Stride+dx.X, dy.Y*g.Stride+dy.X, at.Y*g.Stride+at.X
	// Square by square, so that what is read across rows stays in the cache.
	const side = 64
	for top := 0; top < th; top += side {
		for left := 0; left < tw; left += side {
			for y := top; y < min(top+side, th); y++ {
				row := dst.Pix[y*tw:][:tw]
				from := first + y*down + left*step
				for x := left; x < min(left+side, tw); x++ {
					row[x] = g.Pix[from]
					from += step
				}
			}
		}
	}
	return dst
}

// back returns where a box of the turned picture lies in the picture as it was,
// whose size is w times h. Both begin at 0, 0.
func (t turn) back(box image.Rectangle, w, h int) image.Rectangle {
	dx, dy, at := t.from(w, h)
	of := func(x, y int) image.Point { return dx.Mul(x).Add(dy.Mul(y)).Add(at) }
	// The corners are pixels, and the one at the end belongs to the box.
	a, b := of(box.Min.X, box.Min.Y), of(box.Max.X-1, box.Max.Y-1)
	return image.Rect(min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X)+1, max(a.Y, b.Y)+1)
}
