package boost

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
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
	draws := n
	if b.Share > 0 {
		draws = max(1, int(b.Share*float64(n)+0.5))
	}
	drawn := make([]float64, n)
	draw(st.Rand(2), st.Base, draws, func(i int) { drawn[i] += 1 / float64(draws) })
	copy(st.Weights, drawn)
	w, err := st.Find(ctx, query{Criterion: cmp.Or(b.Criterion, ZeroOne), Leaf: Leaf{Kind: Majority}})
	if err != nil || w == nil {
		return NoEdge, err
	}
	st.Edge, _ = st.edge()
	st.Append(w, 1)
	return Going, nil
}

// draw calls f for n rows that are drawn with replacement, by their chances.
func draw(random *rand.Rand, chance []float64, n int, f func(row int)) {
	cumulative := make([]float64, len(chance))
	sum, last := 0.0, 0
	for i, p := range chance {
		sum += p
		cumulative[i] = sum
		if p > 0 {
			last = i
		}
	}
	for range n {
		u := random.Float64() * sum
		// u may round up to sum: that is the last row that can come at all.
		f(sort.Search(last, func(i int) bool { return cumulative[i] > u }))
	}
}
