package cascade

import "haarlem/haar"

// pieceArea is how many pixels a rectangle may have whose sum is certain to fit
// into the 16 bits of a sum table. Larger ones are cut into pieces.
const pieceArea = 65535 / 255

// piecesOf returns about how many pieces there are in so many pixels.
func piecesOf(pixels int64) int { return int(pixels/pieceArea) + 1 }

// Work returns about how dear the cascade is for a window that passes all exits:
// how many rectangles, or pieces of large ones, all its nodes and histograms ask
// for. Features that nobody asks for count once. [Limits] bounds it.
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

// pixels returns how many pixels r covers.
func pixels(r haar.Rect, tilted bool) int64 {
	if tilted {
		return 2 * int64(r.W) * int64(r.H)
	}
	return int64(r.W) * int64(r.H)
}
