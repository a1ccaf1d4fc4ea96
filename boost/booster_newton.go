package boost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
)

// Newton is gradient boosting of trees with second derivatives: boosting as
// descent in function space, on any [Loss], of two classes or of numbers. A tree
// is fitted to the second-order expansion of the loss about the scores, with an L2
// penalty on its leaves; learners are [Trees] and [Stumps].
//
// Leaves, depth and bins are the learner's; shrinkage, row and column sampling
// and early stopping are [Settings]. For a piecewise linear loss, such as
// hinge, Huber and quantile, leaves minimise it by a search instead of a Newton
// step.
//
// Friedman, Greedy function approximation, Annals of Statistics 29 (2001); Chen and
// Guestrin, XGBoost, KDD 2016, whose penalties count rows as these do.
type Newton struct {
	// Loss to minimise. nil means [LogisticLoss], or [LeastSquaresLoss] where
	// Data has Targets.
	Loss Loss

	// L2 is added to the sum of curvatures of a leaf. 0 means 1; for none use a
	// tiny number such as 1e-9.
	L2 float64

	// L1 shrinks the sum of gradients of a leaf towards 0, so that small leaves
	// become 0. Leaves are then always Newton steps.
	L1 float64

	// MinWeight is the smallest sum of curvatures of a leaf, where a row of weight
	// 1 counts its curvature. 0 means 1.
	MinWeight float64

	// MinGain is the smallest decrease of the sum of losses by a split. 0 means
	// any.
	MinGain float64

	// Monotone constrains each column: the score must not fall with it, +1,
	// must not rise, -1, or is free, 0. nil means that all are free. Leaves are
	// then always Newton steps.
	Monotone []int8

	// Drop, if not 0, is DART: the probability that a round leaves out a tree of
	// before. The new tree and the k left out are then scaled, so that together
	// they are as large as before: by 1/(k+s) and k/(k+s), s being the shrinkage.
	//
	// Rashmi and Gilad-Bachrach, DART: dropouts meet multiple additive regression
	// trees, AISTATS 2015.
	Drop float64

	// Interactions are groups of columns that may be on one path of a tree: its
	// columns are all of one group. A column of no group is on paths of its own.
	// nil means that all columns may interact.
	Interactions [][]int
}

// Name returns "newton".
func (*Newton) Name() string { return "newton" }

// loss returns the loss to minimise.
func (b *Newton) loss(st *state) Loss {
	switch {
	case b.Loss != nil:
		return b.Loss
	case st.problem.Data.Labels == nil:
		return LeastSquaresLoss
	}
	return LogisticLoss
}

func (b *Newton) defaultMetric(st *state) Metric { return MeanLoss(b.loss(st)) }

// newtonSearch is a search that knows Newton steps.
type newtonSearch interface{ newton() }

