package boost

import (
	"cmp"
	"context"
	"math"
)

// Marginal is Marginal AdaBoost: a search for the largest margin by halving,
// with AdaBoost for a fixed margin goal rho at each step. A step succeeds when
// the model's margin reaches the goal, and fails when an edge falls below it:
// no model has a margin larger than an edge. Each step starts with an empty
// model and equal weights; the last goes for the largest margin reached.
//
// The paper gives every step the number of rounds that the theory requires, and
// the goal of the last is the lower bound found. Here a step ends as soon as it
// is decided, the search ends after half of Settings.Rounds, so that the last
// step has the other half, and its goal is never above the upper bound less Nu.
//
// Rätsch and Warmuth, Maximizing the margin with boosting, COLT 2002.
type Marginal struct {
	// Nu is the final distance of the bounds of the margin. 0 means 0.05.
	Nu float64
}

// Name returns "marginal".
func (*Marginal) Name() string { return "marginal" }

func (b *Marginal) begin(st *state) error {
	if err := checkNu(b.Nu); err != nil {
		return err
	}
	// The bounds of the margin, the goal, the rounds of the step, and 1 in the
	// last step.
	st.Memory = []float64{-1, 1, 0, 0, 0}
	return nil
}

func (b *Marginal) advance(ctx context.Context, st *state) (Status, error) {
	nu := cmp.Or(b.Nu, 0.05)
	lower, upper, goal, rounds, last := &st.Memory[0], &st.Memory[1], &st.Memory[2], &st.Memory[3], &st.Memory[4]
	w, edge, err := st.signed(ctx)
	if err != nil || w == nil {
		return NoEdge, err
	}
	if len(st.Model.Terms) == 0 && edge < tiny {
		return NoEdge, nil
	}
	if *last == 1 {
		*upper = min(*upper, edge)
		if edge <= *goal+tiny {
			return GoalMet, nil
		}
		return b.step(st, w, edge, *goal)
	}
	*upper = min(*upper, edge)
	half := float64(st.settings.Rounds / 2)
	failed := edge <= *goal+tiny
	if !failed {
		status, err := b.step(st, w, edge, *goal)
		if status != Going || err != nil {
			return status, err
		}
		*rounds++
		*lower = max(*lower, st.margin())
	}
	limit := math.Ceil(2*log(float64(len(st.Labels)))/float64(nu*nu)) + 1
	switch {
	case float64(st.Rounds+1) >= half || *upper-*lower <= nu:
		*last = 1
		*goal = min(max(*lower, -1+nu), *upper-nu)
	case failed || *lower >= *goal || *rounds >= limit:
		if !failed && *lower < *goal {
			*upper = max(*goal, *lower) // as many rounds as theory grants: out of reach
		}
		*goal = (*lower + *upper) / 2
	default:
		return Going, nil
	}
	*rounds = 0
	return Going, st.restart()
}

// step is marginStep for a fixed goal, which a perfect weak learner meets.
func (b *Marginal) step(st *state, w Weak, edge, goal float64) (Status, error) {
	status, err := st.marginStep(w, edge, goal)
	if status == NoEdge {
		status = GoalMet
	}
	return status, err
}
