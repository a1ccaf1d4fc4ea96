package track

import (
	"image"
	"slices"

	"haarlem/cascade"
)

// Overlap is the area that two boxes share, by the area that they cover
// together: 1 for equal boxes, 0 for boxes that do not touch.
func Overlap(a, b image.Rectangle) float64 {
	both := area(a.Intersect(b))
	if both == 0 {
		return 0
	}
	return float64(both) / float64(area(a)+area(b)-both)
}

func area(r image.Rectangle) int64 { return int64(r.Dx()) * int64(r.Dy()) }

// Distinct returns found without the boxes that overlap a better one by more
// than limit. It is for searches of areas that overlap, which find a face more
// than once. It sorts found, best first, and returns a part of it.
func Distinct(found []cascade.Detection, limit float64) []cascade.Detection {
	slices.SortStableFunc(found, func(a, b cascade.Detection) int {
		switch {
		case a.Score != b.Score:
			if a.Score > b.Score {
				return -1
			}
			return 1
		default:
			return b.Neighbors - a.Neighbors
		}
	})
	kept := found[:0]
	for _, f := range found {
		if !slices.ContainsFunc(kept, func(k cascade.Detection) bool { return Overlap(k.Box, f.Box) > limit }) {
			kept = append(kept, f)
		}
	}
	return kept
}
