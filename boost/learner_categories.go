package boost

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Categories are weak learners over columns whose values are categories from
// 0 to 255, numbers without an order, as local binary patterns are: the best
// partition of the categories of one column into two blocks, a [Subset].
//
// Of the 2^255 partitions the best is found among 255: with the categories in
// the order of their mean target S1/S0, it is a beginning and the rest, for
// every criterion that is a concave function of a block's sums, which all are
// but GainRatio (Breiman, Friedman, Olshen and Stone, Classification and
// Regression Trees (1984), theorem 4.5).
//
// Of Data, values must be whole numbers from 0 to 255, or to 254 where some
// are missing. Columns of a [Problem] must have the cuts 0.5, 1.5 and so on, so
// that codes are categories. Missing values count as one category more. A
// category that no row of weight has goes to the heavier block.
type Categories struct{}

// Name returns "categories".
func (Categories) Name() string { return "categories" }

// Prepare checks that the columns hold categories.
func (Categories) Prepare(p *Problem, s *Settings) (Search, error) {
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

// categorise codes a table of categories.
func categorise(d *Data) (*Quantized, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	cuts := make([]float64, maxBins-1)
	for k := range cuts {
		cuts[k] = float64(k) + 0.5
	}
	q := &Quantized{rows: d.Rows(), codes: make([][]byte, len(d.Columns)), cuts: make([][]float64, len(d.Columns))}
	for j, c := range d.Columns {
		most, last := 0, maxBins-1
		if slices.ContainsFunc(c, math.IsNaN) {
			last--
		}
		for i, v := range c {
			if v == v && !(v >= 0 && v <= float64(last) && v == math.Trunc(v)) {
				return nil, fmt.Errorf("%w: column %d, row %d is %v, want a category: a whole number from 0 to %d", ErrData, j, i, v, last)
			}
			if v == v {
				most = max(most, int(v))
			}
		}
		q.cuts[j] = cuts[:most]
		q.codes[j] = encode(c, q.cuts[j])
	}
	return q, nil
}

type categorySearch struct {
	quantized
	found []partition // the best of each worker
}

// partition is a two-block partition of the bins of a column.
type partition struct {
	loss   float64
	column int // -1: there is none
	left   block

	// Scratch: the bins that have weight, later in the order of their means, and
	// the sums of each bin.
	keys   []uint64
	sorted []uint64
	s0, s1 [maxBins]float64
}

// block is a set of bins, the bin of missing values among them.
type block [4]uint64

func (b *block) add(bin int)      { b[bin/64] |= 1 << (bin % 64) }
func (b *block) has(bin int) bool { return b[bin/64]>>(bin%64)&1 != 0 }

func (f *categorySearch) Find(ctx context.Context, q *Query) (Weak, error) {
	e := f.engine
	for w := range f.found {
		f.found[w].loss, f.found[w].column = math.Inf(1), -1
	}
	err := e.each(ctx, q.Columns, e.weigh(q), func(worker, column int, b bins) {
		f.found[worker].offer(&e.weights, q.Criterion, column, b)
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
		s0, s1 := leafSums(q, q.Rows)
		return &Tree{Leaves: []float64{q.Leaf.Value(s0, s1)}}, nil
	}
	cuts := len(e.cols.Cuts(best.column))
	codes := e.cols.Codes(best.column, e.scratch[0].codes[0])
	var s0, s1 [2]float64
	sum := func(i int) {
		side := 1
		if best.left.has(int(codes[i])) {
			side = 0
		}
		s0[side] += q.Weights[i]
		s1[side] += float64(q.Weights[i] * q.Targets[i])
	}
	if q.Rows == nil {
		for i := range q.Weights {
			sum(i)
		}
	} else {
		for _, r := range q.Rows {
			sum(int(r))
		}
	}
	w := &Subset{
		Column: best.column, MissingLeft: cuts+1 < maxBins && best.left.has(cuts+1),
		Left: q.Leaf.Value(s0[0], s1[0]), Right: q.Leaf.Value(s0[1], s1[1]),
	}
	for c := range maxBins {
		// A value beyond the last cut has the last code, whatever it is.
		if best.left.has(min(c, cuts)) {
			w.In[c/32] |= 1 << (c % 32)
		}
	}
	return w, nil
}

// offer puts the best partition of a column into p, if it is better than what
// is there: of smaller loss, or of an earlier column.
func (p *partition) offer(w *fixed, c Criterion, column int, b bins) {
	p.keys = p.keys[:0]
	u0, u1 := w.units()
	var ta, tb int64
	bound := 0.0
	for i, a := range b.a {
		if a <= 0 {
			continue
		}
		ta += a
		tb += b.b[i]
		s0, s1 := float64(a)*u0, float64(b.b[i])*u1
		p.s0[i], p.s1[i] = s0, s1
		switch c {
		case ZeroOne:
			bound += zeroOne(s0, s1)
		case LeastSquares:
			bound += leastSquares(s0, s1)
		case Exponential:
			bound += exponential(s0, s1)
		case Gini:
			bound += gini(s0, s1)
		case GainRatio, Divergence: // no bound, and one that smoothing spoils
			bound = math.Inf(-1)
		default:
			bound += c.Block(s0, s1)
		}
		p.keys = append(p.keys, uint64(i))
	}
	// No two blocks are better than a block for each category, so most columns
	// need not be sorted. The margin is far more than what sums are rounded by.
	if len(p.keys) < 2 || bound > p.loss+1e-9*max(1, math.Abs(p.loss)) {
		return
	}
	p.sort()
	// The block with the first of the categories is the left one, so that the
	// order of the blocks does not hang on the signs of the labels.
	first := maxBins
	for _, k := range p.keys {
		first = min(first, int(k&0xff))
	}
	var low, left, all block
	for _, k := range p.keys {
		all.add(int(k & 0xff))
	}
	best, step := math.Inf(1), settling(float64(ta)*u0)
	var la, lb, weight int64
	for n, k := range p.keys[:len(p.keys)-1] {
		i := int(k & 0xff)
		low.add(i)
		la += b.a[i]
		lb += b.b[i]
		if p.keys[n+1]&^0xff == k&^0xff {
			continue // categories of the same mean stay together
		}
		l0, l1 := float64(la)*u0, float64(lb)*u1
		r0, r1 := float64(ta-la)*u0, float64(tb-lb)*u1
		var loss float64
		switch c {
		case ZeroOne:
			loss = zeroOne(l0, l1) + zeroOne(r0, r1)
		case LeastSquares:
			loss = leastSquares(l0, l1) + leastSquares(r0, r1)
		case Exponential:
			loss = exponential(l0, l1) + exponential(r0, r1)
		case Gini:
			loss = gini(l0, l1) + gini(r0, r1)
		default:
			loss = c.Split(l0, l1, r0, r1)
		}
		if loss = float64(loss+step) - step; !(loss <= best) {
			continue
		}
		set, heavy := low, la
		if !low.has(first) {
			heavy = ta - la
			for i := range set {
				set[i] ^= all[i]
			}
		}
		if loss < best || slices.Compare(set[:], left[:]) < 0 {
			best, left, weight = loss, set, heavy
		}
	}
	if math.IsInf(best, 1) || best > p.loss || (best == p.loss && p.column >= 0 && p.column < column) {
		return
	}
	if !heavier(ta-weight, weight) { // a tie goes to the left block
		for i := range left {
			left[i] |= ^all[i]
		}
	}
	p.loss, p.column, p.left = best, column, left
}

// sort puts p.keys, which are bins, in the order of their means, with what
// meanKey makes of the mean in front of each. The bins are few and their means lie
// together, so they are dealt out evenly first, which leaves little to sort.
func (p *partition) sort() {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, i := range p.keys {
		mean := p.s1[i] / p.s0[i]
		p.s1[i] = mean
		lo, hi = min(lo, mean), max(hi, mean)
	}
	scale := 255 / (hi - lo)
	if !(scale < math.MaxFloat64) {
		scale = 0 // all means are the same
	}
	var ends [maxBins]uint16
	for _, i := range p.keys {
		ends[uint8(float64((p.s1[i]-lo)*scale))]++
	}
	n := uint16(0)
	for k := range ends {
		n += ends[k]
		ends[k] = n
	}
	if cap(p.sorted) < maxBins {
		p.sorted = make([]uint64, maxBins)
	}
	sorted := p.sorted[:len(p.keys)]
	for _, i := range p.keys {
		e := &ends[uint8(float64((p.s1[i]-lo)*scale))]
		*e--
		sorted[*e] = meanKey(p.s1[i]) | i
	}
	for k := 1; k < len(sorted); k++ {
		v, j := sorted[k], k
		for ; j > 0 && sorted[j-1] > v; j-- {
			sorted[j] = sorted[j-1]
		}
		sorted[j] = v
	}
	p.keys, p.sorted = sorted, p.keys
}

// meanKey maps a mean to a number that has the same order and an empty byte at
// its end. Means that agree to 44 bits are the same.
func meanKey(mean float64) uint64 {
	b := math.Float64bits(mean) &^ 0xff
	switch {
	case mean == 0:
		b = 1 << 63
	case mean < 0:
		b = ^b
	default:
		b |= 1 << 63
	}
	return b &^ 0xff
}
