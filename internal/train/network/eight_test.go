package network

import (
	"context"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// A training that begins with a network begins with what it computes: the weights are
// those of before when they become integers again.
func TestBegin(t *testing.T) {
	s := quick()
	s.Iterations = 150
	first := must.Get(Train(context.Background(), scenes(4), s, nil))
	v := must.Get(shapeOf(&first.Step))
	parameters := make([]float32, v.parameters)
	floats(parameters, v, &first.Step)
	ranges := make([][]float32, len(v.layers))
	for i := range v.layers {
		ranges[i] = slices.Repeat([]float32{maxActivation * inputScale}, v.layers[i].toChannels)
	}
	e := newEight(v, ranges)
	e.quantize(parameters)
	again := e.step(&first.Step)
	for i, was := range first.Step.Layers {
		is := again.Layers[i]
		for k, w := range was.Weights {
			o := k * len(was.Bias) / len(was.Weights)
			have, want := float64(is.Weights[k]), float64(w)
			if was.Shift != nil {
				have, want = have/float64(int(1)<<is.Shift[o]), want/float64(int(1)<<was.Shift[o])
			} else {
				have, want = have*again.Scales[o], want*first.Step.Scales[o]
			}
			if d := have - want; d > 1e-3*max(want, -want) || -d > 1e-3*max(want, -want) {
				t.Fatalf("layer %d, weight %d: %v, was %v", i, k, have, want)
			}
		}
	}

	s.Step, s.Iterations, s.Rate, s.Seed = first.Step, 4, 1e-6, 4
	second := must.Get(Train(context.Background(), scenes(4), s, nil))
	if first.Final.Label > 0.6 || second.Float.Label > 1.1*first.Final.Label {
		t.Errorf("the loss is %v at the beginning, was %v at the end before", second.Float.Label, first.Final.Label)
	}
}
