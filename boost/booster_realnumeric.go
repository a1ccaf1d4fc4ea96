package boost

import (
	"context"
	"math"
)

// RealNumeric is real AdaBoost with weak learners of any output: the
// coefficient that minimises the exponential loss has no closed form and is
// found by Newton's method.
//
// Schapire and Singer, Improved boosting algorithms using confidence-rated
// predictions, Machine Learning 37 (1999), section 3; Kivinen and Warmuth,
// Boosting as entropy projection, COLT 1999.
type RealNumeric struct {
	// Leaf defines the outputs of weak learners. The default is Mean.
	Leaf Leaf
}

// Name returns "realnumeric".
func (*RealNumeric) Name() string { return "realnumeric" }

func (b *RealNumeric) begin(st *state) error {
	st.Model.Link = DoubleLogisticLink
	return checkLeaf(b.Leaf)
}

func (b *RealNumeric) advance(ctx context.Context, st *state) (Status, error) {
	w, err := st.Find(ctx, query{Criterion: Exponential, Leaf: orMean(b.Leaf)})
	if err != nil || w == nil {
		return NoEdge, err
	}
	// Infinite outputs count as their signs, as in AdaBoostR.
	if w, err = st.bounded(w); err != nil {
		return Stopped, err
	}
	a, finite := st.minimise()
	if !finite {
		a = math.Copysign(coefficient(1), a)
		if a > 0 && st.perfect() {
			st.Edge, _ = st.edge()
			st.Z = st.shift(a)
			st.Append(w, a)
			st.reweigh()
			return st.separated(), nil
		}
	}
	return st.exponentialStep(w, a)
}

// minimise returns the a that minimises sum w exp(-a y h), by Newton's method
// inside a bracket. The function is convex; finite is false if it falls without
// bound, in the direction of a's sign.
func (st *state) minimise() (a float64, finite bool) {
	up, down := false, false
	scale := 0.0
	for i, h := range st.Out {
		if st.Weights[i] > 0 {
			m := h * st.Labels[i]
			up, down = up || m > 0, down || m < 0
			scale = max(scale, math.Abs(h))
		}
	}
	if !up || !down {
		switch {
		case up:
			return math.Inf(1), false
		case down:
			return math.Inf(-1), false
		}
		return 0, true
	}
	slopes := func(a float64) (first, second float64) {
		for i, h := range st.Out {
			if w := st.Weights[i]; w > 0 {
				m := h * st.Labels[i]
				t := float64(w * exp(-float64(a*m)))
				first -= float64(t * m)
				second += float64(t * m * m)
			}
		}
		return first, second
	}
	// A bracket: the slope rises with a and is zero at the minimum.
	step := 1 / scale
	lo, hi := -step, step
	for f, _ := slopes(lo); f > 0 && lo > -700/scale; f, _ = slopes(lo) {
		hi = lo
		lo *= 2
	}
	for f, _ := slopes(hi); f < 0 && hi < 700/scale; f, _ = slopes(hi) {
		lo = hi
		hi *= 2
	}
	if lo > 0 || hi < 0 {
		a = (lo + hi) / 2
	}
	return bracketed(lo, hi, a, slopes), true
}

// bracketed returns where a slope that rises is zero, by Newton's method from a on
// between lo and hi.
func bracketed(lo, hi, a float64, slopes func(a float64) (first, second float64)) float64 {
	for range 200 {
		f, s := slopes(a)
		if f > 0 {
			hi = a
		} else {
			lo = a
		}
		next := a - f/s
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-a) <= 1e-14*math.Abs(a) {
			return next
		}
		a = next
	}
	return a
}
