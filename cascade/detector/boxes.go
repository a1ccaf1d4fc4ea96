package detector

import (
	"image"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// mostMoved is how far an edge may move, in sides; what trees say beyond that
// does not count.
const mostMoved = 1

// A boxFit is [cascade.Boxes] compiled, in the order of its fields.
type boxFit [4][]verifierTree

// compileBoxes returns nil for no boxes.
func compileBoxes(b *cascade.Boxes) *boxFit {
	if b == nil {
		return nil
	}
	return &boxFit{compileTrees(b.Left), compileTrees(b.Top), compileTrees(b.Right), compileTrees(b.Bottom)}
}

// apply returns the corrected box, or the box itself if nothing would be left of
// it.
func (f *boxFit) apply(box image.Rectangle, columns []int32) image.Rectangle {
	side := float64(box.Dx()+box.Dy()) / 2
	moved := func(edge int, trees []verifierTree) int {
		by := min(max(sumTrees(trees, columns), -mostMoved), mostMoved)
		return edge + engine.Round(float64(side*by))
	}
	r := image.Rectangle{
		Min: image.Pt(moved(box.Min.X, f[0]), moved(box.Min.Y, f[1])),
		Max: image.Pt(moved(box.Max.X, f[2]), moved(box.Max.Y, f[3])),
	}
	if r.Empty() {
		return box
	}
	return r
}
