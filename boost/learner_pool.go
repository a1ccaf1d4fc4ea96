package boost

import (
	"context"
	"fmt"
	"math"
)

// pool searches a list of weak learners whose outputs are stored.
type pool struct {
	data    *Data
	weak    []Weak
	outputs [][]float64
	top     []float64 // largest magnitude of each, of rows with weight
	workers engine    // for parallel alone
	score   []float64
}

func preparePool(weak []Weak, p *Problem, s *Settings) (searcher, error) {
	if len(p.Data.Columns) == 0 {
		return nil, fmt.Errorf("%w: functions need Data.Columns", ErrSettings)
	}
	f := &pool{data: p.Data, weak: weak, outputs: make([][]float64, len(weak)), top: make([]float64, len(weak)), score: make([]float64, len(weak))}
	f.workers.workers = s.Workers
	for k, w := range weak {
		f.outputs[k] = make([]float64, p.Data.Rows())
		outputs(w, p.Data, f.outputs[k])
		for i, h := range f.outputs[k] {
			if h-h != 0 {
				return nil, fmt.Errorf("%w: function %d is %v for row %d", ErrSettings, k, h, i)
			}
		}
		for i, h := range f.outputs[k] {
			if p.Data.weighs(i) {
				f.top[k] = max(f.top[k], math.Abs(h))
			}
		}
	}
	return f, nil
}

func (f *pool) Find(ctx context.Context, q *query) (Weak, error) {
	squares := q.Criterion == LeastSquares
	sums := func(k int) (hz, hh float64) {
		out := f.outputs[k]
		if q.Rows == nil {
			for i, h := range out {
				hz += float64(q.Weights[i] * q.Targets[i] * h)
				hh += float64(q.Weights[i] * h * h)
			}
			return hz, hh
		}
		for _, r := range q.Rows {
			h := out[r]
			hz += float64(q.Weights[r] * q.Targets[r] * h)
			hh += float64(q.Weights[r] * h * h)
		}
		return hz, hh
	}
	err := f.workers.parallel(ctx, len(f.weak), 1, len(f.weak)*len(q.Weights), func(_, k, _ int) {
		hz, hh := sums(k)
		switch {
		case f.top[k] == 0 || hh == 0:
			f.score[k] = 0
		case squares:
			f.score[k] = hz * (hz / hh)
		default:
			f.score[k] = math.Abs(hz) / f.top[k]
		}
	})
	if err != nil {
		return nil, err
	}
	best := 0
	for k, s := range f.score {
		if s > f.score[best] {
			best = k
		}
	}
	if !(f.score[best] > 0) {
		return nil, nil
	}
	w := f.weak[best]
	if squares {
		hz, hh := sums(best)
		return &Scaled{Factor: hz / hh, Of: w}, nil
	}
	return w, nil
}

func (f *pool) Outputs(w Weak, out []float64) error {
	factor := 1.0
	of := w
	if s, ok := w.(*Scaled); ok {
		factor, of = s.Factor, s.Of
	}
	for k := range f.weak {
		if f.weak[k] == of {
			for i, h := range f.outputs[k] {
				out[i] = factor * h
			}
			return nil
		}
	}
	outputs(w, f.data, out)
	return nil
}
