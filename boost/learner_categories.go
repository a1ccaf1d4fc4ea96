package boost

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Categories are weak learners over columns whose values are categories from
// 0 to 255, numbers without an order, as local binary patterns are: the best
// partition of the categories of one column into two blocks, a [Tree] of one node.
//
// Of the 2^255 partitions the best is among 255: with the categories in the
// order of their mean target S1/S0, it is a prefix and the rest, for every
// criterion that is a concave function of a block's sums, which all are but
// GainRatio (Breiman, Friedman, Olshen and Stone, Classification and Regression
// Trees (1984), theorem 4.5).
//
// Values of Data must be integers from 0 to 255, or to 254 where some are
// missing. Columns of a [Problem] must have the cuts 0.5, 1.5 and so on, so
// that codes are categories. Missing values count as one more category. A
// category without weight goes to the heavier block.
type Categories struct{}

// Name returns "categories".
func (Categories) Name() string { return "categories" }

func (Categories) prepare(p *Problem, s *Settings) (searcher, error) {
	cols := p.Columns
	if cols == nil {
		var err error
		if cols, err = categorise(p.Data); err != nil {
			return nil, err
		}
	}
	var known []float64 // columns often share their cuts
	for j := range cols.Len() {
		cuts := cols.Cuts(j)
		if len(cuts) > 0 && len(cuts) <= len(known) && &cuts[0] == &known[0] {
			continue
		}
		for k, c := range cuts {
			if c != float64(k)+0.5 {
				return nil, fmt.Errorf("%w: cut %d of column %d is %v, want %v: Categories need codes that are categories", ErrSettings, k, j, c, float64(k)+0.5)
			}
		}
		known = cuts
	}
	f := &categorySearch{}
	f.engine = newEngine(cols, s.Workers)
	f.found = make([]partition, f.engine.workers)
	return f, nil
}

// categorise quantises a table of categories.
func categorise(d *Data) (*byteColumns, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	q := &byteColumns{rows: d.Rows(), codes: make([][]byte, len(d.Columns)), cuts: make([][]float64, len(d.Columns))}
	for j, c := range d.Columns {
		highest, last := 0, maxBins-1
		if slices.ContainsFunc(c, math.IsNaN) {
			last--
		}
		for i, v := range c {
			if v == v && !(v >= 0 && v <= float64(last) && v == math.Trunc(v)) {
				return nil, fmt.Errorf("%w: column %d, row %d is %v, want a category: a whole number from 0 to %d", ErrData, j, i, v, last)
			}
			if v == v {
				highest = max(highest, int(v))
			}
		}
		q.cuts[j] = levelCuts[:highest]
		q.codes[j], _ = encode(c, q.cuts[j])
	}
	return q, nil
}

type categorySearch struct {
	quantized
	found []partition // the best of each worker
}

func (f *categorySearch) Find(ctx context.Context, q *query) (Weak, error) {
	e := f.engine
	for w := range f.found {
		f.found[w].loss, f.found[w].column = math.Inf(1), -1
	}
	err := e.each(ctx, q.Columns, e.weigh(q), func(worker, column int, b bins) {
		f.found[worker].offer(e, q.Criterion, column, b)
	})
	if err != nil {
		return nil, err
	}
	best := &f.found[0]
	for w := range f.found {
		p := &f.found[w]
		if p.column >= 0 && (best.column < 0 || p.loss < best.loss || (p.loss == best.loss && p.column < best.column)) {
			best = p
		}
	}
	if best.column < 0 {
		return oneLeaf(q), nil
	}
	codes := e.cols.Codes(best.column, e.scratch[0].codes[0])
	found := split{column: best.column, in: &best.left}
	return &Tree{
		Nodes:  []Node{found.node(e.cols.Cuts(best.column), 0, -1)},
		Leaves: leafPair(q, func(i int) bool { return best.left.has(int(codes[i])) }),
	}, nil
}
