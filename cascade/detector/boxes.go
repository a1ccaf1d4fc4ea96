package detector

import (
	"image"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// mostMoved is the largest movement of an edge, in sides.
const mostMoved = 1

// A boxFit is [cascade.Boxes] compiled, in the order of its fields.
type boxFit [4][]verifierTree

// compileBoxes compiles b, which may be nil.
func compileBoxes(b *cascade.Boxes) *boxFit {
	if b == nil {
		return nil
	}
	return &boxFit{compileTrees(b.Left), compileTrees(b.Top), compileTrees(b.Right), compileTrees(b.Bottom)}
}

// apply returns the corrected box, or the box itself if the corrected one is empty.
func (f *boxFit) apply(box image.Rectangle, seen *appearance) image.Rectangle {
	var sum, mirrored [4]float64
	for i, trees := range f {
		sum[i], mirrored[i] = seen.sumTrees(trees)
	}
	side := float64(box.Dx()+box.Dy()) / 2
	moved := func(edge, i int, mirrored float64) int {
		by := min(max(seen.mean(sum[i], mirrored), -mostMoved), mostMoved)
		return edge + engine.Round(float64(side*by))
	}
	// In a mirror, the left edge is the right one and moves the other way.
	r := image.Rectangle{
		Min: image.Pt(moved(box.Min.X, 0, -mirrored[2]), moved(box.Min.Y, 1, mirrored[1])),
		Max: image.Pt(moved(box.Max.X, 2, -mirrored[0]), moved(box.Max.Y, 3, mirrored[3])),
	}
	if r.Empty() {
		return box
	}
	return r
}
