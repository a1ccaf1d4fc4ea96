// Package obscure makes parts of pictures unrecognisable. Package picture says what is
// left of them.
package obscure

import (
	"image"
	"image/color"
	"image/draw"
)

const (
	coarse  = 5 // cells along the longer side of a box
	minCell = 6 // pixels along a cell, for small boxes
)

// InPlace paints a smooth surface into the boxes, enlarged by margin, or a few squares.
func InPlace(img *image.RGBA, boxes []image.Rectangle, margin float64, smooth bool) {
	// All cells before any painting: where boxes overlap, no cell's colour
	// is made of another's.
	grids := make([]grid, 0, len(boxes))
	for _, b := range boxes {
		if b = Enlarge(b, margin).Intersect(img.Rect); !b.Empty() {
			grids = append(grids, newGrid(img, b))
		}
	}
	for i := range grids {
		grids[i].paint(img, smooth)
	}
}

// Enlarge returns the box with margin of its size added on each side.
func Enlarge(b image.Rectangle, margin float64) image.Rectangle {
	dx, dy := int(margin*float64(b.Dx())+0.5), int(margin*float64(b.Dy())+0.5)
	return image.Rect(b.Min.X-dx, b.Min.Y-dy, b.Max.X+dx, b.Max.Y+dy)
}

// Copy returns a copy that can be drawn on.
func Copy(img image.Image) *image.RGBA {
	b := img.Bounds()
	out := image.NewRGBA(b)
	draw.Draw(out, b, img, b.Min, draw.Src)
	return out
}

// A grid is the few colours that are left of a part of a picture.
type grid struct {
	box           image.Rectangle
	columns, rows int
	cells         [][4]int32 // row by row
}

// newGrid looks at the pixels in box, which is part of img.
func newGrid(img *image.RGBA, box image.Rectangle) grid {
	longer := max(box.Dx(), box.Dy())
	side := max(minCell, (longer+coarse-1)/coarse)
	g := grid{box: box, columns: (box.Dx() + side - 1) / side, rows: (box.Dy() + side - 1) / side}
	g.cells = make([][4]int32, 0, g.columns*g.rows)
	for row := range g.rows {
		for column := range g.columns {
			g.cells = append(g.cells, mean(img, g.cell(column, row)))
		}
	}
	return g
}

// edge is where the i-th of n equal parts of length begins.
func edge(i, n, length int) int { return i * length / n }

func (g *grid) cell(column, row int) image.Rectangle {
	w, h := g.box.Dx(), g.box.Dy()
	return image.Rect(edge(column, g.columns, w), edge(row, g.rows, h), edge(column+1, g.columns, w), edge(row+1, g.rows, h)).Add(g.box.Min)
}

// mean is the mean colour in r, rounded to 16 levels: 0, 17, 34, ... 255.
func mean(img *image.RGBA, r image.Rectangle) [4]int32 {
	var sum [4]int64
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at := img.PixOffset(r.Min.X, y)
		for row := img.Pix[at : at+4*r.Dx()]; len(row) >= 4; row = row[4:] {
			sum[0] += int64(row[0])
			sum[1] += int64(row[1])
			sum[2] += int64(row[2])
			sum[3] += int64(row[3])
		}
	}
	n := int64(r.Dx()) * int64(r.Dy())
	var c [4]int32
	for k, s := range sum {
		c[k] = int32((s+n*17/2)/(n*17)) * 17
	}
	for k := range 3 {
		c[k] = min(c[k], c[3]) // colours are multiplied with alpha
	}
	return c
}

// paint paints the cells; if smooth, it interpolates between their middles, in both
// directions, with a step that is flat at the middles: no lines are seen from cell to cell.
func (g *grid) paint(img *image.RGBA, smooth bool) {
	const one = 1 << 8
	columns := between(g.columns, g.box.Dx(), smooth)
	for y, row := range between(g.rows, g.box.Dy(), smooth) {
		upper, lower := g.cells[int(row.from)*g.columns:], g.cells[int(row.to)*g.columns:]
		at := img.PixOffset(g.box.Min.X, g.box.Min.Y+y)
		pix := img.Pix[at : at+4*g.box.Dx()]
		for x, c := range columns {
			for k := range 4 {
				a := upper[c.from][k]*(one-c.share) + upper[c.to][k]*c.share
				b := lower[c.from][k]*(one-c.share) + lower[c.to][k]*c.share
				pix[4*x+k] = byte((a*(one-row.share) + b*row.share + one*one/2) / (one * one))
			}
		}
	}
}

// A mixture is the two cells that a pixel's colour is made of, and the share of
// the second one in 256ths.
type mixture struct{ from, to, share int32 }

// between returns for each of length pixels what it is made of, of n cells:
// the cells whose middles are next to it if smooth, otherwise the one it is in.
func between(n, length int, smooth bool) []mixture {
	const one = 1 << 8
	all := make([]mixture, length)
	if !smooth {
		for cell := range n {
			for i := edge(cell, n, length); i < edge(cell+1, n, length); i++ {
				all[i] = mixture{int32(cell), int32(cell), 0}
			}
		}
		return all
	}
	for i := range all {
		// The pixel's middle in cells, 256 to the cell, from the first
		// cell's middle.
		p := max(0, min((2*i+1)*n*one/(2*length)-one/2, (n-1)*one))
		t := p % one
		t = t * t * (3*one - 2*t) / (one * one) // smoothstep
		all[i] = mixture{int32(p / one), int32(min(p/one+1, n-1)), int32(t)}
	}
	return all
}

// Cover paints the boxes, enlarged by margin, in one dark grey: nothing is left
// of what was there.
func Cover(img draw.Image, boxes []image.Rectangle, margin float64) {
	dark := image.NewUniform(color.RGBA{48, 48, 48, 255})
	for _, b := range boxes {
		draw.Draw(img, Enlarge(b, margin).Intersect(img.Bounds()), dark, image.Point{}, draw.Src)
	}
}
