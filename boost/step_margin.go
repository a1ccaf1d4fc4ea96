package boost

import (
	"context"
	"fmt"
	"math"
)

func checkNu(nu float64) error {
	if !(nu >= 0 && nu < 1) {
		return fmt.Errorf("%w: Nu %v, want 0 or more, less than 1", ErrSettings, nu)
	}
	return nil
}

// signed finds a weak learner for the margin boosters, scales its outputs to
// magnitude 1, and returns its edge.
func (st *state) signed(ctx context.Context) (Weak, float64, error) {
	w, err := st.Find(ctx, query{Criterion: ZeroOne, Leaf: Leaf{Kind: Majority}})
	if err != nil || w == nil {
		return nil, 0, err
	}
	if w, err = st.bounded(w); err != nil {
		return nil, 0, err
	}
	edge, top := st.edge()
	if top > 1 {
		return nil, 0, fmt.Errorf("%w: a %T has values beyond -1 and +1", ErrSettings, w)
	}
	st.Edge = edge
	// A given function may be wrong more often than right: its negative counts.
	if edge < 0 {
		if l, ok := w.(leafy); ok {
			w = l.mapLeaves(func(v float64) float64 { return -v })
		} else {
			w = &Scaled{Factor: -1, Of: w}
		}
		for i := range st.Out {
			st.Out[i] = -st.Out[i]
		}
		edge = -edge
		st.Edge = edge
	}
	return w, edge, nil
}

// marginStep appends w with the coefficient for the margin goal rho. A weak
// learner without error becomes the whole model.
func (st *state) marginStep(w Weak, edge, rho float64) (Status, error) {
	perfect := edge > 1-tiny && st.perfect()
	rho = max(rho, -1+tiny)
	a := coefficient(edge) - coefficient(rho)
	if perfect {
		a = coefficient(1)
	}
	if !(a > 0) {
		return NoEdge, nil
	}
	if perfect && len(st.Model.Terms) > 0 {
		// Its margin is 1, and others would only lower it: the paper's model is
		// this term alone.
		if err := st.restart(); err != nil {
			return Stopped, err
		}
	}
	c := a * st.settings.Shrinkage
	st.Z = st.shift(c)
	st.Append(w, a)
	for i, h := range st.Out {
		st.Weights[i] *= exp(-c * st.Labels[i] * h)
	}
	normalise(st.Weights)
	if perfect {
		return Separated, nil
	}
	return Going, nil
}

// margin returns the smallest y F / sum |coef| over rows that have weight.
func (st *state) margin() float64 {
	total := 0.0
	for _, t := range st.Model.Terms {
		total += math.Abs(t.Coef)
	}
	if total == 0 {
		return -1
	}
	smallest := math.Inf(1)
	for i, s := range st.Scores {
		if st.Base[i] > 0 {
			smallest = min(smallest, float64(st.Labels[i]*s)/total)
		}
	}
	return smallest
}
