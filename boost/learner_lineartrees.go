package boost

import (
	"cmp"
	"context"
	"fmt"
)

// LinearTrees are linearised decision trees, grown by boosting: every edge of the tree
// has a value, and the output is the sum of the values on the path, a boosted sum of
// stumps that each act in one leaf and are zero elsewhere. Each step splits the leaf that
// lowers the loss most, adds on both sides the value that minimises it there, and
// reweights the leaf's rows. The weak learners are [Tree]s with these sums in their leaves.
//
// For the exponential loss
// the values are half logarithms of ratios of class weights; for others the sum
// on a path is the link of the leaf's share of class +1, and the tree is that of
// [Trees] with the loss's Phi (UDT, the universal decision trees of Nock and
// Nielsen).
//
// They are for boosters whose targets are labels; the output is the sign of the
// sum where the booster wants signs, and the sum, bounded by the leaf's
// smoothing, otherwise.
//
// Henry, Nock and Nielsen, Real boosting à la carte with an application to
// boosting oblique decision trees, IJCAI 2007; Nock and Nielsen, Bregman
// divergences and surrogates for learning, PAMI 31 (2009).
type LinearTrees struct {
	// Loss is the loss to minimise. nil means [ExponentialLoss].
	Loss MarginLoss
	// Leaves is the largest number of leaves, from 2. 0 means 8.
	Leaves int
	// Smooth is as in [Leaf]. 0 means the booster's, and if that has none, 1e-4.
	Smooth float64
	// Bins is the number of bins of a column, 2 to 256. 0 means 256.
	Bins int
	// Binning is the rule for the bins.
	Binning Binning
}

// Name returns "lineartrees".
func (*LinearTrees) Name() string { return "lineartrees" }

func (l *LinearTrees) prepare(p *Problem, s *Settings) (searcher, error) {
	f := &linearTreeSearch{leaves: cmp.Or(l.Leaves, 8), smooth: l.Smooth}
	if _, exponential := l.Loss.(exponentialLoss); l.Loss != nil && !exponential {
		f.loss = l.Loss
	}
	if f.leaves < 2 || f.leaves > maxLeaves {
		return nil, fmt.Errorf("%w: LinearTrees.Leaves %d, want 2 to %d", ErrSettings, l.Leaves, maxLeaves)
	}
	if err := checkSmooth(l.Smooth); err != nil {
		return nil, err
	}
	if err := checkShared(f.loss); err != nil {
		return nil, err
	}
	return f, f.prepare(p, l.Bins, l.Binning, s)
}

type linearTreeSearch struct {
	quantized
	loss    MarginLoss // nil for the exponential loss
	leaves  int
	smooth  float64
	grower  grower
	weights []float64
}

func (f *linearTreeSearch) Find(ctx context.Context, q *query) (Weak, error) {
	if q.Real {
		return nil, fmt.Errorf("%w: LinearTrees need targets that are labels", ErrSettings)
	}
	smooth := cmp.Or(f.smooth, q.Leaf.Smooth, defaultSmooth)
	if f.loss != nil {
		return f.universal(ctx, q, smooth)
	}
	leaf := Leaf{Kind: Logit, Smooth: smooth}
	f.weights = append(f.weights[:0], q.Weights...)
	local := *q
	local.Weights = f.weights
	g := &f.grower
	g.engine, g.query, g.criterion, g.maxLeaves, g.depth = f.engine, &local, Exponential, f.leaves, f.leaves

	sums := []float64{leaf.value(leafSums(&local, q.Rows))} // of the path to each leaf
	f.reweigh(q, q.Rows, sums[0])
	f.engine.weights.set(f.weights, q.Targets)
	a, b := f.engine.weights.sums(q.Rows)
	if err := g.start(ctx, false, a, b); err != nil {
		return nil, err
	}
	for len(g.leaves) < f.leaves {
		k := g.next()
		if k < 0 {
			break
		}
		g.part(k)
		last := len(g.leaves) - 1
		left := leaf.value(leafSums(&local, g.leaves[k].rows))
		right := leaf.value(leafSums(&local, g.leaves[last].rows))
		sums = append(sums, sums[k]+right)
		sums[k] += left
		f.reweigh(q, g.leaves[k].rows, left)
		f.reweigh(q, g.leaves[last].rows, right)
		f.engine.weights.set(f.weights, q.Targets)
		for _, k := range []int{k, last} {
			if a, b := f.engine.weights.sums(g.leaves[k].rows); !g.open(k, a, b) {
				continue
			}
			if err := g.look(k, g.over(ctx, k)); err != nil {
				return nil, err
			}
		}
	}
	return f.tree(q, sums), nil
}

// tree returns the tree that was grown, with sums in its leaves, or their signs if the
// booster wants these.
func (f *linearTreeSearch) tree(q *query, sums []float64) *Tree {
	if q.Leaf.Kind == Majority {
		for k, v := range sums {
			sums[k] = float64(classOf(v))
		}
	}
	t := &Tree{Nodes: f.grower.nodes, Leaves: sums}
	f.grower.nodes, f.grower.leaves = nil, f.grower.leaves[:0]
	return t
}

// reweigh multiplies the weights of rows, nil meaning all, by exp(-y c).
func (f *linearTreeSearch) reweigh(q *query, rows []int32, c float64) {
	eachOf(rows, len(f.weights), func(i int) { f.weights[i] *= exp(-c * q.Targets[i]) })
}

// universal is Find for any loss. The sum of a path is the link of the leaf's share of
// class +1, which is where the loss of the leaf is smallest: each step on the way there is
// that of [ULS] for a weak learner that is 1 on its side and 0 elsewhere. Weights need no
// update, since shares determine it.
func (f *linearTreeSearch) universal(ctx context.Context, q *query, smooth float64) (Weak, error) {
	g := &f.grower
	f.engine.phi = shareLoss(phiOf(f.loss))
	g.engine, g.query, g.criterion, g.maxLeaves, g.depth = f.engine, q, byPhi, f.leaves, f.leaves
	f.engine.weights.set(q.Weights, q.Targets)
	a, b := f.engine.weights.sums(q.Rows)
	if err := g.grow(ctx, a, b); err != nil {
		return nil, err
	}
	var sums []float64
	for k := range g.leaves {
		s0, s1 := leafSums(q, g.leaves[k].rows)
		sums = append(sums, f.loss.Link((max(0, (s0+s1)/2)+smooth)/(s0+2*smooth)))
	}
	return f.tree(q, sums), nil
}
