package boost

// shareLoss returns the loss of a block of sums s0 and s1 whose leaf minimises it, for
// phi, a permissible function of the fraction of class +1.
func shareLoss(phi func(float64) float64) func(s0, s1 float64) float64 {
	return func(s0, s1 float64) float64 {
		if !(s0 > 0) {
			return 0
		}
		return -float64(s0 * phi(min(1, max(0, (1+s1/s0)/2))))
	}
}

// phiSplit is columnSplit for a function of blocks that is concave in their sums.
func (e *engine) phiSplit(block func(s0, s1 float64) float64, column int, b bins) split {
	loss := func(l0, l1, r0, r1 float64) float64 { return block(l0, l1) + block(r0, r1) }
	if e.categorical(column) {
		best := noSplit
		best.column = column
		// Blocks are a prefix and the rest in the order of means, as in offer.
		mean := func(i int) float64 { return float64(b.b[i]) / float64(b.a[i]) }
		order, at := inOrder(b, mean, func(la, lb, ra, rb int64) bool {
			if la <= 0 || ra <= 0 {
				return false
			}
			l0, l1 := e.weights.floats(la, lb)
			r0, r1 := e.weights.floats(ra, rb)
			step := settling(l0 + r0)
			v := float64(loss(l0, l1, r0, r1)+step) - step
			better := v < best.loss
			best.loss = min(best.loss, v)
			return better
		})
		if at < 0 {
			return noSplit
		}
		best.in = e.setOf(order, at, b)
		return best
	}
	return e.cutsWithMissing(loss, column, b, len(e.cols.Cuts(column)))
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
