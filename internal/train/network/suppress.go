package network

import (
	"cmp"
	"slices"
)

// suppress returns the candidates that no better one overlaps by more than that share of
// the union of both, the best first.
func suppress(all []Candidate, overlap float64) []Candidate {
	slices.SortStableFunc(all, func(a, b Candidate) int {
		left := func(x Box) float64 { return x.X - x.Width/2 }
		top := func(x Box) float64 { return x.Y - x.Height/2 }
		return cmp.Or(
			cmp.Compare(b.Margin, a.Margin), cmp.Compare(top(a.Box), top(b.Box)), cmp.Compare(left(a.Box), left(b.Box)),
			cmp.Compare(a.Box.Width, b.Box.Width),
		)
	})
	if overlap >= 1 {
		return all
	}
	var kept []Candidate
	for _, c := range all {
		if !slices.ContainsFunc(kept, func(k Candidate) bool { return k.Box.IoU(c.Box) > overlap }) {
			kept = append(kept, c)
		}
	}
	return kept
}
