package network

import (
	"cmp"
	"slices"
)

// suppress returns the boxes with a margin of at least threshold, and their margins, the
// best first, without those that overlap a better one by more than overlap.
func suppress(boxes []Box, margins []float64, threshold, overlap float64) (kept []Box, best []float64) {
	var order []int
	for i, m := range margins {
		if m >= threshold {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(margins[j], margins[i]) })
	for _, i := range order {
		if !slices.ContainsFunc(kept, func(b Box) bool { return b.IoU(boxes[i]) > overlap }) {
			kept, best = append(kept, boxes[i]), append(best, margins[i])
		}
	}
	return kept, best
}
