package boost

import (
	"context"
	"fmt"
	"math"
)

// Filtering is the first boosting algorithm: three weak learners vote. The
// second learns from rows of which the first gets half right, the third from
// those on which the two disagree; and each of the three may be made in the
// same way. The filters give weights to rows in place of drawing them. A run
// takes one round, whatever Settings.Rounds.
//
// Schapire, The strength of weak learnability, Machine Learning 5 (1990).
type Filtering struct {
	// Depth is how often the construction is nested, 1 to 8; there are
	// 3^Depth weak learners. 0 means 2.
	Depth int
}

// Name returns "filtering".
func (*Filtering) Name() string { return "filtering" }

// Init implements [Booster].
func (b *Filtering) Init(st *State) error {
	if b.Depth < 0 || b.Depth > 8 {
		return fmt.Errorf("%w: Depth %d, want 0 to 8", ErrSettings, b.Depth)
	}
	return nil
}

// Round implements [Booster].
func (b *Filtering) Round(ctx context.Context, st *State) (Status, error) {
	depth := b.Depth
	if depth == 0 {
		depth = 2
	}
	w, err := b.learn(ctx, st, st.Base, depth)
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

// learn makes the hypothesis of a depth for rows of the given weights.
func (b *Filtering) learn(ctx context.Context, st *State, weights []float64, depth int) (Weak, error) {
	n := len(weights)
	if depth == 0 {
		return st.Find(ctx, Query{Weights: weights, Criterion: ZeroOne, Leaf: Leaf{Kind: Majority}})
	}
	first, err := b.learn(ctx, st, weights, depth-1)
	if err != nil || first == nil {
		return nil, err
	}
	h1, h2 := make([]float64, n), make([]float64, n)
	if err := st.Outputs(first, h1); err != nil {
		return nil, err
	}
	right, wrong := 0.0, 0.0
	for i, h := range h1 {
		if h*st.Labels[i] > 0 {
			right += weights[i]
		} else {
			wrong += weights[i]
		}
	}
	if wrong < tiny || right < tiny {
		return first, nil // nothing to filter
	}
	filtered := make([]float64, n)
	for i, h := range h1 {
		if h*st.Labels[i] > 0 {
			filtered[i] = weights[i] / (2 * right)
		} else {
			filtered[i] = weights[i] / (2 * wrong)
		}
	}
	second, err := b.learn(ctx, st, filtered, depth-1)
	if err != nil || second == nil {
		return first, err
	}
	if err := st.Outputs(second, h2); err != nil {
		return nil, err
	}
	sum := 0.0
	for i := range filtered {
		filtered[i] = 0
		if (h1[i] < 0) != (h2[i] < 0) {
			filtered[i] = weights[i]
			sum += weights[i]
		}
	}
	if sum < tiny {
		return first, nil // the two always agree
	}
	normalise(filtered)
	third, err := b.learn(ctx, st, filtered, depth-1)
	if err != nil || third == nil {
		return first, err
	}
	return &Majority3{Of: [3]Weak{first, second, third}}, nil
}
