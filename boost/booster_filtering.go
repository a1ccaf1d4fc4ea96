package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// Filtering is the first boosting algorithm: three weak learners vote. The
// first learns from rows of the original distribution, the second from rows of
// which the first gets half right, the third from rows on which the two
// disagree; each of the three may be made recursively in the same way. Every
// weak learner gets rows of its own, sampled with replacement through the
// filters above it. A run takes one round, whatever Settings.Rounds.
//
// The paper waits for rows that pass a filter. Here the rows are a table, so
// the probability of each is known, and rows are sampled with these
// probabilities: the same distribution, without the wait. For the same reason
// the errors that decide whether to continue are exact instead of estimated.
//
// Schapire, The strength of weak learnability, Machine Learning 5 (1990).
type Filtering struct {
	// Depth is how often the construction is nested, 1 to 8; there are
	// 3^Depth weak learners. 0 means 2.
	Depth int
	// Sample is the number of rows for each weak learner. 0 means as many as
	// the table has.
	Sample int
}

// Name returns "filtering".
func (*Filtering) Name() string { return "filtering" }

func (b *Filtering) begin(st *state) error {
	if b.Depth < 0 || b.Depth > 8 {
		return fmt.Errorf("%w: Depth %d, want 0 to 8", ErrSettings, b.Depth)
	}
	if b.Sample < 0 || b.Sample > maxSample {
		return fmt.Errorf("%w: Sample %d, want 0 to %d", ErrSettings, b.Sample, maxSample)
	}
	return nil
}

// maxSample bounds the time of a mistyped Sample.
const maxSample = 1 << 30

func (b *Filtering) advance(ctx context.Context, st *state) (Status, error) {
	f := filter{st: st, random: st.Rand(2), sample: cmp.Or(b.Sample, len(st.Base))}
	w, err := f.learn(ctx, st.Base, cmp.Or(b.Depth, 2))
	if err != nil || w == nil {
		return NoEdge, err
	}
	if err := st.Outputs(w, st.Out); err != nil {
		return Stopped, err
	}
	copy(st.Weights, st.Base)
	st.Edge, _ = st.edge()
	if math.Abs(st.Edge) < tiny {
		return NoEdge, nil
	}
	st.Append(w, 1)
	if st.perfect() {
		return Separated, nil
	}
	return GoalMet, nil
}

// A filter makes the hypotheses of one run. All of them draw from one source, in
// an order that only the table and the settings decide.
type filter struct {
	st     *state
	random *rand.Rand
	sample int
}

// learn makes the hypothesis of a depth for rows that come with the given
// probabilities.
func (f *filter) learn(ctx context.Context, chance []float64, depth int) (Weak, error) {
	st, n := f.st, len(chance)
	if depth == 0 {
		w, err := st.Find(ctx, query{Weights: f.draw(chance), Criterion: ZeroOne, Leaf: Leaf{Kind: Majority}})
		if w != nil && st.mustBeSigns("") != nil {
			w = &vote{Terms: []Term{{1, w}}} // its sign counts
		}
		return w, err
	}
	first, err := f.learn(ctx, chance, depth-1)
	if err != nil || first == nil {
		return nil, err
	}
	h1, h2 := make([]float64, n), make([]float64, n)
	if err := st.Outputs(first, h1); err != nil {
		return nil, err
	}
	right := func(i int) int {
		if h1[i]*st.Labels[i] > 0 {
			return 1
		}
		return 0
	}
	var sums [2]float64 // of rows that are wrong, and right
	for i := range h1 {
		sums[right(i)] += chance[i]
	}
	if sums[0] < tiny || sums[1] < tiny {
		return first, nil // one side of the coin would wait forever
	}
	// A coin decides whether to wait for a row that the first gets right.
	passes := make([]float64, n)
	for i := range h1 {
		passes[i] = chance[i] / (2 * sums[right(i)])
	}
	second, err := f.learn(ctx, passes, depth-1)
	if err != nil || second == nil {
		return first, err
	}
	if err := st.Outputs(second, h2); err != nil {
		return nil, err
	}
	sum := 0.0
	for i := range passes {
		passes[i] = 0
		if (h1[i] < 0) != (h2[i] < 0) {
			passes[i] = chance[i]
			sum += chance[i]
		}
	}
	if sum < tiny {
		return first, nil // the two always agree
	}
	normalise(passes)
	third, err := f.learn(ctx, passes, depth-1)
	if err != nil || third == nil {
		return first, err
	}
	return &vote{Terms: []Term{{1, first}, {1, second}, {1, third}}}, nil
}

// draw draws rows with replacement and returns how often each came, as a share.
func (f *filter) draw(chance []float64) []float64 {
	drawn := make([]float64, len(chance))
	draw(f.random, chance, f.sample, func(i int) { drawn[i]++ })
	for i := range drawn {
		drawn[i] /= float64(f.sample)
	}
	return drawn
}
