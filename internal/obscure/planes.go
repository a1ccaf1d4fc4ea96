package obscure

import "image"

// Planes is [InPlace] for an image as videos and JPEG store it. Samples
// of colour that a box shares with pixels beside it are hidden too.
func Planes(img *image.YCbCr, boxes []image.Rectangle, margin float64, smooth bool) {
	sx, sy := subsampling(img.SubsampleRatio)
	type part struct {
		plane
		box           image.Rectangle
		columns, rows int
		cells         []int32
	}
	var parts []part
	for _, b := range boxes {
		b = Enlarge(b, margin)
		b = outward(b, sx, sy).Intersect(img.Rect)
		if b.Empty() {
			continue
		}
		side := max(minCell, (max(b.Dx(), b.Dy())+coarse-1)/coarse)
		columns, rows := (b.Dx()+side-1)/side, (b.Dy()+side-1)/side
		colour := image.Rect(floorDiv(b.Min.X, sx), floorDiv(b.Min.Y, sy), floorDiv(b.Max.X+sx-1, sx), floorDiv(b.Max.Y+sy-1, sy))
		for _, p := range []part{
			{plane: plane{img.Y[img.YOffset(b.Min.X, b.Min.Y):], img.YStride, 0}, box: b},
			{plane: plane{img.Cb[img.COffset(b.Min.X, b.Min.Y):], img.CStride, 128}, box: colour},
			{plane: plane{img.Cr[img.COffset(b.Min.X, b.Min.Y):], img.CStride, 128}, box: colour},
		} {
			p.columns, p.rows = min(columns, p.box.Dx()), min(rows, p.box.Dy())
			p.cells = p.means(p.box.Dx(), p.box.Dy(), p.columns, p.rows)
			parts = append(parts, p)
		}
	}
	// All cells before any painting, see InPlace.
	for _, p := range parts {
		p.paint(p.box.Dx(), p.box.Dy(), p.columns, p.rows, p.cells, smooth)
	}
}

// outward moves the sides of a box to where no samples of colour are shared.
func outward(b image.Rectangle, sx, sy int) image.Rectangle {
	return image.Rect(floorDiv(b.Min.X, sx)*sx, floorDiv(b.Min.Y, sy)*sy, floorDiv(b.Max.X+sx-1, sx)*sx, floorDiv(b.Max.Y+sy-1, sy)*sy)
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

// subsampling is how many pixels share a sample of colour, along and down.
func subsampling(r image.YCbCrSubsampleRatio) (x, y int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// A plane is the samples of one kind in a box. neutral is the level that rounding
// keeps: that of no colour.
type plane struct {
	pix     []byte
	stride  int
	neutral int32
}

// means are the mean levels of cells, rounded to 16 levels.
func (p plane) means(w, h, columns, rows int) []int32 {
	cells := make([]int32, 0, columns*rows)
	for row := range rows {
		for column := range columns {
			var sum, n int64
			x0, x1 := edge(column, columns, w), edge(column+1, columns, w)
			for y := edge(row, rows, h); y < edge(row+1, rows, h); y++ {
				for _, v := range p.pix[y*p.stride+x0 : y*p.stride+x1] {
					sum += int64(v)
				}
				n += int64(x1 - x0)
			}
			level := int32((sum+n/2)/n) - p.neutral
			level = (level + 17*16 + 8) / 17 * 17 // positive before it is divided
			cells = append(cells, min(max(level-17*16+p.neutral, 0), 255))
		}
	}
	return cells
}

// paint is grid.paint for one kind of samples.
func (p plane) paint(w, h, columns, rows int, cells []int32, smooth bool) {
	const one = 1 << 8
	across, down := between(columns, w, smooth), between(rows, h, smooth)
	for y, row := range down {
		upper, lower := cells[int(row.from)*columns:], cells[int(row.to)*columns:]
		pix := p.pix[y*p.stride:][:w]
		for x, c := range across {
			a := upper[c.from]*(one-c.share) + upper[c.to]*c.share
			b := lower[c.from]*(one-c.share) + lower[c.to]*c.share
			pix[x] = byte((a*(one-row.share) + b*row.share + one*one/2) / (one * one))
		}
	}
}
