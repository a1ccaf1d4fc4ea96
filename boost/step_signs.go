package boost

import (
	"context"
	"fmt"
	"math"
)

// signStep appends a weak learner with outputs -1 and +1, with a coefficient
// that is a function of its edge.
func (st *state) signStep(ctx context.Context, name string, coef func(edge float64) float64) (Status, error) {
	w, err := st.Find(ctx, query{Criterion: ZeroOne, Leaf: Leaf{Kind: Majority}})
	if err != nil || w == nil {
		return NoEdge, err
	}
	if err := st.mustBeSigns(name); err != nil {
		return Stopped, err
	}
	st.Edge, _ = st.edge()
	if math.Abs(st.Edge) < tiny {
		return NoEdge, nil
	}
	st.Append(w, coef(st.Edge))
	if st.Edge > 1-tiny && st.perfect() {
		return st.separated(), nil
	}
	return Going, nil
}

// exponents sets the weights to Base exp(f(i)), normalised, and returns their sum
// before that.
func (st *state) exponents(f func(i int) float64) float64 {
	top := math.Inf(-1)
	for i, b := range st.Base {
		if b > 0 {
			st.Weights[i] = log(b) + f(i)
			top = max(top, st.Weights[i])
		}
	}
	for i, b := range st.Base {
		if b > 0 {
			st.Weights[i] = exp(st.Weights[i] - top)
		} else {
			st.Weights[i] = 0
		}
	}
	return exp(log(normalise(st.Weights)) + top)
}

// mustBeSigns returns an error unless all outputs are -1 or +1.
func (st *state) mustBeSigns(name string) error {
	for i, h := range st.Out {
		if h != 1 && h != -1 {
			return fmt.Errorf("%w: %s needs weak learners that say -1 or +1; row %d got %v", ErrSettings, name, i, h)
		}
	}
	return nil
}
