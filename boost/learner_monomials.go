package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Monomials are conjunctions of a fixed number of literals, found greedily:
// each literal is the one that lowers the criterion most, given those before. A literal
// is true where a column's value is below a threshold, or where it is not below, and
// false where the value is missing. The weak learners are [Tree]s of rank 1: a node a
// literal, and a leaf where it is false; all of these have one value.
type Monomials struct {
	// Length is the number of literals. 0 means 2. A monomial is shorter
	// where no further literal helps.
	Length int
	// Criterion is what the search minimises. The default is the booster's.
	Criterion Criterion
	// Bins is the number of bins of a column, 2 to 256. 0 means 256.
	Bins int
	// Binning is the rule for the bins.
	Binning Binning
}

// Name returns "monomials".
func (*Monomials) Name() string { return "monomials" }

func (l *Monomials) prepare(p *Problem, s *Settings) (searcher, error) {
	f := &monomialSearch{length: cmp.Or(l.Length, 2), criterion: l.Criterion}
	if f.length < 1 || f.length > maxLiterals {
		return nil, fmt.Errorf("%w: Monomials.Length %d, want 1 to %d", ErrSettings, l.Length, maxLiterals)
	}
	if l.Criterion > lastCriterion {
		return nil, fmt.Errorf("%w: %v is unknown", ErrSettings, l.Criterion)
	}
	return f, f.prepare(p, l.Bins, l.Binning, s)
}

// maxLiterals bounds monomials.
const maxLiterals = 1 << 12

type monomialSearch struct {
	quantized
	length    int
	criterion Criterion
}

func (f *monomialSearch) Find(ctx context.Context, q *query) (Weak, error) {
	e := f.engine
	e.weights.set(q.Weights, q.Targets)
	c := cmp.Or(f.criterion, q.Criterion)
	if q.Real {
		c = LeastSquares
	}
	in := slices.Clone(orAll(q.Rows, e.rows))
	all := q.Rows // the rows to search: nil, meaning all, until some are excluded
	ta, tb := e.weights.sums(in)
	t := &Tree{}
	loss := math.Inf(1)
	for len(t.Nodes) < f.length {
		best := e.noSplits()
		err := e.each(ctx, q.Columns, all, func(worker, column int, b bins) {
			best.offer(worker, e.columnLiteral(c, column, b, ta, tb))
		})
		if err != nil {
			return nil, err
		}
		s := best.best()
		if s.column < 0 || !(s.loss < loss) {
			break
		}
		loss = s.loss
		cuts := e.cols.Cuts(s.column)
		codes := e.cols.Codes(s.column, e.scratch[0].codes[0])
		n := 0
		for _, r := range in {
			if s.left(codes[r], len(cuts)) != s.missingLeft {
				in[n] = r
				n++
			}
		}
		in = in[:n]
		all = in
		yes, no := int32(0), int32(-len(t.Nodes)-1) // leaves
		if s.missingLeft {
			yes, no = no, yes
		}
		t.Nodes = append(t.Nodes, s.node(cuts, yes, no))
	}
	for k := range max(0, len(t.Nodes)-1) { // after all but the last come others
		if n := &t.Nodes[k]; n.Left == 0 {
			n.Left = int32(k + 1)
		} else {
			n.Right = int32(k + 1)
		}
	}
	// Excluded rows are summed separately: a difference would lose small
	// weights.
	out := complement(in, q.Rows, e.rows)
	t.Leaves = append(t.Leaves, q.Leaf.value(leafSums(q, in)))
	t.Leaves = append(t.Leaves, slices.Repeat([]float64{q.Leaf.value(leafSums(q, out))}, len(t.Nodes))...)
	return t, nil
}

// complement returns the members of all, nil meaning 0 to n-1, that are not in
// part, which has the same order.
func complement(part, all []int32, n int) []int32 {
	rest := []int32{}
	k := 0
	eachOf(all, n, func(i int) {
		if k < len(part) && part[k] == int32(i) {
			k++
		} else {
			rest = append(rest, int32(i))
		}
	})
	return rest
}

// columnLiteral returns the best literal of one column, the first of equals, given the
// sums of all rows, in and out: the side of the split on which missing values are not.
func (e *engine) columnLiteral(c Criterion, column int, b bins, ta, tb int64) split {
	cuts := len(e.cols.Cuts(column))
	va, vb, _, _ := b.totals(cuts) // rows whose value is present
	best := noSplit
	t0, _ := e.weights.floats(ta, 0)
	step := settling(t0)
	var la, lb int64
	for i := range cuts {
		if b.a[i] == 0 {
			continue // the same partition as with the cut before
		}
		la += b.a[i]
		lb += b.b[i]
		for _, above := range [2]bool{false, true} {
			a, s := la, lb
			if above {
				a, s = va-la, vb-lb
			}
			if a <= 0 || ta-a <= 0 {
				continue
			}
			i0, i1 := e.weights.floats(a, s)
			o0, o1 := e.weights.floats(ta-a, tb-s)
			loss := c.split(i0, i1, o0, o1)
			if loss = float64(loss+step) - step; loss < best.loss {
				best = split{loss: loss, column: column, cut: i, missingLeft: above}
			}
		}
	}
	return best
}
