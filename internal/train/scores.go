package train

import (
	"context"
	"image"
	"slices"

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
	return scores, t.outputs(ctx, windows, 0, func(i int, outputs []float32) { scores[i] = sum(0, outputs) })
}

// outputs computes the outputs for each window of the cascade's weak classifiers from
// number from on; nil for a window without contrast. use may be called by several
// goroutines at once, and must not keep the outputs.
func (t *trainer) outputs(ctx context.Context, windows []*image.Gray, from int, use func(i int, outputs []float32)) error {
	if from == len(t.c.Weak) {
		return nil
	}
	return t.outputsOf(ctx, t.c, windows, from, use)
}

// outputsOf is outputs for any cascade.
func (t *trainer) outputsOf(ctx context.Context, of *cascade.Cascade, windows []*image.Gray, from int, use func(i int, outputs []float32)) error {
	c := *of
	c.Exits = []cascade.Exit{{After: len(c.Weak)}}
	a, err := engine.NewOutputs(&c)
	if err != nil {
		return err
	}
	return par.Chunks(ctx, len(windows), 64, t.s.Workers, func(lo, hi int) {
		all := make([]float32, 0, len(c.Weak)-from)
		for i := lo; i < hi; i++ {
			if out, ok := a.Append(all, windows[i], from); ok {
				use(i, out)
			} else {
				use(i, nil)
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

// leaves are which leaf each window reaches, for some weak classifiers: a byte for
// each, since a training keeps those of all its weak classifiers.
type leaves [][]uint8

func newLeaves(weak, windows int) leaves {
	l := make(leaves, weak)
	for k := range l {
		l[k] = make([]uint8, windows)
	}
	return l
}

// set notes the outputs for window i.
func (l leaves) set(i int, weak []cascade.Weak, outputs []float32) {
	for k, v := range outputs {
		l[k][i] = uint8(slices.Index(weak[k].Leaves, v))
	}
}

// A standing holds the scores of all windows after the step's weak classifiers.
type standing struct {
	windows   []float64 // running scores
	negatives []float64
	flat      []bool // negatives without contrast

	// Soft: of the step's weak classifiers.
	leaves, negativeLeaves leaves
}

func (t *trainer) evaluate(ctx context.Context) (*standing, error) {
	st := &standing{windows: make([]float64, len(t.windows)), negatives: make([]float64, len(t.negatives)), flat: make([]bool, len(t.negatives))}
	weak := t.c.Weak[t.from:]
	if t.s.Shape == Soft {
		st.leaves, st.negativeLeaves = newLeaves(len(weak), len(t.windows)), newLeaves(len(weak), len(t.negatives))
	}
	err := t.outputs(ctx, t.windows, t.from, func(i int, outputs []float32) {
		st.windows[i] = sum(t.score[i], outputs)
		if outputs == nil {
			t.alive[i] = false // no contrast
		}
		if st.leaves != nil {
			st.leaves.set(i, weak, outputs)
		}
	})
	if err != nil {
		return nil, err
	}
	return st, t.outputs(ctx, t.negativeWindows(), t.from, func(i int, outputs []float32) {
		st.negatives[i] = sum(t.negatives[i].score, outputs)
		st.flat[i] = outputs == nil
		if st.negativeLeaves != nil {
			st.negativeLeaves.set(i, weak, outputs)
		}
	})
}