func (b *Newton) begin(st *state) error {
	for name, v := range map[string]float64{"L1": b.L1, "L2": b.L2, "MinWeight": b.MinWeight, "MinGain": b.MinGain} {
		if err := checkFinite(name, v); err != nil {
			return err
		}
	}
	if !(b.Drop >= 0 && b.Drop < 1) {
		return fmt.Errorf("%w: Drop %v, want 0 or more, less than 1", ErrSettings, b.Drop)
	}
	if b.Monotone != nil && len(b.Monotone) != st.Model.Columns {
		return fmt.Errorf("%w: Monotone has %d columns, want %d", ErrSettings, len(b.Monotone), st.Model.Columns)
	}
	for j, c := range b.Monotone {
		if c < -1 || c > 1 || c != 0 && st.Model.LevelsOf(j) != nil {
			return fmt.Errorf("%w: Monotone %d of %s, want -1, 0 or +1, and 0 of a categorical column", ErrSettings, c, st.Model.column(j))
		}
	}
	for _, group := range b.Interactions {
		for _, j := range group {
			if j < 0 || j >= st.Model.Columns {
				return fmt.Errorf("%w: Interactions have column %d, want one below %d", ErrSettings, j, st.Model.Columns)
			}
		}
	}
	if _, ok := st.search.(newtonSearch); !ok {
		return fmt.Errorf("%w: Newton fits Trees and Stumps", ErrSettings)
	}
	l := b.loss(st)
	if r, ok := l.(restricted); ok {
		for i, y := range st.Labels {
			if !r.allows(y) {
				return fmt.Errorf("%w: target %v of row %d, the %s loss wants %s", ErrData, y, i, l.Name(), r.wants())
			}
		}
	}
	st.Model.setLink(l)
	total := float64(len(st.Labels))
	if w := st.problem.Data.Weights; w != nil {
		total = 0
		for _, v := range w {
			total += v
		}
	}
	st.Memory = []float64{total} // the weight of all rows
	if st.problem.Scores != nil {
		return nil
	}
	bias := constant(l, st.Labels, st.Base, st.Scores, nil)
	if k, ok := l.(linked); !ok || k.link() != IdentityLink { // of one class alone
		bias = min(15, max(-15, bias))
	}
	st.Model.Bias = bias
	return st.Rescore()
}

// beginAt is begin for gradients that are not of a loss, and scores that start at bias.
func (b *Newton) beginAt(st *state, bias float64, link Link) error {
	if b.Loss != nil || b.Drop != 0 {
		return fmt.Errorf("%w: %s with a Loss or Drop %v, want none", ErrSettings, st.Model.Booster, b.Drop)
	}
	if err := b.begin(st); err != nil {
		return err
	}
	st.Model.Bias, st.Model.Link = bias, link
	return st.Rescore()
}

func (b *Newton) advance(ctx context.Context, st *state) (Status, error) {
	l := b.loss(st)
	if b.Drop == 0 {
		return b.step(ctx, st, nil, st.slopes(l), l)
	}
	terms, r := len(st.Model.Terms), st.Rand(4)
	scores := append([]float64(nil), st.Scores...)
	var dropped []int
	for k, t := range st.Model.Terms {
		if r.Float64() >= b.Drop {
			continue
		}
		dropped = append(dropped, k)
		if err := st.Outputs(t.Weak, st.Out); err != nil {
			return Stopped, err
		}
		for i, h := range st.Out {
			st.Scores[i] -= float64(t.Coef * h)
		}
	}
	status, err := b.step(ctx, st, nil, st.slopes(l), l)
	if err != nil || len(dropped) == 0 || len(st.Model.Terms) == terms {
		if len(st.Model.Terms) == terms { // nothing has changed
			copy(st.Scores, scores)
		}
		if len(dropped) > 0 && (status == NoEdge || status == GoalMet) {
			status = Going // other trees may be left out
		}
		return status, err
	}
	k, s := float64(len(dropped)), st.settings.Shrinkage
	for _, at := range dropped {
		st.Model.Terms[at].Coef *= k / (k + s)
	}
	st.Model.Terms[terms].Coef /= k + s
	return status, st.Rescore()
}

// slopes are the gradients g and curvatures h of rows, with as many goroutines as
// may compute them at once.
type slopes struct {
	of      func(from, to int, g, h []float64)
	workers int
}

// given are gradients and curvatures that are known.
func given(slope, curve []float64) slopes {
	return slopes{func(from, to int, g, h []float64) {
		copy(g, slope[from:to])
		copy(h, curve[from:to])
	}, 1}
}

// slopes returns the gradients and curvatures of a loss at the scores.
func (st *state) slopes(l Loss) slopes {
	if p, ok := l.(permissible); ok {
		return slopes{func(from, to int, g, h []float64) {
			p.slopes(st.Labels[from:to], st.Scores[from:to], g, h)
		}, st.settings.Workers}
	}
	return slopes{func(from, to int, g, h []float64) { // of the caller's loss, perhaps
		for i := range g {
			y, f := st.Labels[from+i], st.Scores[from+i]
			g[i], h[i] = l.Gradient(y, f), l.Curvature(y, f)
		}
	}, 1}
}

