package inspect

import (
	"image"

	"haarlem/cascade"
	"haarlem/haar"
)

// Weights returns the weight in f of each pixel of a window of the given size, row by
// row: the sum over the rectangles that cover it.
func Weights(f *haar.Feature, width, height int) []float32 {
	all := make([]float32, width*height)
	for _, r := range f.Rects[:f.Count()] {
		x0, y0, x1, y1 := r.Bounds(f.Tilted)
		for y := max(y0, 0); y < min(y1, int32(height)); y++ {
			for x := max(x0, 0); x < min(x1, int32(width)); x++ {
				if !f.Tilted {
					all[int(y)*width+int(x)] += r.Weight
				} else if n := tiltedCount(r, x, y); n != 0 {
					all[int(y)*width+int(x)] += float32(n) * r.Weight
				}
			}
		}
	}
	return all
}

// tiltedCount is the number of times that the tilted rectangle r counts a
// pixel, as a sum of the triangles above its four corners; see package internal/tiles.
func tiltedCount(r haar.Rect, x, y int32) int {
	in := func(cx, cy int32) int {
		d := x - cx + 1
		if y < cy && max(d, -d) <= cy-y-1 {
			return 1
		}
		return 0
	}
	return in(r.X, r.Y) - in(r.X-r.H, r.Y+r.H) - in(r.X+r.W, r.Y+r.W) + in(r.X+r.W-r.H, r.Y+r.W+r.H)
}

// cellWeights is Weights for local binary patterns: the middle one of the 3x3
// cells counts 1, and the eight that are compared with it -1.
func cellWeights(cell image.Rectangle, width, height int) []float32 {
	all := make([]float32, width*height)
	w, h := cell.Dx(), cell.Dy()
	for y := range 3 * h {
		for x := range 3 * w {
			v := float32(-1)
			if x/w == 1 && y/h == 1 {
				v = 1
			}
			all[(cell.Min.Y+y)*width+cell.Min.X+x] = v
		}
	}
	return all
}

// weightsOf returns the pixels' weights in feature i of c.
func weightsOf(c *cascade.Cascade, i int32) []float32 {
	if c.Kind == cascade.LBP {
		return cellWeights(c.Cells[i], c.Width, c.Height)
	}
	return Weights(&c.Features[i], c.Width, c.Height)
}

// featuresOf returns the features of a weak classifier, in the order of its nodes.
func featuresOf(w *cascade.Weak) []int32 {
	if w.Histogram() {
		return []int32{w.Feature}
	}
	all := make([]int32, len(w.Nodes))
	for i := range w.Nodes {
		all[i] = w.Nodes[i].Feature
	}
	return all
}
