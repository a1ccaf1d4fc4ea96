package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// BrownBoost gives up on rows that are wrong too often. The target error, which
// is known from the start, determines the total time. Each weak learner uses up
// time as it moves the scores, and a row that is too far behind for the
// remaining time has little weight. The run ends with the time.
//
// With margins r = y F, time left s, total time c, and weights
// exp(-(r+s)^2/c), each round solves for the step a and the time t that it takes
//
//	sum w0 y h exp(-(r + a y h + s - t)^2 / c) = 0
//	sum w0 (erf((r + a y h + s - t)/sqrt c) - erf((r + s)/sqrt c)) = 0
//
// where w0 are the weights at the start. When the time is up the mean of
// 1 - y erf(F/sqrt c) is what it was at the start, 1 - erf(sqrt c), which is the
// target; as a wrong row has at least 1 in it, the training error is below.
//
// The probability of class +1 is (1 + erf(F/sqrt c))/2.
//
// A weak learner without error ends the run, with a coefficient of about 14; the
// paper's equations have no solution then.
//
// Freund, An adaptive version of the boost by majority algorithm, Machine
// Learning 43 (2001).
type BrownBoost struct {
	// Error is the target error, between 0 and 1: the mean of |p - y| with p =
	// erf(F/sqrt c); the fraction of wrong rows is below it. 0 means 0.1. The
	// smaller, the more BrownBoost resembles AdaBoost.
	Error float64
}

// Name returns "brown".
func (*BrownBoost) Name() string { return "brown" }

func (b *BrownBoost) begin(st *state) error {
	target := cmp.Or(b.Error, 0.1)
	if !(target > 0 && target < 1) {
		return fmt.Errorf("%w: Error %v, want 0 to 1", ErrSettings, b.Error)
	}
	root := rootOfErf(1 - target)
	c := float64(root * root)
	st.Memory = []float64{c, c} // the time left, and all the time
	st.Model.Link, st.Model.LinkScale = erfLink, math.Sqrt(c)
	b.reweigh(st)
	return nil
}

// reweigh sets the weights for the time left.
func (b *BrownBoost) reweigh(st *state) {
	s, c := st.Memory[0], st.Memory[1]
	st.exponents(func(i int) float64 {
		v := st.Labels[i]*st.Scores[i] + s
		return -float64(v*v) / c
	})
}

func (b *BrownBoost) advance(ctx context.Context, st *state) (Status, error) {
	w, edge, err := st.signed(ctx)
	if err != nil || w == nil {
		return NoEdge, err
	}
	if edge < tiny {
		return NoEdge, nil
	}
	perfect := edge > 1-tiny && st.perfect()
	if perfect && st.separated() == Separated {
		st.Append(w, coefficient(1))
		return Separated, nil
	}
	s, c := st.Memory[0], st.Memory[1]
	step := newBrownStep(st, s, c)
	a, t, done := coefficient(1), s, true
	if !perfect {
		a, t, done = step.solve()
	}
	if !(a > 0) {
		return NoEdge, nil
	}
	a = st.Append(w, a)
	if st.settings.Shrinkage < 1 { // a smaller step takes less time
		t = step.time(a)
		done = t >= s
	}
	st.Memory[0] = s - t
	b.reweigh(st)
	if done {
		return GoalMet, nil
	}
	return Going, nil
}

// brownStep is the two equations of one round.
type brownStep struct {
	start  []float64 // r + s
	erf    []float64 // of start over the root of c
	move   []float64 // y h
	weight []float64
	s, c   float64
}

func newBrownStep(st *state, s, c float64) *brownStep {
	b := &brownStep{s: s, c: c}
	for i, h := range st.Out {
		if st.Base[i] > 0 {
			v := float64(st.Labels[i]*st.Scores[i]) + s
			b.start = append(b.start, v)
			b.erf = append(b.erf, erf(v/math.Sqrt(c)))
			b.move = append(b.move, st.Labels[i]*h)
			b.weight = append(b.weight, st.Base[i])
		}
	}
	return b
}