// step makes a round for given gradients and curvatures of the rows, with a choice
// of the columns listed, nil meaning all. The loss, if not nil, decides whether
// leaves need a search.
func (b *Newton) step(ctx context.Context, st *state, columns []int32, slopes slopes, l Loss) (Status, error) {
	n := len(st.Labels)
	st.targets = grow(st.targets, n)
	sums := make([][2]float64, (n+partRows-1)/partRows)
	inParts(slopes.workers, n, func(part, from, to int) {
		base, g, h := st.Base[from:to], st.targets[from:to], st.Weights[from:to]
		slopes.of(from, to, g, h)
		curved, sloped := 0.0, 0.0
		for i, w := range base {
			if !(w > 0) {
				g[i], h[i] = 0, 0
				continue
			}
			g[i], h[i] = -float64(w*g[i]), float64(w*h[i])
			curved += h[i]
			sloped += math.Abs(g[i])
		}
		sums[part] = [2]float64{curved, sloped}
	})
	curved, sloped := 0.0, 0.0
	for _, s := range sums {
		curved += s[0]
		sloped += s[1]
	}
	if sloped-sloped != 0 || curved-curved != 0 {
		return Stopped, errors.New("boost: the loss has an infinite slope")
	}
	if curved < tiny*tiny || sloped < tiny {
		copy(st.Weights, st.Base)
		return GoalMet, nil
	}
	or := func(v, d float64) float64 { return cmp.Or(v, d) / st.Memory[0] } // of rows whose weights sum to 1
	step := &newtonStep{
		Weight: curved, Slope: sloped, L1: or(b.L1, 0), L2: or(b.L2, 1), MinWeight: or(b.MinWeight, 1), MinGain: or(b.MinGain, 0),
		Monotone: b.Monotone, Interactions: b.Interactions,
	}
	w, err := st.Find(ctx, query{Newton: step, Columns: columns, Targets: st.targets, Real: true, Criterion: LeastSquares, Leaf: Leaf{Kind: Mean}})
	if err != nil {
		return Stopped, err
	}
	t, ok := w.(*Tree)
	if !ok {
		return NoEdge, nil
	}
	if len(t.Nodes) == 0 {
		return st.dull(), nil
	}
	if _, ok := l.(straight); ok && b.Monotone == nil && b.L1 == 0 {
		if t, err = b.minimise(st, l, t); err != nil {
			return Stopped, err
		}
	}
	st.Append(t, 1)
	return Going, nil
}

// minimise returns the tree with leaves that minimise the loss, and puts its
// outputs into st.Out.
func (b *Newton) minimise(st *state, l Loss, t *Tree) (*Tree, error) {
	numbers := &Tree{Nodes: t.Nodes, Leaves: make([]float64, len(t.Leaves))}
	for k := range numbers.Leaves {
		numbers.Leaves[k] = float64(k)
	}
	if err := st.Outputs(numbers, st.Out); err != nil {
		return nil, err
	}
	rows := make([][]int32, len(t.Leaves))
	for i, k := range st.Out {
		rows[int(k)] = append(rows[int(k)], int32(i))
	}
	best := &Tree{Nodes: t.Nodes, Leaves: make([]float64, len(t.Leaves))}
	for k := range best.Leaves {
		if len(rows[k]) > 0 {
			best.Leaves[k] = constant(l, st.Labels, st.Base, st.Scores, rows[k])
		}
		if m, ok := l.(MarginLoss); ok && m.Weight(farthest) == 0 {
			best.Leaves[k] = min(reach, max(-reach, best.Leaves[k])) // flat past the corner
		}
	}
	for i, k := range st.Out {
		st.Out[i] = best.Leaves[int(k)]
	}
	return best, nil
}
