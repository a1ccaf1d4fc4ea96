package boost

import (
	"fmt"
	"math"
)

// bounded returns w with outputs divided by the largest magnitude, and puts
// them into st.Out. If the largest is infinite, infinite outputs become -1 and
// +1, and finite ones 0. A weak learner that cannot be rewritten must have
// finite outputs, and is unchanged.
func (st *state) bounded(w Weak) (Weak, error) {
	top := largest(st.Out)
	l, ok := w.(leafy)
	if !ok {
		if math.IsInf(top, 0) {
			return nil, fmt.Errorf("%w: a %T has infinite values", ErrSettings, w)
		}
		return w, nil
	}
	if top == 0 || top == 1 {
		return w, nil
	}
	w = l.mapLeaves(func(v float64) float64 { return over(v, top) })
	for i, h := range st.Out {
		st.Out[i] = over(h, top)
	}
	return w, nil
}

// leafy is a weak learner with a list of values that can be rewritten.
type leafy interface {
	mapLeaves(f func(float64) float64) Weak
}

// mapped returns f of some values.
func mapped(values []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return out
}

// over returns v/top within -1 and +1, and in the limit if top is infinite.
func over(v, top float64) float64 {
	if math.IsInf(top, 0) {
		switch {
		case math.IsInf(v, 1):
			return 1
		case math.IsInf(v, -1):
			return -1
		}
		return 0
	}
	return min(1, max(-1, v/top))
}