// at returns the two left sides at a step a and a time t, both for the same
// unit: the second over 2/sqrt(pi c), the slope of erf; and their derivatives.
func (b *brownStep) at(a, t float64) (corr, pot, corrA, corrT, potA, potT float64) {
	root := math.Sqrt(b.c)
	unit := root * rootPi / 2
	for i, v := range b.start {
		m := b.move[i]
		u := v + float64(a*m) - t
		e := float64(b.weight[i] * exp(-float64(u*u)/b.c))
		corr += float64(m * e)
		pot += float64(b.weight[i] * unit * (erf(u/root) - b.erf[i]))
		d := float64(-2 * u / b.c * e) // derivative of e by u
		corrA += float64(m * m * d)
		corrT -= float64(m * d)
		potA += float64(m * e)
		potT -= e
	}
	return corr, pot, corrA, corrT, potA, potT
}

// solve returns the step and the time it takes. done means that the time left
// has run out first: then only the second equation holds.
func (b *brownStep) solve() (a, t float64, done bool) {
	if a, t, ok := b.newton(); ok {
		return a, t, false
	}
	// On the curve on which the second equation holds the step grows with the
	// time; the correlation on it starts above zero. Find where it is zero, or
	// where the curve reaches the end.
	lo, hi := 0.0, 0.0
	ended := false
	for step := math.Sqrt(b.c) / 8; ; step *= 2 {
		hi = lo + step
		end := b.time(hi)
		if end >= b.s {
			ended = true
			break
		}
		if corr, _, _, _, _, _ := b.at(hi, end); corr <= 0 {
			break
		}
		if lo = hi; hi > 1e6 {
			return hi, end, false
		}
	}
	for hi-lo > 1e-12*hi {
		mid := (lo + hi) / 2
		end := b.time(mid)
		corr, _, _, _, _, _ := b.at(mid, end)
		if end >= b.s || corr <= 0 {
			hi = mid
			ended = corr > 0
		} else {
			lo = mid
		}
	}
	t = min(b.time(lo), b.s)
	return lo, t, ended
}

// newton is Newton's method for both equations at once, from a step of zero, as
// in the paper. ok is false if it leaves the valid region.
func (b *brownStep) newton() (a, t float64, ok bool) {
	total := 0.0
	for _, w := range b.weight {
		total += w
	}
	for range 60 {
		corr, pot, ca, ct, pa, pt := b.at(a, t)
		det := float64(ca*pt) - float64(ct*pa)
		if det == 0 || det-det != 0 {
			return 0, 0, false
		}
		da := (float64(corr*pt) - float64(pot*ct)) / det
		dt := (float64(ca*pot) - float64(pa*corr)) / det
		a, t = a-da, t-dt
		if !(a >= 0 && t >= 0 && t < b.s) {
			return 0, 0, false
		}
		if math.Abs(da) <= 1e-13*(1+a) && math.Abs(dt) <= 1e-13*(1+t) {
			// A zero of the equations far out, where all is flat, is none.
			if corr, pot, _, _, _, pt := b.at(a, t); math.Abs(corr) <= 1e-10*-pt && math.Abs(pot) <= 1e-9*total && a > 0 {
				return a, t, true
			}
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// time returns the t that solves the second equation for a given step, which
// is unique; at most the time left.
func (b *brownStep) time(a float64) float64 {
	if _, pot, _, _, _, _ := b.at(a, b.s); pot >= 0 {
		return b.s
	}
	lo, hi := math.Inf(1), b.s // the left side falls with t
	for _, m := range b.move {
		lo = min(lo, a*m)
	}
	lo = min(lo, 0)
	t := max(lo, 0)
	for range 100 {
		_, pot, _, _, _, slope := b.at(a, t)
		if pot > 0 {
			lo = t
		} else {
			hi = t
		}
		next := t - pot/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-t) <= 1e-14*(1+math.Abs(t)) {
			return next
		}
		t = next
	}
	return t
}
