package boost

import (
	"context"
	"math"
	"slices"
)

// A grower grows a tree leaf by leaf.
type grower struct {
	engine    *engine
	query     *query
	criterion Criterion
	newton    *newtonStep // in place of a criterion, if not nil
	maxLeaves int         // of the tree
	depth     int         // nodes of a path, at most
	nodes     []Node
	leaves    []growing
	order     []int32 // the rows, leaf by leaf
	moved     []int32

	// joined says that the rows of two leaves that will not be split need not be
	// told apart.
	joined bool

	// Bins of leaves are kept, so that of two halves of a leaf only the smaller
	// is added up: the other half is exactly the difference.
	starts []int // of each column in kept bins, and the length of all
	spare  []bins
}

// growing is a leaf that may yet be split.
type growing struct {
	rows  []int32 // part of order; nil means all, of the root before it is split
	size  int     // number of rows
	depth int     // nodes above it
	best  split
	gain  float64 // decrease of the criterion by the split
	s0    float64
	s1    float64
	a, b  int64 // the same as integers
	up    int   // node above, -1 for the root
	right bool  // which of its children
	bins  bins  // of all columns, if they are kept
	half  *half // if rows are those of the sibling too

	// Bounds of the leaf's value for monotone columns.
	lo, hi float64

	path []int // columns of the nodes above, if interactions are constrained
}

// maxKept bounds the bytes of kept bins of one tree.
const maxKept = 1 << 26

// start makes a tree of one leaf with the given sums of its rows. With keep, bins
// are kept: the weights must not change until the tree is grown.
func (g *grower) start(ctx context.Context, keep bool, a, b int64) error {
	g.nodes, g.leaves = nil, append(g.leaves[:0], growing{size: g.engine.rows, up: -1, lo: math.Inf(-1), hi: math.Inf(1)})
	if g.query.Rows != nil {
		g.order = append(grow(g.order, 1)[:0], g.query.Rows...) // none are not all
		g.leaves[0].rows, g.leaves[0].size = g.order, len(g.order)
	}
	if !g.open(0, a, b) {
		return ctx.Err()
	}
	keep = keep && g.keeps()
	root := g.over(ctx, 0)
	if keep && !g.few(0) {
		root = g.keep(0, root)
	}
	return g.look(0, root)
}

