package detector

import (
	"image"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// maxMoved is the largest movement of an edge, in sides.
const maxMoved = 1

// A boxFit is [cascade.Boxes] compiled, in the order of its fields.
type boxFit [4][]verifierTree

// compileBoxes compiles b, which may be nil.
func compileBoxes(b *cascade.Boxes) *boxFit {
	if b == nil {
		return nil
	}
	return &boxFit{compileTrees(b.Left), compileTrees(b.Top), compileTrees(b.Right), compileTrees(b.Bottom)}
}

// An appearance is what a verifier sees of an object.
type appearance struct{ columns, mirrored []int32 } // mirrored is nil: without the mirror image

// apply returns the corrected box, or the box itself if the corrected one is empty.
func (f *boxFit) apply(box image.Rectangle, seen *appearance) image.Rectangle {
	var by [4]float64
	for i, trees := range f {
		by[i] = sumTrees(trees, seen.columns)
	}
	if seen.mirrored != nil {
		// In a mirror, the left edge is the right one and moves the other way.
		for i, sign := range [...]float64{-1, 1, -1, 1} {
			other := f[i]
			if sign < 0 {
				other = f[2-i]
			}
			by[i] = (by[i] + float64(sign*sumTrees(other, seen.mirrored))) / 2
		}
	}
	side := float64(box.Dx()+box.Dy()) / 2
	moved := func(edge, i int) int {
		return edge + engine.Round(float64(side*min(max(by[i], -maxMoved), maxMoved)))
	}
	r := image.Rectangle{
		Min: image.Pt(moved(box.Min.X, 0), moved(box.Min.Y, 1)),
		Max: image.Pt(moved(box.Max.X, 2), moved(box.Max.Y, 3)),
	}
	if r.Empty() {
		return box
	}
	return r
}
