package boost

import (
	"cmp"
	"math"
	"slices"
)

// phiSplit is columnSplit for a function of blocks that is concave in their sums.
func (e *engine) phiSplit(block func(s0, s1 float64) float64, column int, b bins) split {
	cuts := len(e.cols.Cuts(column))
	var ta, tb, ma, mb int64
	for i := range b.a {
		if i <= cuts || e.categorical(column) {
			ta += b.a[i]
			tb += b.b[i]
		} else {
			ma, mb = b.a[i], b.b[i]
		}
	}
	t0, _ := e.weights.floats(ta+ma, 0)
	step := settling(t0)
	best := noSplit
	try := func(s split, la, lb, ra, rb int64) {
		if la <= 0 || ra <= 0 {
			return
		}
		l0, l1 := e.weights.floats(la, lb)
		r0, r1 := e.weights.floats(ra, rb)
		s.loss = block(l0, l1) + block(r0, r1)
		if s.loss = float64(s.loss+step) - step; s.loss < best.loss {
			best = s
		}
	}
	if e.categorical(column) {
		// Blocks are a prefix and the rest in the order of means, as in offer.
		var order []int
		for i, a := range b.a {
			if a > 0 {
				order = append(order, i)
			}
		}
		mean := func(i int) float64 { return float64(b.b[i]) / float64(b.a[i]) }
		slices.SortFunc(order, func(i, j int) int {
			if c := cmp.Compare(mean(i), mean(j)); c != 0 {
				return c
			}
			return cmp.Compare(i, j)
		})
		var la, lb int64
		at := -1
		for k := range max(0, len(order)-1) {
			la += b.a[order[k]]
			lb += b.b[order[k]]
			before := best.loss
			if try(split{column: column}, la, lb, ta-la, tb-lb); best.loss < before {
				at = k
			}
		}
		if at < 0 {
			return noSplit
		}
		best.in = e.setOf(order, at, b)
		return best
	}
	var la, lb int64
	for i := range cuts {
		if b.a[i] == 0 {
			continue // the same partition as with the cut before
		}
		la += b.a[i]
		lb += b.b[i]
		if la == ta {
			break
		}
		if ma == 0 {
			try(split{column: column, cut: i, missingLeft: heavier(la, ta-la)}, la, lb, ta-la, tb-lb)
			continue
		}
		try(split{column: column, cut: i}, la, lb, ta-la+ma, tb-lb+mb)
		try(split{column: column, cut: i, missingLeft: true}, la+ma, lb+mb, ta-la, tb-lb)
	}
	if ma > 0 {
		try(split{column: column, cut: cuts}, ta, tb, ma, mb)
	}
	if math.IsInf(best.loss, 1) {
		return noSplit
	}
	return best
}

// setOf returns a partition as in offer: the block of the first level on the
// left, with unseen levels on the heavier side.
func (e *engine) setOf(order []int, at int, b bins) *block {
	var low, all block
	first := maxBins
	var la, ta int64
	for k, i := range order {
		all.add(i)
		ta += b.a[i]
		first = min(first, i)
		if k <= at {
			low.add(i)
			la += b.a[i]
		}
	}
	left, weight := low, la
	if !low.has(first) {
		weight = ta - la
		for i := range left {
			left[i] ^= all[i]
		}
	}
	if !heavier(ta-weight, weight) { // a tie goes to the left block
		for i := range left {
			left[i] |= ^all[i]
		}
	}
	return &left
}