// grow splits leaves, the one of the largest gain first, until there are maxLeaves or none
// can be split. The first one's rows have the sums a and b. Weights must not change.
func (g *grower) grow(ctx context.Context, a, b int64) error {
	defer g.forget()
	if err := g.start(ctx, true, a, b); err != nil {
		return err
	}
	for len(g.leaves) < g.maxLeaves {
		k := g.next()
		if k < 0 {
			break
		}
		if err := g.split(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

// few reports whether leaf k has so few rows that most bins of a column are empty.
func (g *grower) few(k int) bool {
	_, ok := g.engine.cols.(*byteColumns)
	l := &g.leaves[k]
	return ok && g.starts != nil && l.rows != nil && 2*l.size*g.engine.cols.Len() < g.starts[len(g.starts)-1]
}

// over is the visit of the rows of leaf k.
func (g *grower) over(ctx context.Context, k int) visit {
	if g.few(k) {
		return g.engine.overFew(ctx, g.query.Columns, g.leaves[k].rows)
	}
	return g.engine.over(ctx, g.query.Columns, g.leaves[k].rows)
}

// keeps reports whether the bins of all leaves fit.
func (g *grower) keeps() bool {
	leaves := g.maxLeaves
	if g.depth < 20 {
		leaves = min(leaves, 1<<g.depth)
	}
	if g.starts == nil {
		g.starts = []int{0}
		for j := range g.engine.cols.Len() {
			g.starts = append(g.starts, g.starts[j]+g.engine.binsOf(j))
		}
	}
	return g.starts[len(g.starts)-1] <= maxKept/16/leaves
}

// keep is a visit that keeps its bins as those of leaf k.
func (g *grower) keep(k int, columns visit) visit {
	if len(g.spare) == 0 {
		g.spare = append(g.spare, newBins(g.starts[len(g.starts)-1]))
	}
	kept := g.spare[len(g.spare)-1]
	g.spare = g.spare[:len(g.spare)-1]
	g.leaves[k].bins = kept
	return func(f func(worker, column int, b bins)) error {
		g.engine.kept, g.engine.starts = kept, g.starts
		defer func() { g.engine.kept = bins{} }()
		return columns(f)
	}
}

// less is the visit of the bins of leaf k, computed as all less those of leaf part.
func (g *grower) less(ctx context.Context, k int, all bins, part *growing) visit {
	g.leaves[k].bins = all
	n := listed(g.query.Columns, g.engine.cols.Len())
	return func(f func(worker, column int, b bins)) error {
		return g.engine.parallel(ctx, n, batch, n*maxBins, func(worker, lo, hi int) {
			for c := lo; c < hi; c++ {
				j := column(g.query.Columns, c)
				from, to := g.starts[j], g.starts[j+1]
				b := bins{all.a[from:to], all.b[from:to]}
				if part.bins.a == nil {
					codes := g.engine.cols.Codes(j, nil)
					for _, r := range part.rows {
						x, y := g.engine.weights.at(int(r))
						b.a[codes[r]] -= x
						b.b[codes[r]] -= y
					}
				} else {
					pa, pb := part.bins.a[from:to], part.bins.b[from:to]
					for i := range b.a {
						b.a[i] -= pa[i]
						b.b[i] -= pb[i]
					}
				}
				f(worker, j, b)
			}
		})
	}
}

// forget releases the bins of all leaves.
func (g *grower) forget() {
	for k := range g.leaves {
		if b := g.leaves[k].bins; b.a != nil {
			g.spare = append(g.spare, b)
			g.leaves[k].bins = bins{}
		}
	}
}

// open prepares to split leaf k, whose rows have the sums a and b, and reports
// whether that may be possible: it must not be pure, nor at the maximum depth, nor
// the tree complete.
func (g *grower) open(k int, a, b int64) bool {
	l := &g.leaves[k]
	l.best, l.a, l.b = noSplit, a, b
	l.s0, l.s1 = g.engine.weights.floats(a, b)
	pure := a == 0 || (len(g.engine.weights.one) > 0 && (a == b || a == -b))
	return !pure && l.depth < g.depth && len(g.leaves) < g.maxLeaves
}

// look finds the best split of leaf k, whose bins columns visits.
func (g *grower) look(k int, columns visit) error {
	l := &g.leaves[k]
	var err error
	if g.newton != nil {
		return g.lookNewton(l, columns)
	}
	if l.best, err = g.engine.bestSplit(g.criterion, columns); err != nil {
		return err
	}
	if l.best.column < 0 {
		return nil
	}
	if g.criterion == GainRatio {
		l.gain = -l.best.loss * l.s0
	} else {
		l.gain = g.engine.block(g.criterion, l.s0, l.s1) - l.best.loss
	}
	// A split of labels without a gain may still enable one with a gain, as in
	// parity; a real target that is met needs no more.
	if len(g.engine.weights.one) == 0 && !(l.gain > tiny*l.s0) {
		l.best = noSplit
	}
	return nil
}

// next returns the leaf to split next, -1 if there is none.
func (g *grower) next() int {
	best := -1
	for k := range g.leaves {
		l := &g.leaves[k]
		if l.best.column >= 0 && (best < 0 || l.gain > g.leaves[best].gain) {
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
	left := g.leftCodes(l)

	node := int32(len(g.nodes))
	right := len(g.leaves)
	g.nodes = append(g.nodes, l.best.node(cuts, int32(-k), int32(-right)))
	if l.up >= 0 {
		if l.right {
			g.nodes[l.up].Right = node
		} else {
			g.nodes[l.up].Left = node
		}
	}
	one := growing{depth: l.depth + 1, up: int(node), lo: l.lo, hi: l.hi, path: l.path}
	if g.newton != nil && g.newton.Interactions != nil {
		one.path = append(slices.Clip(l.path), l.best.column)
	}
	other := one
	other.right = true
	if g.joined && l.bins.a != nil && (one.depth == g.depth || right+1 >= g.maxLeaves) {
		one.rows, other.rows = l.rows, l.rows
		one.half, other.half = &half{codes, left, 1, right}, &half{codes, left, 0, k}
	} else {
		n := g.divide(l, codes, left)
		one.rows, other.rows = l.rows[:n], l.rows[n:]
		one.size, other.size = n, len(l.rows)-n
	}
	*l = one
	g.leaves = append(g.leaves, other)
}

// leftCodes has a 1 for each code that goes left at the split of l.
func (g *grower) leftCodes(l *growing) *[maxBins]uint8 {
	left, cuts := new([maxBins]uint8), len(g.engine.cols.Cuts(l.best.column))
	for c := range left {
		if l.best.left(byte(c), cuts) {
			left[c] = 1
		}
	}
	return left
}

// divide moves the rows of l that go left to the front, keeps the order on both
// sides, and returns their number. Branches would be mispredicted.
func (g *grower) divide(l *growing, codes []byte, left *[maxBins]uint8) int {
	g.moved = grow(g.moved, l.size)
	if l.rows == nil {
		g.order = grow(g.order, l.size)
		l.rows = g.order
		for i := range l.rows {
			l.rows[i] = int32(i)
		}
	}
	if g.engine.workers > 1 && l.size > partRows {
		return g.divideParts(l, codes, left)
	}
	n, m := 0, 0
	for _, r := range l.rows {
		l.rows[n], g.moved[m] = r, r
		to := int(left[codes[r]])
		n += to
		m += 1 - to
	}
	copy(l.rows[n:], g.moved[:m])
	return n
}

// divideParts is divide in parallel. Each part first collects its rows in moved,
// those on the right backwards from its end.
func (g *grower) divideParts(l *growing, codes []byte, left *[maxBins]uint8) int {
	lefts := make([]int, (l.size+partRows-1)/partRows) // of each part
	inParts(g.engine.workers, l.size, func(part, from, to int) {
		moved := g.moved[from:to]
		n, m := 0, len(moved)-1
		for _, r := range l.rows[from:to] {
			moved[n], moved[m] = r, r
			to := int(left[codes[r]])
			n += to
			m -= 1 - to
		}
		lefts[part] = n
	})
	total := 0
	for part, n := range lefts {
		lefts[part], total = total, total+n // those of the parts before
	}
	inParts(g.engine.workers, l.size, func(part, from, to int) {
		end := total
		if part+1 < len(lefts) {
			end = lefts[part+1]
		}
		n := copy(l.rows[lefts[part]:end], g.moved[from:to])
		rest := g.moved[from+n : to]
		right := l.rows[total+from-lefts[part]:][:len(rest)]
		for i := range right {
			right[i] = rest[len(rest)-1-i]
		}
	})
	return total
}

// leftSums returns the sums of the left rows of leaf k, which is to be split and
// whose bins are kept.
func (g *grower) leftSums(k int) (a, b int64) {
	l := &g.leaves[k]
	from, to := g.starts[l.best.column], g.starts[l.best.column+1]
	left := g.leftCodes(l)
	for c := range to - from {
		if left[c] == 1 {
			a += l.bins.a[from+c]
			b += l.bins.b[from+c]
		}
	}
	return a, b
}

// split splits leaf k and looks at its halves.
func (g *grower) split(ctx context.Context, k int) error {
	all, a, b := g.leaves[k].bins, g.leaves[k].a, g.leaves[k].b
	var la, lb int64
	if all.a != nil {
		la, lb = g.leftSums(k)
	}
	g.part(k)
	last := len(g.leaves) - 1
	if all.a == nil {
		la, lb = g.engine.weights.sums(g.leaves[k].rows)
	}
	openLeft, openRight := g.open(k, la, lb), g.open(last, a-la, b-lb)
	small, large, openSmall, openLarge := k, last, openLeft, openRight
	if g.leaves[small].size > g.leaves[large].size {
		small, large, openSmall, openLarge = last, k, openRight, openLeft
	}
	if g.newton != nil {
		g.restrict(k, last)
	}
	smalls, larges := g.over(ctx, small), g.over(ctx, large)
	if all.a != nil && openLarge {
		few := g.few(small)
		if !few {
			smalls = g.keep(small, smalls)
		}
		if !few && !openSmall { // the larger half needs its bins all the same
			if err := smalls(func(int, int, bins) {}); err != nil {
				return err
			}
		}
		larges = g.less(ctx, large, all, &g.leaves[small])
	} else if all.a != nil {
		g.spare = append(g.spare, all)
		if openSmall && !g.few(small) {
			smalls = g.keep(small, smalls)
		}
	}
	if openSmall {
		if err := g.look(small, smalls); err != nil {
			return err
		}
	}
	if openLarge {
		return g.look(large, larges)
	}
	return ctx.Err()
}

// sums returns the integer sums of rows, nil meaning all.
func (f *fixed) sums(rows []int32) (a, b int64) {
	eachOf(rows, max(len(f.one), len(f.two)), func(i int) {
		x, y := f.at(i)
		a += x
		b += y
	})
	return a, b
}

// lookNewton is look for Newton steps.
func (g *grower) lookNewton(l *growing, columns visit) error {
	best := g.engine.noSplits()
	err := columns(func(worker, column int, b bins) {
		var s split
		if !g.newton.reaches(l.path, column) {
			return
		}
		if g.engine.categorical(column) {
			s = g.engine.newtonSet(g.newton, column, b, l.lo, l.hi)
		} else {
			s = g.engine.newtonCut(g.newton, column, b, l.a, l.b, l.lo, l.hi, best[worker].loss)
		}
		best.offer(worker, s)
	})
	l.best = best.best()
	if err != nil || l.best.column < 0 {
		return err
	}
	l.gain = -l.best.loss - g.newton.score(l.s0, l.s1, l.lo, l.hi)
	if !(l.gain/2 > max(g.newton.MinGain, tiny*max(l.s0, -l.best.loss))) {
		l.best = noSplit
	}
	return nil
}

// restrict gives the two halves of a leaf bounds that keep the score monotone
// in the column that splits them: the middle of their values.
func (g *grower) restrict(left, right int) {
	c := g.newton.monotone(g.nodes[len(g.nodes)-1].Column)
	if c == 0 {
		return
	}
	l, r := &g.leaves[left], &g.leaves[right]
	mid := (g.newton.value(l.s0, l.s1, l.lo, l.hi) + g.newton.value(r.s0, r.s1, r.lo, r.hi)) / 2
	if c > 0 {
		l.hi, r.lo = mid, mid
	} else {
		l.lo, r.hi = mid, mid
	}
}
