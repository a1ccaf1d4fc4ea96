package boost

import (
	"context"
	"sort"
)

// Bagging is the base line: each weak learner is learned from rows that are
// drawn with replacement, as many as there are, and all have one vote.
//
// Breiman, Bagging predictors, Machine Learning 24 (1996).
type Bagging struct {
	// Criterion of the weak learner. The default is ZeroOne.
	Criterion Criterion
}

// Name returns "bagging".
func (*Bagging) Name() string { return "bagging" }

// Init implements [Booster].
func (*Bagging) Init(*State) error { return nil }

// Round implements [Booster].
func (b *Bagging) Round(ctx context.Context, st *State) (Status, error) {
	n := len(st.Base)
	cumulative := make([]float64, n)
	sum := 0.0
	for i, w := range st.Base {
		sum += w
		cumulative[i] = sum
	}
	drawn := make([]float64, n)
	r := st.Lot(2)
	for range n {
		u := r.Float64() * sum
		k := sort.Search(n-1, func(i int) bool { return cumulative[i] > u })
		drawn[k] += 1 / float64(n)
	}
	copy(st.Weights, drawn)
	w, err := st.Find(ctx, Query{Criterion: b.Criterion.or(ZeroOne), Leaf: Leaf{Kind: Majority}})
	if err != nil || w == nil {
		return NoEdge, err
	}
	st.Edge, _ = st.edge()
	st.Append(w, 1)
	return Going, nil
}
