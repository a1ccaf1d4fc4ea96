package boost

import "math"

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

// Name returns Word.
func (l *Phi) Name() string {
	if l.Word == "" {
		return "phi"
	}
	return l.Word
}

// slope returns phi' of a w between 0 and 1.
func (l *Phi) slope(w float64) float64 {
	if l.Slope != nil {
		return l.Slope(w)
	}
	h := min(1e-5, w/2, (1-w)/2)
	return (l.Function(w+h) - l.Function(w-h)) / (2 * h)
}

// dual returns phi'^-1 of a score, cut off at 0 and 1.
func (l *Phi) dual(score float64) float64 {
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
				if mid = next; math.Abs(step) < 1e-15 {
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

// MarginValue returns the loss of a margin.
func (l *Phi) MarginValue(m float64) float64 {
	w := l.dual(-m)
	return -float64(m*w) - l.Function(w)
}

// Weight returns the weight of a row of margin m.
func (l *Phi) Weight(m float64) float64 { return l.dual(-m) }

// MarginCurvature returns the loss's second derivative.
func (l *Phi) MarginCurvature(m float64) float64 {
	w := l.dual(-m)
	if !(w > 0 && w < 1) {
		return 0
	}
	if l.Bend != nil {
		return 1 / l.Bend(w)
	}
	h := 1e-3 * min(w, 1-w)
	return 2 * h / (l.slope(w+h) - l.slope(w-h))
}

// Value implements [Loss].
func (l *Phi) Value(y, f float64) float64 { return l.MarginValue(y * f) }

// Gradient implements [Loss].
func (l *Phi) Gradient(y, f float64) float64 { return -float64(y * l.Weight(y*f)) }

// Curvature implements [Loss].
func (l *Phi) Curvature(y, f float64) float64 { return l.MarginCurvature(y * f) }

// Inverse returns the probability of class +1 that belongs to a score.
func (l *Phi) Inverse(f float64) float64 { return l.dual(f) }

// Link returns the score for a probability.
func (l *Phi) Link(p float64) float64 {
	switch {
	case p <= 0:
		return l.slope(math.SmallestNonzeroFloat64)
	case p >= 1:
		return -l.slope(math.SmallestNonzeroFloat64)
	}
	return l.slope(p)
}

func (l *Phi) allows(y float64) bool { return isClass(y) }
func (l *Phi) wants() string         { return wantClasses }
