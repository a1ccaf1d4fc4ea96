package track

import (
	"cmp"
	"context"
	"image"
	"slices"

	"haarlem/cascade/detector"
	"haarlem/internal/nms"
)

// Overlap is the area that two boxes share, by the area that they cover
// together: 1 for equal boxes, 0 for boxes that do not touch.
func Overlap(a, b image.Rectangle) float64 { return nms.Overlap(a, b) }

func area(r image.Rectangle) int64 { return int64(r.Dx()) * int64(r.Dy()) }

// Distinct returns found without the boxes that overlap a better one by more
// than limit. It is for searches of areas that overlap, which find a face more
// than once. It sorts found, best first, and returns a part of it.
func Distinct(found []detector.Detection, limit float64) []detector.Detection {
	slices.SortStableFunc(found, func(a, b detector.Detection) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Neighbors, a.Neighbors))
	})
	boxes := make([]image.Rectangle, len(found))
	for i := range found {
		boxes[i] = found[i].Box
	}
	var s nms.Suppressor
	// Without a context that ends, there is no error.
	kept, _ := s.Keep(context.Background(), boxes, nms.More(limit))
	for n, i := range kept {
		found[n] = found[i]
	}
	return found[:len(kept)]
}
