package boost

import (
	"context"
	"fmt"
	"math"
)

// A Func is any function as a weak learner. It cannot be saved.
type Func struct {
	Name string
	F    func(x []float64) float64
}

// Value returns F(x).
func (f *Func) Value(x []float64) float64 { return f.F(x) }

// Columns returns nil: a Func may look at all.
func (*Func) Columns() []int { return nil }

// A Coordinate is a column as it stands, times a factor; 0 for missing values.
type Coordinate struct {
	Column int
	Factor float64
}

// Value returns Factor times the column's value.
func (c *Coordinate) Value(x []float64) float64 {
	if v := x[c.Column]; v == v {
		return c.Factor * v
	}
	return 0
}

// Columns returns the coordinate's column.
func (c *Coordinate) Columns() []int { return []int{c.Column} }

// A Scaled is another weak learner times a factor.
type Scaled struct {
	Factor float64
	Of     Weak
}

// Value returns Factor times the value of Of.
func (s *Scaled) Value(x []float64) float64 { return s.Factor * s.Of.Value(x) }

// Columns returns the columns of Of.
func (s *Scaled) Columns() []int { return s.Of.Columns() }

// Functions are the functions that you give. A function with a negative edge
// comes in with a negative coefficient; for a booster that fits by least
// squares, with the factor that fits best.
type Functions struct {
	List []*Func
}

// Name returns "functions".
func (*Functions) Name() string { return "functions" }

// Prepare evaluates the functions on all rows.
func (l *Functions) Prepare(p *Problem, s *Settings) (Search, error) {
	if len(l.List) == 0 {
		return nil, fmt.Errorf("%w: Functions has none", ErrSettings)
	}
	weak := make([]Weak, len(l.List))
	for k, f := range l.List {
		weak[k] = f
	}
	return preparePool(weak, p, s)
}

// Coordinates are the columns themselves, each divided by its largest
// magnitude, and the constant 1: what a linear model is boosted from.
type Coordinates struct{}

// Name returns "coordinates".
func (Coordinates) Name() string { return "coordinates" }

// Prepare finds the largest magnitudes.
func (Coordinates) Prepare(p *Problem, s *Settings) (Search, error) {
	var weak []Weak
	for j, c := range p.Data.Columns {
		top := 0.0
		for _, v := range c {
			if v == v {
				top = max(top, math.Abs(v))
			}
		}
		if top > 0 {
			weak = append(weak, &Coordinate{Column: j, Factor: 1 / top})
		}
	}
	weak = append(weak, &Tree{Leaves: []float64{1}})
	return preparePool(weak, p, s)
}

// pool searches a list of weak learners whose outputs are kept.
type pool struct {
	data    *Data
	weak    []Weak
	outputs [][]float64
	top     []float64 // largest magnitude of each
	workers engine    // for parallel alone
	score   []float64
}

func preparePool(weak []Weak, p *Problem, s *Settings) (Search, error) {
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
		f.top[k] = largest(f.outputs[k])
	}
	return f, nil
}

func (f *pool) Find(ctx context.Context, q *Query) (Weak, error) {
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
