package network

import (
	"cmp"
	"context"
	"image"
	"slices"

	"haarlem/internal/nms"
)

// suppress returns the candidates, whose edges are on pixels, that no better one overlaps
// by more than that share of the union of both, the best first.
func suppress(ctx context.Context, all []Candidate, overlap float64) ([]Candidate, error) {
	slices.SortStableFunc(all, func(a, b Candidate) int {
		p, q := a.Box.rectangle(), b.Box.rectangle()
		return cmp.Or(
			cmp.Compare(b.Margin, a.Margin), cmp.Compare(p.Min.Y, q.Min.Y), cmp.Compare(p.Min.X, q.Min.X), cmp.Compare(p.Dx(), q.Dx()),
		)
	})
	if overlap >= 1 {
		return all, nil
	}
	boxes := make([]image.Rectangle, len(all))
	for i := range all {
		boxes[i] = all[i].Box.rectangle()
	}
	var s nms.Suppressor
	kept, err := s.Keep(ctx, boxes, nms.More(overlap))
	for n, i := range kept {
		all[n] = all[i]
	}
	return all[:len(kept)], err
}
