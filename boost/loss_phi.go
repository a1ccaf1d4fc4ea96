package boost

import (
	"cmp"
	"errors"
	"fmt"
	"math"
)

// Phi is the loss of a permissible function phi: one that is convex on [0, 1],
// symmetric about 1/2, and differentiable inside. It determines the loss
// completely:
//
//	weight       w(m) = phi'^-1(-m), within [0, 1]
//	loss         F(m) = phi*(-m) = -m w(m) - phi(w(m)), the Legendre conjugate
//	curvature    F''(m) = 1/phi''(w(m))
//	link         the score of probability p is phi'(p)
//	probability  of score f is phi'^-1(f)
//
// Only Function must be given; the rest is found numerically, to about six digits
// if Slope is missing and to twelve otherwise.
//
// Nock and Nielsen, Bregman divergences and surrogates for learning, PAMI 31 (2009).
type Phi struct {
	// Word is the loss's name. Empty means "phi".
	Word string

	// Function is phi, Slope its derivative and Bend its second derivative.
	Function, Slope, Bend func(w float64) float64

	// Dual is the inverse of Slope.
	Dual func(score float64) float64
}

// Loss returns the loss of a permissible function. A function that is none is an
// error: one that is not convex, as where its sign is wrong, not symmetric about 1/2,
// or not finite, and a Slope, Bend or Dual that is not its own.
func (p *Phi) Loss() (MarginLoss, error) {
	l := &phiLoss{*p}
	return l, l.check()
}

// phiLoss is the loss of a checked [Phi].
type phiLoss struct{ Phi }

func (l *phiLoss) Name() string { return cmp.Or(l.Word, "phi") }

// slope returns phi' of a w between 0 and 1.
func (l *phiLoss) slope(w float64) float64 {
	if l.Slope != nil {
		return l.Slope(w)
	}
	h := min(1e-5, w/2, (1-w)/2)
	return (l.Function(w+h) - l.Function(w-h)) / (2 * h)
}

// dual returns phi'^-1 of a score, cut off at 0 and 1.
func (l *phiLoss) dual(score float64) float64 {
	switch {
	case l.Dual != nil:
		return min(1, max(0, l.Dual(score)))
	case score > 0: // by symmetry, since there are more numbers near 0 than near 1
		return 1 - l.dual(-score)
	case score == 0:
		return 0.5
	}
	// In the logarithm of w, so that small weights are as precise. A slope by
	// differences is noise where w is below the rounding of phi: use that range
	// only if necessary.
	lo, hi := -14.0, log(0.5)
	if l.slope(exp(lo)) > score {
		lo, hi = -700, lo
	}
	mid := (lo + hi) / 2
	for range 60 {
		w := exp(mid)
		s := l.slope(w)
		if s < score {
			lo = mid
		} else {
			hi = mid
		}
		if l.Bend != nil { // Newton's step
			step := (s - score) / float64(l.Bend(w)*w)
			if next := mid - step; next > lo && next < hi {
				if mid = next; math.Abs(step) < 1e-10 { // the next one is below rounding
					hi = mid
					break
				}
				continue
			}
		}
		mid = (lo + hi) / 2
	}
	if w := exp(hi); w > 1e-300 {
		return w
	}
	return 0
}

func (l *phiLoss) MarginValue(m float64) float64 {
	w := l.dual(-m)
	return -float64(m*w) - l.Function(w)
}

func (l *phiLoss) Weight(m float64) float64 { return l.dual(-m) }

func (l *phiLoss) MarginCurvature(m float64) float64 { return l.bend(l.dual(-m)) }

// bend returns the curvature of the loss where the weight is w.
func (l *phiLoss) bend(w float64) float64 {
	if !(w > 0 && w < 1) {
		return 0
	}
	if l.Bend != nil {
		return 1 / l.Bend(w)
	}
	h := 1e-3 * min(w, 1-w)
	return 2 * h / (l.slope(w+h) - l.slope(w-h))
}

func (l *phiLoss) Value(y, f float64) float64 { return l.MarginValue(y * f) }

func (l *phiLoss) Gradient(y, f float64) float64 { return -float64(y * l.Weight(y*f)) }

func (l *phiLoss) Curvature(y, f float64) float64 { return l.MarginCurvature(y * f) }

func (l *phiLoss) Inverse(f float64) float64 { return l.dual(f) }

func (l *phiLoss) Link(p float64) float64 {
	switch {
	case p <= 0:
		return l.slope(math.SmallestNonzeroFloat64)
	case p >= 1:
		return -l.slope(math.SmallestNonzeroFloat64)
	}
	return l.slope(p)
}

func (l *phiLoss) allows(y float64) bool { return isClass(y) }
func (l *phiLoss) wants() string         { return wantClasses }

// check reports why a function is not permissible, by its values at some places.
func (l *phiLoss) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s: %s", ErrSettings, l.Name(), fmt.Sprintf(format, args...))
	}
	if l.Function == nil {
		return bad("Function is missing")
	}
	if err := checkPhi(l.Function); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrSettings, l.Name(), err)
	}
	numeric := &phiLoss{Phi{Function: l.Function}}
	size := math.Abs(l.Function(0.25)-l.Function(0.5)) + tiny
	for _, w := range []float64{0.05, 0.2, 0.4, 0.7, 0.9} {
		s := numeric.slope(w)
		if v := l.slope(w); !(math.Abs(v-s) <= 1e-3*(size+math.Abs(s))) {
			return bad("Slope(%v) is %v, and the function's is %v", w, v, s)
		}
		if l.Bend != nil {
			const h = 1e-4
			b := (l.slope(w+h) - l.slope(w-h)) / (2 * h)
			if v := l.Bend(w); !(math.Abs(v-b) <= 1e-2*(size+math.Abs(b))) {
				return bad("Bend(%v) is %v, and the function's is %v", w, v, b)
			}
		}
		if l.Dual != nil {
			if v := l.Dual(l.slope(w)); !(math.Abs(v-w) <= 1e-3) {
				return bad("Dual(%v) is %v, want %v, where Slope has that value", l.slope(w), v, w)
			}
		}
	}
	return nil
}

// checkPhi reports why a function is not permissible: not finite, not symmetric about
// 1/2, or not convex on [0, 1].
func checkPhi(phi func(w float64) float64) error {
	const n = 64
	at := func(k int) float64 { return float64(k) / n }
	var v [n + 1]float64
	size := 0.0
	for k := range v {
		if v[k] = phi(at(k)); v[k]-v[k] != 0 {
			return fmt.Errorf("phi(%v) is %v, want a finite number", at(k), v[k])
		}
		size = max(size, math.Abs(v[k]-v[0]))
	}
	for k := range v {
		if math.Abs(v[k]-v[n-k]) > 1e-6*size {
			return fmt.Errorf("phi(%v) is %v and phi(%v) %v, want the same: phi is symmetric about 1/2", at(k), v[k], at(n-k), v[n-k])
		}
	}
	bent := 0 // up, less down
	wrong := -1
	for k := 1; k < n; k++ {
		if bend := v[k-1] + v[k+1] - 2*v[k]; bend > 1e-9*size {
			bent++
		} else if bend < -1e-9*size {
			bent--
			wrong = k
		}
	}
	switch {
	case bent == n-1:
		return nil
	case bent == 1-n:
		return errors.New("phi is concave, want a convex function: give it the other sign")
	case wrong >= 0:
		return fmt.Errorf("phi is not convex at %v", at(wrong))
	}
	return errors.New("phi is not strictly convex: it is straight somewhere")
}
