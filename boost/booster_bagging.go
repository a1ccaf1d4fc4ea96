package boost

import (
	"context"
	"fmt"
	"sort"
)

// Bagging is the baseline: each weak learner is learned from rows sampled with
// replacement, by default as many as there are, and all have one vote.
//
// Breiman, Bagging predictors, Machine Learning 24 (1996).
type Bagging struct {
	// Share is the number of rows to sample, as a fraction of all. 0 means 1.
	// With fewer, weak learners differ more.
	Share float64
	// Criterion of the weak learner. The default is ZeroOne.
	Criterion Criterion
}

// Name returns "bagging".
func (*Bagging) Name() string { return "bagging" }

func (b *Bagging) begin(*state) error {
	if !(b.Share >= 0 && b.Share <= 10) {
		return fmt.Errorf("%w: Share %v, want 0 to 10", ErrSettings, b.Share)
	}
	return nil
}

func (b *Bagging) advance(ctx context.Context, st *state) (Status, error) {
	n := len(st.Base)
	cumulative := make([]float64, n)
	sum := 0.0
	for i, w := range st.Base {
		sum += w
		cumulative[i] = sum
	}
	drawn := make([]float64, n)
	r := st.Rand(2)
	draws := n
	if b.Share > 0 {
		draws = max(1, int(b.Share*float64(n)+0.5))
	}
	for range draws {
		u := r.Float64() * sum
		k := sort.Search(n-1, func(i int) bool { return cumulative[i] > u })
		drawn[k] += 1 / float64(draws)
	}
	copy(st.Weights, drawn)
	w, err := st.Find(ctx, query{Criterion: b.Criterion.or(ZeroOne), Leaf: Leaf{Kind: Majority}})
	if err != nil || w == nil {
		return NoEdge, err
	}
	st.Edge, _ = st.edge()
	st.Append(w, 1)
	return Going, nil
}
