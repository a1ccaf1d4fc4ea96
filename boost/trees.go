package boost

import (
	"context"
	"fmt"
	"math"
)

// Trees are decision trees grown top down over quantised columns. The leaf
// whose split lowers the criterion most is split next, until the tree has as
// many leaves, or is as deep, as it may.
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
	// Bins is the number of bins of a column, 2 to 256. 0 means 256.
	Bins int
	// Binning says where the bins lie.
	Binning Binning
}

// Name returns "trees".
func (*Trees) Name() string { return "trees" }

// Prepare quantises the columns.
func (l *Trees) Prepare(p *Problem, s *Settings) (Search, error) {
	f := &treeSearch{leaves: l.Leaves, depth: l.Depth, criterion: l.Criterion}
	switch {
	case l.Leaves < 0 || l.Leaves == 1 || l.Leaves > maxLeaves:
		return nil, fmt.Errorf("%w: Trees.Leaves %d, want 2 to %d", ErrSettings, l.Leaves, maxLeaves)
	case l.Depth < 0:
		return nil, fmt.Errorf("%w: Trees.Depth %d is negative", ErrSettings, l.Depth)
	case l.Criterion > lastCriterion:
		return nil, fmt.Errorf("%w: %v is unknown", ErrSettings, l.Criterion)
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

// maxLeaves bounds trees, here and in files.
const maxLeaves = 1 << 20

type treeSearch struct {
	quantized
	leaves, depth int
	criterion     Criterion
	grower        grower
}

func (f *treeSearch) Find(ctx context.Context, q *Query) (Weak, error) {
	g := &f.grower
	g.engine, g.query = f.engine, q
	g.criterion = f.criterion.or(q.Criterion)
	if f.criterion == DefaultCriterion && g.criterion == ZeroOne {
		g.criterion = Gini
	}
	if q.Real {
		g.criterion = LeastSquares
	}
	f.engine.weights.set(q.Weights, q.Targets)
	if err := g.start(ctx); err != nil {
		return nil, err
	}
	for len(g.leaves) < f.leaves {
		k := g.next(f.depth)
		if k < 0 {
			break
		}
		if err := g.split(ctx, k); err != nil {
			return nil, err
		}
	}
	t := &Tree{Nodes: g.nodes, Leaves: make([]float64, len(g.leaves))}
	for k := range g.leaves {
		t.Leaves[k] = q.Leaf.Value(leafSums(q, g.leaves[k].rows))
	}
	g.nodes, g.leaves = nil, g.leaves[:0]
	return t, nil
}

// A grower grows a tree leaf by leaf.
type grower struct {
	engine    *engine
	query     *Query
	criterion Criterion
	nodes     []Node
	leaves    []growing
	order     []int32 // the rows, those of a leaf side by side
	moved     []int32
}

// growing is a leaf that may yet be split.
type growing struct {
	rows  []int32 // part of order
	depth int     // nodes above it
	best  split
	gain  float64 // what the split lowers the criterion by
	up    int     // node above, -1 for the root
	right bool    // which of its children
}

// start makes a tree of one leaf.
func (g *grower) start(ctx context.Context) error {
	g.nodes, g.leaves, g.order = nil, g.leaves[:0], g.order[:0]
	if g.query.Rows == nil {
		for i := range g.engine.rows {
			g.order = append(g.order, int32(i))
		}
	} else {
		g.order = append(g.order, g.query.Rows...)
	}
	g.leaves = append(g.leaves, growing{rows: g.order, up: -1})
	return g.look(ctx, 0, g.query.Rows)
}

// look finds the best split of leaf k; rows are the leaf's, nil meaning all.
func (g *grower) look(ctx context.Context, k int, rows []int32) error {
	l := &g.leaves[k]
	a, b := g.engine.weights.sums(l.rows)
	s0, s1 := g.engine.weights.floats(a, b)
	l.best = noSplit
	if a == 0 || (len(g.engine.weights.one) > 0 && (a == b || a == -b)) {
		return ctx.Err() // pure
	}
	var err error
	if l.best, err = g.engine.bestSplit(ctx, g.criterion, g.query.Columns, rows); err != nil {
		return err
	}
	if l.best.column < 0 {
		return nil
	}
	if g.criterion == GainRatio {
		l.gain = -l.best.loss * s0
	} else {
		l.gain = g.criterion.Block(s0, s1) - l.best.loss
	}
	// A split of labels that gains nothing may still open the way for one
	// that does, as in parity; a real target that is met needs no more.
	if len(g.engine.weights.one) == 0 && !(l.gain > tiny*s0) {
		l.best = noSplit
	}
	return nil
}

// next returns the leaf to split next, -1 if there is none.
func (g *grower) next(depth int) int {
	best := -1
	for k := range g.leaves {
		l := &g.leaves[k]
		if l.best.column >= 0 && l.depth < depth && (best < 0 || l.gain > g.leaves[best].gain) {
			best = k
		}
	}
	return best
}

// part splits leaf k, which stays the left one; the right one comes last.
func (g *grower) part(k int) {
	l := &g.leaves[k]
	e := g.engine
	cuts := e.cols.Cuts(l.best.column)
	codes := e.cols.Codes(l.best.column, e.scratch[0].codes[0])
	g.moved = g.moved[:0]
	n := 0
	for _, r := range l.rows {
		if l.best.left(codes[r], len(cuts)) {
			l.rows[n] = r
			n++
		} else {
			g.moved = append(g.moved, r)
		}
	}
	copy(l.rows[n:], g.moved)

	node := int32(len(g.nodes))
	right := len(g.leaves)
	g.nodes = append(g.nodes, Node{
		Column: l.best.column, Threshold: threshold(cuts, l.best.cut), MissingLeft: l.best.missingLeft,
		Left: int32(-k), Right: int32(-right),
	})
	if l.up >= 0 {
		if l.right {
			g.nodes[l.up].Right = node
		} else {
			g.nodes[l.up].Left = node
		}
	}
	depth := l.depth + 1
	rows := l.rows
	*l = growing{rows: rows[:n], depth: depth, up: int(node)}
	g.leaves = append(g.leaves, growing{rows: rows[n:], depth: depth, up: int(node), right: true})
}

// split parts leaf k and looks at its halves.
func (g *grower) split(ctx context.Context, k int) error {
	g.part(k)
	if err := g.look(ctx, k, g.leaves[k].rows); err != nil {
		return err
	}
	last := len(g.leaves) - 1
	return g.look(ctx, last, g.leaves[last].rows)
}

// sums returns the integer sums of rows.
func (f *fixed) sums(rows []int32) (a, b int64) {
	for _, r := range rows {
		x, y := f.at(int(r))
		a += x
		b += y
	}
	return a, b
}
