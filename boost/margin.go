package boost

import (
	"context"
	"fmt"
	"math"
)

// Star is AdaBoost*: Discrete AdaBoost that goes for the largest margin. The
// coefficient is
//
//	alpha = ln((1+g)/(1-g))/2 - ln((1+r)/(1-r))/2
//
// where g is the edge and r, the margin estimate, the smallest edge so far
// less Nu. After 2 ln(rows)/Nu^2 rounds the margin of the model is within Nu of
// the largest that there is.
//
// Rätsch and Warmuth, Efficient margin maximizing with boosting, JMLR 6 (2005).
type Star struct {
	// Nu is how far from the largest the margin may be. 0 means 0.05.
	Nu float64
	// Leaf is what weak learners answer: numbers between -1 and +1. The
	// default is Majority.
	Leaf Leaf
}

// Name returns "star".
func (*Star) Name() string { return "star" }

// Init implements [Booster].
func (b *Star) Init(st *State) error {
	if err := checkNu(b.Nu); err != nil {
		return err
	}
	st.Memory = []float64{1} // the smallest edge so far
	return checkLeaf(b.Leaf)
}

func checkNu(nu float64) error {
	if !(nu >= 0 && nu < 1) {
		return fmt.Errorf("%w: Nu %v, want 0 or more, less than 1", ErrSettings, nu)
	}
	return nil
}

// Round implements [Booster].
func (b *Star) Round(ctx context.Context, st *State) (Status, error) {
	nu := b.Nu
	if nu == 0 {
		nu = 0.05
	}
	w, edge, err := st.signed(ctx, b.Leaf)
	if err != nil || w == nil {
		return NoEdge, err
	}
	if edge < tiny {
		return NoEdge, nil
	}
	st.Memory[0] = min(st.Memory[0], edge)
	return st.marginStep(w, edge, st.Memory[0]-nu)
}

// signed finds a weak learner for the margin boosters, scales it to answers of
// magnitude 1, and returns its edge.
func (st *State) signed(ctx context.Context, leaf Leaf) (Weak, float64, error) {
	c := ZeroOne
	if leaf.Kind == DefaultLeaf {
		leaf.Kind = Majority
	} else if leaf.Kind != Majority {
		c = Exponential
	}
	w, err := st.Find(ctx, Query{Criterion: c, Leaf: leaf})
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
	// A function that is given may be wrong more often than right: its
	// negative counts.
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

// marginStep appends w with the coefficient for the margin goal rho.
func (st *State) marginStep(w Weak, edge, rho float64) (Status, error) {
	perfect := edge > 1-tiny && st.perfect()
	rho = max(rho, -1+tiny)
	a := coefficient(edge) - coefficient(rho)
	if perfect {
		a = coefficient(1)
	}
	if !(a > 0) {
		return NoEdge, nil
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
func (st *State) margin() float64 {
	total := 0.0
	for _, t := range st.Model.Terms {
		total += math.Abs(t.Coef)
	}
	if total == 0 {
		return -1
	}
	least := math.Inf(1)
	for i, s := range st.Scores {
		if st.Base[i] > 0 {
			least = min(least, float64(st.Labels[i]*s)/total)
		}
	}
	return least
}

// Marginal is Marginal AdaBoost: a search for the largest margin by halving,
// with AdaBoost for a fixed margin goal rho at each step. A step succeeds when
// the model's margin reaches the goal, and fails when an edge falls below it:
// no model has a margin larger than an edge. Each step starts with an empty
// model and equal weights; the last goes for the largest margin reached.
//
// Rätsch and Warmuth, Maximizing the margin with boosting, COLT 2002.
type Marginal struct {
	// Nu is how close the bounds of the margin shall come. 0 means 0.05.
	Nu float64
	// Leaf is what weak learners answer: numbers between -1 and +1. The
	// default is Majority.
	Leaf Leaf
}

// Name returns "marginal".
func (*Marginal) Name() string { return "marginal" }

// Init implements [Booster].
func (b *Marginal) Init(st *State) error {
	if err := checkNu(b.Nu); err != nil {
		return err
	}
	// The bounds of the margin, the goal, the rounds of the step, and 1 in the
	// last step.
	st.Memory = []float64{-1, 1, 0, 0, 0}
	return checkLeaf(b.Leaf)
}

// Round implements [Booster].
func (b *Marginal) Round(ctx context.Context, st *State) (Status, error) {
	nu := b.Nu
	if nu == 0 {
		nu = 0.05
	}
	lower, upper, goal, rounds, last := &st.Memory[0], &st.Memory[1], &st.Memory[2], &st.Memory[3], &st.Memory[4]
	w, edge, err := st.signed(ctx, b.Leaf)
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
	most := math.Ceil(2*log(float64(len(st.Labels)))/float64(nu*nu)) + 1
	switch {
	case float64(st.Rounds+1) >= half || *upper-*lower <= nu:
		*last = 1
		*goal = min(max(*lower, -1+nu), *upper-nu)
	case failed || *lower >= *goal || *rounds >= most:
		if !failed && *lower < *goal {
			*upper = max(*goal, *lower) // as many rounds as theory grants: out of reach
		}
		*goal = (*lower + *upper) / 2
	default:
		return Going, nil
	}
	*rounds = 0
	st.Model.Terms = nil
	copy(st.Weights, st.Base)
	return Going, st.Rescore()
}

// step is marginStep for a fixed goal, which a perfect weak learner meets.
func (b *Marginal) step(st *State, w Weak, edge, goal float64) (Status, error) {
	status, err := st.marginStep(w, edge, goal)
	if status == NoEdge {
		status = GoalMet
	}
	return status, err
}
