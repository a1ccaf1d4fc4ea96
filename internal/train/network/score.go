package network

import (
	"context"

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

// Survivors returns the photographs with the candidates that pass a step: those of
// at least its threshold, with corrected boxes, after suppression, the best first.
func Survivors(ctx context.Context, photos []Photo, step *cascade.NetworkStep, workers int) ([]Photo, error) {
	v, err := shapeOf(step)
	if err != nil {
		return nil, err
	}
	if err := step.Check(); err != nil {
		return nil, err
	}
	m := numbersOf(v, step)
	var at []example
	for p, photo := range photos {
		for i := range photo.Candidates {
			at = append(at, example{photo: int32(p), index: int32(i)})
		}
	}
	boxes, margins := make([]Box, len(at)), make([]float32, len(at))
	err = score(ctx, v, m, step.Sides, workers, len(at), func(i int) (*Photo, Box) {
		photo := &photos[at[i].photo]
		return photo, photo.Candidates[at[i].index]
	}, func(i int, outputs []float32) {
		boxes[i], margins[i] = photos[at[i].photo].Candidates[at[i].index], outputs[0]
		if len(outputs) >= 5 {
			boxes[i] = boxes[i].corrected([4]float64{float64(outputs[1]), float64(outputs[2]), float64(outputs[3]), float64(outputs[4])})
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]Photo, len(photos))
	first := 0
	for p, photo := range photos {
		next := first + len(photo.Candidates)
		photo.Candidates = suppress(boxes[first:next], margins[first:next], step.Threshold, step.Overlap)
		out[p], first = photo, next
	}
	return out, nil
}
