package network

import (
	"context"
	"runtime"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/par"
)

// score computes the outputs of a network for n unchanged squares, and calls done
// with those of each, from several goroutines.
func score(ctx context.Context, v *shape, m *numbers, sides float64, workers, n int, at func(i int) (*Photo, Box), done func(i int, outputs []float32)) error {
	type memory struct {
		pass *pass
		crop *cropper
	}
	return par.Each(ctx, (n+group-1)/group, workers, func(w *memory, task int) error {
		if w.pass == nil {
			w.pass, w.crop = newPass(v, group), newCropper(v.side)
		}
		from, size := task*group, v.side*v.side*planes
		count := min(group, n-from)
		for k := range count {
			photo, box := at(from + k)
			w.crop.plain(photo.Planes, box, sides, v.side)
			w.crop.put(w.pass.values[0][k*size:][:size], m)
		}
		w.pass.forward(m, count)
		for k := range count {
			done(from+k, w.pass.outputs()[k*v.outputs:][:v.outputs])
		}
		return nil
	}, nil)
}

// Evaluate returns what passes a step, of each photograph: the corrected boxes and
// margins of the candidates with at least its threshold, after suppression, the best
// first.
func Evaluate(ctx context.Context, photos []Photo, step *cascade.NetworkStep, workers int) ([][]Box, [][]float32, error) {
	v, err := shapeOf(step)
	if err != nil {
		return nil, nil, err
	}
	if err := step.Check(); err != nil {
		return nil, nil, err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var at []example
	for p, photo := range photos {
		for i := range photo.Candidates {
			at = append(at, example{photo: int32(p), index: int32(i)})
		}
	}
	boxes, margins := make([]Box, len(at)), make([]float32, len(at))
	err = score(ctx, v, numbersOf(v, step), step.Sides, workers, len(at), func(i int) (*Photo, Box) {
		photo := &photos[at[i].photo]
		return photo, photo.Candidates[at[i].index]
	}, func(i int, outputs []float32) {
		boxes[i], margins[i] = photos[at[i].photo].Candidates[at[i].index], outputs[0]
		if len(outputs) >= 5 {
			boxes[i] = boxes[i].corrected([4]float64{float64(outputs[1]), float64(outputs[2]), float64(outputs[3]), float64(outputs[4])})
		}
	})
	if err != nil {
		return nil, nil, err
	}
	passed, scores := make([][]Box, len(photos)), make([][]float32, len(photos))
	first := 0
	for p, photo := range photos {
		next := first + len(photo.Candidates)
		passed[p], scores[p] = suppress(boxes[first:next], margins[first:next], step.Threshold, step.Overlap)
		first = next
	}
	return passed, scores, nil
}

// Survivors returns the photographs with what passes a step as their candidates; see
// [Evaluate].
func Survivors(ctx context.Context, photos []Photo, step *cascade.NetworkStep, workers int) ([]Photo, error) {
	passed, _, err := Evaluate(ctx, photos, step, workers)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(photos)
	for p := range out {
		out[p].Candidates = passed[p]
	}
	return out, nil
}
