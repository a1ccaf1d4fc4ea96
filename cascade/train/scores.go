package train

import (
	"context"
	"image"

	"haarlem/cascade"
	"haarlem/internal/engine"
	"haarlem/internal/par"
)

// scores returns the running scores of windows after all weak classifiers. With
// classical stages they are zero, since each stage restarts.
func (t *trainer) scores(ctx context.Context, windows []*image.Gray) ([]float64, error) {
	scores := make([]float64, len(windows))
	if t.s.Shape == Staged {
		return scores, nil
	}
	outputs, err := t.outputsFrom(ctx, windows, 0)
	for i, a := range outputs {
		scores[i] = sum(0, a)
	}
	return scores, err
}

// outputsFrom returns the outputs for each window of the cascade's weak classifiers
// from number from on; nil for a window without contrast.
func (t *trainer) outputsFrom(ctx context.Context, windows []*image.Gray, from int) ([][]float32, error) {
	if from == len(t.c.Weak) {
		return make([][]float32, len(windows)), nil
	}
	return t.outputsOf(ctx, t.c, windows, from)
}

// outputsOf is outputsFrom for any cascade.
func (t *trainer) outputsOf(ctx context.Context, of *cascade.Cascade, windows []*image.Gray, from int) ([][]float32, error) {
	c := *of
	c.Exits = []cascade.Exit{{After: len(c.Weak)}}
	a, err := engine.NewOutputs(&c)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(windows))
	return out, par.Chunks(ctx, len(windows), 64, t.s.Workers, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if all, ok := a.Append(make([]float32, 0, len(c.Weak)-from), windows[i], from); ok {
				out[i] = all
			}
		}
	})
}

// sum adds outputs to a score.
func sum(score float64, outputs []float32) float64 {
	for _, a := range outputs {
		score += float64(a)
	}
	return score
}

// A standing holds the scores of all windows after the step's weak classifiers.
type standing struct {
	windows         []float64   // running scores
	outputs         [][]float32 // of the step, for each window
	negatives       []float64   // running scores
	negativeOutputs [][]float32
}

func (t *trainer) evaluate(ctx context.Context) (*standing, error) {
	st := &standing{windows: make([]float64, len(t.windows)), negatives: make([]float64, len(t.negatives))}
	var err error
	if st.outputs, err = t.outputsFrom(ctx, t.windows, t.from); err != nil {
		return nil, err
	}
	negatives := make([]*image.Gray, len(t.negatives))
	for i := range t.negatives {
		negatives[i] = t.negatives[i].Window
	}
	if st.negativeOutputs, err = t.outputsFrom(ctx, negatives, t.from); err != nil {
		return nil, err
	}
	for i := range st.windows {
		st.windows[i] = sum(t.score[i], st.outputs[i])
		if st.outputs[i] == nil {
			t.alive[i] = false // no contrast
		}
	}
	for i := range st.negatives {
		st.negatives[i] = sum(t.negatives[i].score, st.negativeOutputs[i])
	}
	return st, nil
}
