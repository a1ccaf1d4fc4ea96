package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// Trees are decision trees grown top down over quantised columns. The leaf
// whose split lowers the criterion most is split next, until the tree has the
// maximum number of leaves or depth.
type Trees struct {
	// Leaves is the largest number of leaves, from 2. 0 means 8, or no bound
	// if Depth is set.
	Leaves int
	// Depth is the largest number of nodes on a path. 0 means no bound.
	Depth int
	// Criterion is what splits minimise: Gini for CART, GainRatio for C4.5,
	// Exponential for Kearns and Mansour. The default is the booster's, but
	// Gini for a booster that counts errors, which a greedy search must not.
	Criterion Criterion
	// Phi, if not nil, replaces Criterion: a permissible function on [0, 1],
	// see [Phi]. A split then minimises, also over the values of the leaves,
	// the corresponding loss: the sum of weights times -Phi of the fraction of
	// class +1. So the logistic loss is Entropy, the squared one Gini, and
	// Matsushita's Exponential. (Nock and Nielsen, PAMI 31, 2009.)
	Phi func(share float64) float64
	// Bins is the number of bins of a column, 2 to 256. 0 means 256.
	Bins int
	// Binning is the rule for the bins.
	Binning Binning
}

// Name returns "trees".
func (*Trees) Name() string { return "trees" }

func (l *Trees) prepare(p *Problem, s *Settings) (searcher, error) {
	f := &treeSearch{leaves: l.Leaves, depth: l.Depth, criterion: l.Criterion, phi: l.Phi}
	switch {
	case l.Leaves < 0 || l.Leaves == 1 || l.Leaves > maxLeaves:
		return nil, fmt.Errorf("%w: Trees.Leaves %d, want 2 to %d", ErrSettings, l.Leaves, maxLeaves)
	case l.Depth < 0:
		return nil, fmt.Errorf("%w: Trees.Depth %d is negative", ErrSettings, l.Depth)
	case l.Criterion > lastCriterion:
		return nil, fmt.Errorf("%w: %v is unknown", ErrSettings, l.Criterion)
	case l.Phi != nil:
		if err := checkPhi(l.Phi); err != nil {
			return nil, fmt.Errorf("%w: Trees.Phi: %w", ErrSettings, err)
		}
	}
	switch {
	case l.Leaves == 0 && l.Depth == 0:
		f.leaves = 8
	case l.Leaves == 0:
		f.leaves = maxLeaves
	}
	if f.depth == 0 {
		f.depth = math.MaxInt
	}
	return f, f.prepare(p, l.Bins, l.Binning, s)
}

// Fitter returns a function that fits trees by least squares, for callers with a
// loop of their own: to targets of the listed rows, by the listed columns, nil
// meaning all. It returns the tree and its outputs for all rows, which last until the
// next call; a nil tree means that nothing beats a constant.
func (l *Trees) Fitter(p *Problem, s *Settings) (func(ctx context.Context, weights, targets []float64, rows, columns []int32) (*Tree, []float64, error), error) {
	settings, err := s.withDefaults()
	if err != nil {
		return nil, err
	}
	f, err := l.prepare(p, &settings)
	if err != nil {
		return nil, err
	}
	var out []float64
	return func(ctx context.Context, weights, targets []float64, rows, columns []int32) (*Tree, []float64, error) {
		w, err := f.Find(ctx, &query{
			Weights: weights, Targets: targets, Real: true, Criterion: LeastSquares, Leaf: Leaf{Kind: Mean}, Rows: rows, Columns: columns,
		})
		t, ok := w.(*Tree)
		if err != nil || !ok {
			return nil, nil, err
		}
		out = grow(out, len(weights))
		return t, out, f.Outputs(t, out)
	}, nil
}

// maxLeaves bounds trees, here and in files.
const maxLeaves = 1 << 20

type treeSearch struct {
	quantized
	leaves, depth int
	criterion     Criterion
	phi           func(float64) float64
	grower        grower
	last          *Tree   // of all rows
	given         []*Tree // whose leaves alone are to be found, in order
}

func (f *treeSearch) Find(ctx context.Context, q *query) (Weak, error) {
	g := &f.grower
	g.engine, g.query, g.maxLeaves, g.depth = f.engine, q, f.leaves, f.depth
	if len(f.given) > 0 {
		f.last, f.given = g.refit(f.given[0]), f.given[1:]
		return f.last, ctx.Err()
	}
	g.criterion = cmp.Or(f.criterion, q.Criterion)
	if f.criterion == defaultCriterion && g.criterion == ZeroOne {
		g.criterion = Gini
	}
	if q.Real {
		g.criterion = LeastSquares
	} else if f.phi != nil {
		g.criterion, f.engine.phi = byPhi, shareLoss(f.phi)
	}
	var a, b int64
	g.newton, g.joined = q.Newton, false
	if g.newton != nil {
		f.engine.pack(q.Columns)
		_, g.joined = f.engine.cols.(*byteColumns) // whose codes stay

		a, b = f.engine.weights.setPairs(q.Weights, q.Targets, q.Newton.Weight, q.Newton.Slope, f.engine.workers)
	} else {
		f.engine.weights.set(q.Weights, q.Targets)
	}
	if g.newton == nil || q.Rows != nil {
		a, b = f.engine.weights.sums(q.Rows)
	}
	f.last = nil
	if err := g.grow(ctx, a, b); err != nil {
		return nil, err
	}
	t := &Tree{Nodes: g.nodes, Leaves: make([]float64, len(g.leaves))}
	for k := range g.leaves {
		if l := &g.leaves[k]; q.Newton != nil {
			s0, s1 := g.newtonSums(l)
			t.Leaves[k] = q.Newton.value(s0, s1, l.lo, l.hi)
		} else {
			t.Leaves[k] = q.Leaf.value(leafSums(q, l.rows))
		}
	}
	g.nodes = nil
	if q.Rows == nil {
		f.last = t
	}
	return t, nil
}

// Outputs implements [searcher]. The rows of the leaves of the last tree are known.
func (f *treeSearch) Outputs(w Weak, out []float64) error {
	if t, ok := w.(*Tree); ok && t == f.last {
		f.grower.outputs(t.Leaves, out)
		return nil
	}
	return f.quantized.Outputs(w, out)
}

func (f *treeSearch) newton() {}
