package boost

import (
	"context"
	"math"
	"slices"
)

// A visit calls f with the bins of each column, as engine.each does.
type visit func(f func(worker, column int, b bins)) error

// over is the visit of the listed columns and rows, nil meaning all.
func (e *engine) over(ctx context.Context, columns, rows []int32) visit {
	return func(f func(worker, column int, b bins)) error { return e.each(ctx, columns, rows, f) }
}

// overFew is over for few rows of codes in memory: without a look at empty bins.
func (e *engine) overFew(ctx context.Context, columns, rows []int32) visit {
	n := listed(columns, e.cols.Len())
	return func(f func(worker, column int, b bins)) error {
		return e.parallel(ctx, n, batch, n*len(rows), func(worker, lo, hi int) {
			all := e.scratch[worker].empty
			for k := lo; k < hi; k++ {
				j := column(columns, k)
				size, codes := e.binsOf(j), e.cols.Codes(j, nil)
				b := bins{all.a[:size], all.b[:size]}
				for _, r := range rows {
					x, y := e.weights.at(int(r))
					b.a[codes[r]] += x
					b.b[codes[r]] += y
				}
				f(worker, j, b)
				for _, r := range rows {
					b.a[codes[r]], b.b[codes[r]] = 0, 0
				}
			}
		})
	}
}

// bestSplit returns the split with the smallest loss.
func (e *engine) bestSplit(c Criterion, columns visit) (split, error) {
	if c == GainRatio {
		return e.bestRatio(columns)
	}
	best := e.noSplits()
	err := columns(func(worker, column int, b bins) {
		best.offer(worker, e.columnSplit(c, column, b))
	})
	return best.best(), err
}

// bestRatio is bestSplit as in C4.5: in each column the split with the largest
// gain of entropy; among columns whose gain is at least the average over those
// with any, the one with the largest gain ratio.
//
// Quinlan, C4.5: Programs for Machine Learning (1993), section 2.2.
func (e *engine) bestRatio(columns visit) (split, error) {
	found := slices.Repeat([]candidate{{split: noSplit}}, e.cols.Len())
	err := columns(func(_, column int, b bins) {
		found[column] = e.entropySplit(column, b)
	})
	if err != nil {
		return noSplit, err
	}
	sum, n := 0.0, 0
	for _, f := range found {
		if f.gain > tiny {
			sum += f.gain
			n++
		}
	}
	best := noSplit
	for _, f := range found {
		// Average and sum are rounded: a gain that is the average must pass.
		if n > 0 && f.gain*float64(n) < sum*(1-1e-9) {
			continue
		}
		if f.split.before(best) {
			best = f.split
		}
	}
	return best, nil
}

// candidate is a column's best split by entropy, with minus the gain ratio as
// its loss, and its gain.
type candidate struct {
	split split
	gain  float64
}

func (e *engine) entropySplit(column int, b bins) candidate {
	s := e.columnSplit(Entropy, column, b)
	if s.column < 0 {
		return candidate{split: noSplit}
	}
	cuts := len(e.cols.Cuts(column))
	var a, z [2]int64
	for i := range b.a {
		side := 1
		if s.left(byte(i), cuts) {
			side = 0
		}
		a[side] += b.a[i]
		z[side] += b.b[i]
	}
	l0, l1 := e.weights.floats(a[0], z[0])
	r0, r1 := e.weights.floats(a[1], z[1])
	total := l0 + r0
	gain := (Entropy.block(e.weights.floats(a[0]+a[1], z[0]+z[1])) - s.loss) / total
	s.loss = GainRatio.split(l0, l1, r0, r1)
	return candidate{s, max(0, gain)}
}

// splits holds the best split of each worker. The best of all does not depend
// on the assignment of columns.
type splits []split

func (e *engine) noSplits() splits {
	return slices.Repeat(splits{noSplit}, e.workers)
}

func (s splits) offer(worker int, t split) {
	if t.before(s[worker]) {
		s[worker] = t
	}
}

func (s splits) best() split {
	best := noSplit
	for _, t := range s {
		if t.before(best) {
			best = t
		}
	}
	return best
}

// columnSplit returns the best split of one column, the first of equals. Both
// sides of a split have weight. Missing values are tried on both sides; if
// there are none, a missing value will go with the heavier side.
func (e *engine) columnSplit(c Criterion, column int, b bins) split {
	if e.categorical(column) {
		return e.categorySplit(c, column, b)
	}
	cuts := len(e.cols.Cuts(column))
	if cuts+1 < len(b.a) && b.a[cuts+1] != 0 {
		return e.cutsWithMissing(c, column, b, cuts)
	}
	return e.bestCut(c, column, b, cuts)
}

// totals returns the sums of the bins of a column with that many cuts, and those of
// the bin of missing values.
func (b bins) totals(cuts int) (ta, tb, ma, mb int64) {
	for i := range cuts + 1 {
		ta += b.a[i]
		tb += b.b[i]
	}
	if cuts+1 < len(b.a) {
		ma, mb = b.a[cuts+1], b.b[cuts+1]
	}
	return ta, tb, ma, mb
}

// bestCut is columnSplit for a column that has no missing values.
func (e *engine) bestCut(c Criterion, column int, b bins, cuts int) split {
	u0, u1 := e.weights.units()
	ta, tb, _, _ := b.totals(cuts)
	step := settling(float64(ta) * u0)
	best, cut, heavyLeft := math.Inf(1), 0, false
	var la, lb int64
	as, bs := b.a[:cuts], b.b[:cuts]
	for i, a := range as {
		if a == 0 {
			continue // the same partition as with the cut before
		}
		la += a
		lb += bs[i]
		if la == ta {
			break
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
			loss = e.split(c, l0, l1, r0, r1)
		}
		if loss < best { // or may not be after settling
			if loss = float64(loss+step) - step; loss == best {
				continue
			}
			best, cut, heavyLeft = loss, i, heavier(la, ta-la)
		}
	}
	if math.IsInf(best, 1) {
		return noSplit
	}
	return split{loss: best, column: column, cut: cut, missingLeft: heavyLeft}
}

// cutsWithMissing is bestCut for a column in which some weight may be on missing
// values. The cut after the last separates them from all others.
func (e *engine) cutsWithMissing(c Criterion, column int, b bins, cuts int) split {
	ta, tb, ma, mb := b.totals(cuts)
	best := noSplit
	t0, _ := e.weights.floats(ta+ma, 0)
	step := settling(t0)
	try := func(cut int, la, lb, ra, rb int64, left bool) {
		if la <= 0 || ra <= 0 {
			return
		}
		l0, l1 := e.weights.floats(la, lb)
		r0, r1 := e.weights.floats(ra, rb)
		v := e.split(c, l0, l1, r0, r1)
		if v = float64(v+step) - step; v < best.loss {
			best = split{loss: v, column: column, cut: cut, missingLeft: left}
		}
	}
	var la, lb int64
	for i := range cuts + 1 {
		if b.a[i] == 0 {
			continue // the same partition as with the cut before
		}
		la += b.a[i]
		lb += b.b[i]
		switch {
		case la == ta:
			try(cuts, la, lb, ma, mb, false)
			return best
		case ma == 0:
			try(i, la, lb, ta-la, tb-lb, heavier(la, ta-la))
		default:
			try(i, la, lb, ta-la+ma, tb-lb+mb, false)
			try(i, la+ma, lb+mb, ta-la, tb-lb, true)
		}
	}
	return best
}
