package detector

import (
	"cmp"
	"context"
	"image"

	"haarlem/internal/longsort"
	"haarlem/internal/nms"
)

// better orders detections by score, best first, and ties by position.
func better(a, b Detection) int {
	return cmp.Or(
		cmp.Compare(b.Score, a.Score),
		cmp.Compare(b.Neighbors, a.Neighbors),
		cmp.Compare(a.Box.Min.Y, b.Box.Min.Y),
		cmp.Compare(a.Box.Min.X, b.Box.Min.X),
		cmp.Compare(a.Box.Dx(), b.Box.Dx()),
	)
}

// A ranking is the memory for sorting detections and for non-maximum suppression.
type ranking struct {
	buf   []Detection
	boxes []image.Rectangle
	nms   nms.Suppressor
}

// sort puts ds in order, best first.
func (r *ranking) sort(ctx context.Context, ds []Detection) (err error) {
	r.buf, err = longsort.Stable(ctx, ds, r.buf, better)
	return err
}

// suppress drops detections of dst[from:] that overlap a better one by half.
func (r *ranking) suppress(ctx context.Context, dst []Detection, from int) ([]Detection, error) {
	all := dst[from:]
	if err := r.sort(ctx, all); err != nil {
		return dst, err
	}
	r.boxes = r.boxes[:0]
	for i := range all {
		r.boxes = append(r.boxes, all[i].Box)
	}
	kept, err := r.nms.Keep(ctx, r.boxes, nms.Half{})
	if err != nil {
		return dst, err
	}
	for n, i := range kept {
		all[n] = all[i]
	}
	return dst[:from+len(kept)], nil
}
