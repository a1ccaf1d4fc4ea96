package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// A literal is true where a column's value is below a threshold, or where it
// is not below. It is false where the value is missing.
type literal struct {
	Column    int
	Threshold float64
	Above     bool // true from the threshold on, in place of below it
}

// Holds reports whether the literal is true for x.
func (l *literal) Holds(x []float64) bool {
	v := x[l.Column]
	if l.Above {
		return v >= l.Threshold
	}
	return v < l.Threshold
}

// A monomial is a conjunction of literals, with one output where all are true
// and another elsewhere. It is a decision tree of rank 1.
type monomial struct {
	Literals []literal
	In, Out  float64
}

// Value returns In where all literals are true, and else Out.
func (m *monomial) Value(x []float64) float64 {
	for i := range m.Literals {
		if !m.Literals[i].Holds(x) {
			return m.Out
		}
	}
	return m.In
}

// Columns returns the columns of the literals.
func (m *monomial) Columns() []int {
	cols := []int{}
	for _, l := range m.Literals {
		if !slices.Contains(cols, l.Column) {
			cols = append(cols, l.Column)
		}
	}
	return cols
}

func (m *monomial) mapLeaves(f func(float64) float64) Weak {
	return &monomial{Literals: m.Literals, In: f(m.In), Out: f(m.Out)}
}

// Monomials are conjunctions of a fixed number of literals, found greedily:
// each literal is the one that lowers the criterion most, given those before.
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

// maxLiterals bounds monomials, here and in files.
const maxLiterals = 1 << 12

type monomialSearch struct {
	quantized
	length    int
	criterion Criterion
}

func (f *monomialSearch) Find(ctx context.Context, q *query) (Weak, error) {
	e := f.engine
	e.weights.set(q.Weights, q.Targets)
	c := f.criterion.or(q.Criterion)
	if q.Real {
		c = LeastSquares
	}
	in := slices.Clone(orAll(q.Rows, e.rows))
	all := q.Rows // the rows to search: nil, meaning all, until some are excluded
	ta, tb := e.weights.sums(in)
	m := &monomial{}
	loss := math.Inf(1)
	for len(m.Literals) < f.length {
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
			if code := int(codes[r]); code <= len(cuts) && (code > s.cut) == s.above {
				in[n] = r
				n++
			}
		}
		in = in[:n]
		all = in
		m.Literals = append(m.Literals, literal{Column: s.column, Threshold: threshold(cuts, s.cut), Above: s.above})
	}
	// Excluded rows are summed separately: a difference would lose small
	// weights.
	out := complement(in, q.Rows, e.rows)
	m.In = q.Leaf.value(leafSums(q, in))
	m.Out = q.Leaf.value(leafSums(q, out))
	return m, nil
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

// columnLiteral returns the best literal of one column, the first of equals,
// given the sums of all rows, in and out.
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
				best = split{loss: loss, column: column, cut: i, above: above}
			}
		}
	}
	return best
}
