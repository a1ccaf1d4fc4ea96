package cascade

import "haarlem/haar"

// pieceArea is the largest number of pixels of a rectangle whose sum always fits the 16
// bits of an integral image in the search. Larger ones are cut into pieces.
const pieceArea = 65535 / 255

// piecesOf returns about the number of pieces of so many pixels.
func piecesOf(pixels int64) int { return int(pixels/pieceArea) + 1 }

// Work returns about the work for a window that passes all exits: the number of
// rectangles, or pieces of large ones, that nodes and histograms read. Each feature
// counts once more, used or not. [Limits] bounds it.
func (c *Cascade) Work() int {
	of := make([]int, c.features())
	total := 0
	for i := range c.Features {
		f := &c.Features[i]
		for k := range f.Count() {
			of[i] += piecesOf(pixels(f.Rects[k], f.Tilted))
		}
		total += of[i]
	}
	for i, cell := range c.Cells {
		of[i] = 3 * piecesOf(int64(cell.Dx())*int64(cell.Dy())) // nine cells share their corners
		total += of[i]
	}
	for i := range c.Weak {
		w := &c.Weak[i]
		if w.Histogram() {
			total += of[w.Feature]
		}
		for k := range w.Nodes {
			total += of[w.Nodes[k].Feature]
		}
	}
	return total
}

// pixels returns the number of pixels in r.
func pixels(r haar.Rect, tilted bool) int64 {
	if tilted {
		return 2 * int64(r.W) * int64(r.H)
	}
	return int64(r.W) * int64(r.H)
}
