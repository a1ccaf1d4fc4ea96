package boost

import (
	"math"
	"slices"
)

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

// offer replaces p with the best partition of a column, if that is better: of
// smaller loss, or of an earlier column.
func (p *partition) offer(e *engine, c Criterion, column int, b bins) {
	p.keys = p.keys[:0]
	u0, u1 := e.weights.units()
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
			bound += e.block(c, s0, s1)
		}
		p.keys = append(p.keys, uint64(i))
	}
	// No two blocks are better than a block for each category, so most columns
	// need not be sorted. The margin is far larger than the rounding of sums.
	if len(p.keys) < 2 || bound > p.loss+1e-9*max(1, math.Abs(p.loss)) {
		return
	}
	p.sort()
	// The block with the first of the categories is the left one, so that the
	// order of the blocks does not depend on the signs of the labels.
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
		loss := e.split(c, l0, l1, r0, r1)
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

// sort sorts p.keys, which are bins, by their means, and puts meanKey of the
// mean in front of each. The bins are few and their means close together, so
// they are distributed evenly first, which leaves little to sort.
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

// meanKey maps a mean to a number in the same order with an empty last byte.
// Means that agree to 44 bits are the same.
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

// categorySplit is columnSplit of a categorical column: the best partition of its
// levels into two blocks, missing values being one level more.
func (e *engine) categorySplit(c Criterion, column int, b bins) split {
	p := partition{loss: math.Inf(1), column: -1}
	p.offer(e, c, column, b)
	if p.column < 0 {
		return noSplit
	}
	left := p.left
	return split{loss: p.loss, column: column, in: &left}
}
