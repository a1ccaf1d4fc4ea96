package boost

import "math"

// A Loss is the cost of a score where a target is known: a function that is
// convex in the score, by which [Newton] fits trees. Callers can implement
// their own.
//
// For two classes the target y is -1 or +1; for regression it is any number.
type Loss interface {
	// Name is a short word for files and tables.
	Name() string

	// Value is the loss of score f for the target y, Gradient its derivative by
	// f, and Curvature the second one, at least 0. A piecewise linear loss,
	// which has no curvature, returns 1: then steps are gradient steps.
	Value(y, f float64) float64
	Gradient(y, f float64) float64
	Curvature(y, f float64) float64

	// Inverse is the inverse link: the mean of the target for a score, which
	// for two classes is the probability of +1. Link is the score for a mean.
	// For a loss without a mean both are NaN.
	Inverse(f float64) float64
	Link(mean float64) float64
}

// A MarginLoss is a loss of two classes that depends on the margin m = y f alone.
type MarginLoss interface {
	Loss

	// MarginValue is the loss of a margin, Weight minus its derivative, and
	// MarginCurvature its second derivative.
	MarginValue(m float64) float64
	Weight(m float64) float64
	MarginCurvature(m float64) float64
}

// straight is a piecewise linear loss: the best output of a leaf is searched
// for.
type straight interface{ straight() }

// restricted is a loss that restricts targets.
type restricted interface {
	// allows reports whether y can be a target, and wants describes valid ones.
	allows(y float64) bool
	wants() string
}

// linked is a loss whose inverse link is known to files.
type linked interface{ link() Link }

// constant returns the best score for all listed rows, nil meaning all, to add
// to the scores from: where the loss's slope is zero. If that is an interval it
// is its middle, or its finite end.
func constant(l Loss, y, weights, from []float64, rows []int32) float64 {
	if _, ok := l.(straight); !ok {
		return minimum(l, y, weights, from)
	}
	size := 0.0
	slope := func(a float64) float64 {
		sum := 0.0
		size = 0
		eachOf(rows, len(y), func(i int) {
			if w := weights[i]; w > 0 {
				g := float64(w * l.Gradient(y[i], from[i]+a))
				sum += g
				size += math.Abs(g)
			}
		})
		if math.Abs(sum) <= 1e-12*size {
			return 0 // but for rounding
		}
		return sum
	}
	// The slope rises. turn returns where it is first not below 0, or above it.
	turn := func(above bool) float64 {
		low := func(a float64) bool {
			s := slope(a)
			return s < 0 || above && s == 0
		}
		lo, hi := -1.0, 1.0
		for !low(lo) && lo > -farthest {
			hi = lo
			lo *= 4
		}
		for low(hi) && hi < farthest {
			lo = hi
			hi *= 4
		}
		for hi-lo > 1e-13*max(1, math.Abs(lo), math.Abs(hi)) {
			mid := lo/2 + hi/2
			if mid <= lo || mid >= hi {
				break
			}
			if low(mid) {
				lo = mid
			} else {
				hi = mid
			}
		}
		return lo/2 + hi/2
	}
	first, last := turn(false), turn(true)
	switch {
	case first <= -farthest/2 && last >= farthest/2:
		return 0
	case first <= -farthest/2:
		return last
	case last >= farthest/2:
		return first
	}
	return first/2 + last/2
}

// minimum is constant for all rows and a loss without stretches, by Newton's method
// within a bracket.
func minimum(l Loss, y, weights, from []float64) float64 {
	slopes := func(a float64) (g, h float64) {
		// Of two classes and equal scores, two rows' slopes are those of all.
		var known [2]struct {
			t, from, g, h float64
			filled        bool
		}
		for i, t := range y {
			w := weights[i]
			if !(w > 0) {
				continue
			}
			k := 0
			if t > 0 {
				k = 1
			}
			r := &known[k]
			if !r.filled {
				r.t, r.from, r.filled = t, from[i], true
				r.g, r.h = l.Gradient(t, from[i]+a), l.Curvature(t, from[i]+a)
			}
			if r.t == t && r.from == from[i] {
				g += float64(w * r.g)
				h += float64(w * r.h)
				continue
			}
			g += float64(w * l.Gradient(t, from[i]+a))
			h += float64(w * l.Curvature(t, from[i]+a))
		}
		return g, h
	}
	lo, hi, a := math.Inf(-1), math.Inf(1), 0.0
	for range 200 {
		g, h := slopes(a)
		if g < 0 {
			lo = a
		} else {
			hi = a
		}
		next := a - g/h
		switch {
		case g == 0:
			return a
		case next > lo && next < hi && math.Abs(next-a) < 1+math.Abs(a):
		case math.IsInf(lo, -1):
			next = 2*min(a, -1) + 0.5
		case math.IsInf(hi, 1):
			next = 2*max(a, 1) - 0.5
		default:
			next = lo/2 + hi/2
		}
		if math.Abs(next) > farthest || math.Abs(next-a) <= 1e-14*math.Abs(next) {
			return next
		}
		a = next
	}
	return a
}

// farthest is beyond any sensible score: searches end there.
const farthest = 1 << 50
