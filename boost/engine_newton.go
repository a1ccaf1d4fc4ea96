package boost

import (
	"cmp"
	"math"
	"slices"
)

// The second-order expansion of a loss about the scores is, for a leaf of value v
// whose rows have the sum of curvatures H and of gradients -G,
//
//	-G v + (H + L2) v^2 / 2,
//
// smallest for v = G/(H + L2), where it is -G^2/(2 (H + L2)). The losses of splits
// here are twice that. A penalty L1 |v| makes G smaller by L1, down to 0.
//
// Chen and Guestrin, XGBoost: a scalable tree boosting system, KDD 2016.

// value returns the value of a leaf.
func (n *newtonStep) value(h, g, lo, hi float64) float64 {
	if h += n.L2; !(h > 0) {
		return min(hi, max(lo, 0))
	}
	if n.L1 > 0 {
		g = math.Copysign(max(0, math.Abs(g)-n.L1), g)
	}
	return min(hi, max(lo, g/h))
}

// minWeight returns MinWeight less the rounding of sums.
func (n *newtonStep) minWeight() float64 { return n.MinWeight * (1 - 1e-9) }

// score returns twice the decrease of the loss by a leaf.
func (n *newtonStep) score(h, g, lo, hi float64) float64 {
	v := n.value(h, g, lo, hi)
	return 2*float64(g*v) - float64((h+n.L2)*v*v) - 2*float64(n.L1*math.Abs(v))
}

// newtonCut returns the best cut of a column for a leaf whose values lie between
// lo and hi, and whose sums are ta and tb, the first of equals. Missing values are
// tried on both sides; if there are none, they will go with the heavier side. A split
// whose loss is above bound may be left out.
func (e *engine) newtonCut(n *newtonStep, column int, b bins, ta, tb int64, lo, hi, bound float64) split {
	cuts := len(e.cols.Cuts(column))
	var ma, mb int64
	if cuts+1 < len(b.a) {
		ma, mb = b.a[cuts+1], b.b[cuts+1]
	}
	ta, tb = ta-ma, tb-mb
	u0, u1 := e.weights.units()
	step := settling(float64(ta+ma) * u0)
	minWeight := n.minWeight()
	direction := n.monotone(column)
	free := math.IsInf(lo, -1) && math.IsInf(hi, 1) && direction == 0 && n.L1 == 0
	best := noSplit
	try := func(cut int, la, lb, ra, rb int64, left bool) {
		lh, rh := float64(la)*u0, float64(ra)*u0
		if lh < minWeight || rh < minWeight {
			return
		}
		lg, rg := float64(lb)*u1, float64(rb)*u1
		var loss float64
		if free {
			lh, rh = lh+n.L2, rh+n.L2
			if !(lh > 0 && rh > 0) {
				return
			}
			loss = -float64(lg*(lg/lh)) - float64(rg*(rg/rh))
		} else {
			if d := float64(direction); d != 0 && float64(d*n.value(lh, lg, lo, hi)) > float64(d*n.value(rh, rg, lo, hi)) {
				return
			}
			loss = -n.score(lh, lg, lo, hi) - n.score(rh, rg, lo, hi)
		}
		if loss < best.loss { // or may not be after settling
			if loss = float64(loss+step) - step; loss < best.loss {
				best = split{loss: loss, column: column, cut: cut, missingLeft: left}
			}
		}
	}
	if free && ma == 0 && mb == 0 {
		return e.newtonFree(n, column, b, cuts, ta, tb, step, bound)
	}
	var la, lb int64
	for i := range cuts {
		if b.a[i] == 0 && b.b[i] == 0 {
			continue // the same partition as with the cut before
		}
		la += b.a[i]
		lb += b.b[i]
		if ma == 0 && mb == 0 {
			try(i, la, lb, ta-la, tb-lb, heavier(la, ta-la))
			continue
		}
		try(i, la, lb, ta-la+ma, tb-lb+mb, false)
		try(i, la+ma, lb+mb, ta-la, tb-lb, true)
	}
	if (ma != 0 || mb != 0) && direction == 0 {
		try(cuts, ta, tb, ma, mb, false)
	}
	return best
}

// newtonFree is newtonCut for the usual case: a column without missing values
// in a leaf without bounds. A loss that is surely above bound may be left out, so
// that most cuts take no division.
func (e *engine) newtonFree(n *newtonStep, column int, b bins, cuts int, ta, tb int64, step, bound float64) split {
	u0, u1 := e.weights.units()
	minWeight := n.minWeight()
	best := noSplit
	slack := float64(ta) * u0 * 0x1p-40 // more than settling
	limit := -bound*(1-1e-9) - slack
	var la, lb int64
	as, bs := b.a[:cuts], b.b[:cuts]
	// Of few rows most bins are empty, and which ones are is hard to predict.
	var at [maxBins]uint8
	filled := 0
	for i, a := range as {
		at[filled] = uint8(i)
		next := filled + 1
		if a|bs[i] != 0 {
			filled = next
		}
	}
	for _, i := range at[:filled] {
		la += as[i]
		lb += bs[i]
		lh, rh := float64(la)*u0, float64(ta-la)*u0
		if lh < minWeight {
			continue
		}
		if rh < minWeight {
			break
		}
		lg, rg := float64(lb)*u1, float64(tb-lb)*u1
		lh, rh = lh+n.L2, rh+n.L2
		if float64(lg*lg*rh)+float64(rg*rg*lh) < float64(limit*lh*rh) || !(lh > 0 && rh > 0) {
			continue
		}
		loss := -float64(lg*(lg/lh)) - float64(rg*(rg/rh))
		if loss < best.loss {
			if loss = float64(loss+step) - step; loss < best.loss {
				best = split{loss: loss, column: column, cut: int(i), missingLeft: heavier(la, ta-la)}
				limit = max(limit, -loss*(1-1e-9)-slack)
			}
		}
	}
	return best
}

// newtonSet returns the best partition of the levels of a categorical column
// among those that are a beginning in the order of their values, the missing
// values being one level more.
func (e *engine) newtonSet(n *newtonStep, column int, b bins, lo, hi float64) split {
	u0, u1 := e.weights.units()
	var order []int // bins with weight
	var seen, low, left block
	var ta, tb, la, lb, weight int64
	for i := range b.a {
		if b.a[i] != 0 || b.b[i] != 0 {
			ta += b.a[i]
			tb += b.b[i]
			order = append(order, i)
			seen.add(i)
		}
	}
	mean := func(i int) float64 {
		return n.value(float64(b.a[i])*u0, float64(b.b[i])*u1, math.Inf(-1), math.Inf(1))
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(mean(i), mean(j)), cmp.Compare(i, j)) })
	best, step := math.Inf(1), settling(float64(ta)*u0)
	for _, i := range order[:max(0, len(order)-1)] {
		la += b.a[i]
		lb += b.b[i]
		low.add(i)
		lh, rh := float64(la)*u0, float64(ta-la)*u0
		if lh < n.minWeight() || rh < n.minWeight() || !(lh+n.L2 > 0 && rh+n.L2 > 0) {
			continue
		}
		loss := -n.score(lh, float64(lb)*u1, lo, hi) - n.score(rh, float64(tb-lb)*u1, lo, hi)
		if loss = float64(loss+step) - step; loss < best {
			best, left, weight = loss, low, la
		}
	}
	if math.IsInf(best, 1) {
		return noSplit
	}
	if !heavier(ta-weight, weight) { // unseen levels go to the heavier side
		for i := range left {
			left[i] |= ^seen[i]
		}
	}
	return split{loss: best, column: column, in: &left}
}
