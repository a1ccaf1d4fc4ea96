package boost

import "math"

// A Permissible is a classification-calibrated surrogate of the error: a convex
// function of the margin m = y F that is the Legendre conjugate of a
// permissible function phi on [0, 1]. Row weights are the conjugate variable,
//
//	w = -dLoss/dm = phi'^-1(-m),
//
// so that minimising the loss over scores is projecting the weights, in the
// sense of phi's Bregman divergence, on those without edges.
//
//	            phi(w)                  loss of margin m      probability of score f
//	logistic    w ln w + (1-w) ln(1-w)  ln(1+exp(-m))         1/(1+exp(-f))
//	squared     -w(1-w)                 (1-m)^2/4             (1+f)/2
//	Matsushita  -sqrt(w(1-w))           (sqrt(1+m^2)-m)/2     (1+f/sqrt(1+f^2))/2
//
// [Phi] is the loss of any other phi.
//
// Nock and Nielsen, Bregman divergences and surrogates for learning, PAMI 31 (2009).
type Permissible uint8

const (
	// LogisticLoss is that of logistic regression.
	LogisticLoss Permissible = iota
	// SquaredLoss is a parabola, whose weights may leave [0, 1].
	SquaredLoss
	// MatsushitaLoss is a hyperbola.
	MatsushitaLoss
	lastPermissible = MatsushitaLoss
)

var permissibleNames = [...]string{"logistic", "squared", "matsushita"}

// Name returns "logistic", "squared" or "matsushita".
func (l Permissible) Name() string { return l.String() }

// String returns the loss's name.
func (l Permissible) String() string {
	if l > lastPermissible {
		return "unknown loss"
	}
	return permissibleNames[l]
}

// MarginValue returns the loss of a margin.
func (l Permissible) MarginValue(m float64) float64 {
	switch l {
	case SquaredLoss:
		return float64((1-m)*(1-m)) / 4
	case MatsushitaLoss:
		if m > 0 { // sqrt(1+m^2)-m without cancellation
			return 0.5 / (hypot1(m) + m)
		}
		return (hypot1(m) - m) / 2
	}
	if m > 0 {
		return log1p(exp(-m))
	}
	return log1p(exp(m)) - m
}

// Weight returns the weight of a row of margin m: minus the loss's slope.
func (l Permissible) Weight(m float64) float64 {
	switch l {
	case SquaredLoss:
		return (1 - m) / 2
	case MatsushitaLoss:
		h := hypot1(m)
		if m > 0 { // (1 - m/h)/2 without cancellation
			return 0.5 / float64(h*(h+m))
		}
		return (1 - m/h) / 2
	}
	return 1 / (1 + exp(m))
}

// MarginCurvature returns the loss's second derivative.
func (l Permissible) MarginCurvature(m float64) float64 {
	switch l {
	case SquaredLoss:
		return 0.5
	case MatsushitaLoss:
		h := hypot1(m)
		return 0.5 / float64(h*h*h)
	}
	w := l.Weight(math.Abs(m))
	return float64(w * (1 - w))
}

// Phi returns the permissible function, convex on [0, 1].
func (l Permissible) Phi(w float64) float64 {
	switch l {
	case SquaredLoss:
		return -float64(w * (1 - w))
	case MatsushitaLoss:
		return -math.Sqrt(max(0, float64(w*(1-w))))
	}
	v := 0.0
	for _, p := range [2]float64{w, 1 - w} {
		if p > 0 {
			v += float64(p * log(p))
		}
	}
	return v
}

// PhiGradient returns phi's derivative, the inverse of w = Weight(-gradient).
func (l Permissible) PhiGradient(w float64) float64 {
	switch l {
	case SquaredLoss:
		return 2*w - 1
	case MatsushitaLoss:
		return (2*w - 1) / (2 * math.Sqrt(float64(w*(1-w))))
	}
	return log(w / (1 - w))
}

// Divergence returns phi's Bregman divergence of p from q,
// phi(p) - phi(q) - (p-q) phi'(q).
func (l Permissible) Divergence(p, q float64) float64 {
	if p == q {
		return 0
	}
	return l.Phi(p) - l.Phi(q) - float64((p-q)*l.PhiGradient(q))
}

// Value implements [Loss].
func (l Permissible) Value(y, f float64) float64 { return l.MarginValue(y * f) }

// Gradient implements [Loss].
func (l Permissible) Gradient(y, f float64) float64 { return -float64(y * l.Weight(y*f)) }

// Curvature implements [Loss].
func (l Permissible) Curvature(y, f float64) float64 { return l.MarginCurvature(y * f) }

// Inverse returns the probability of class +1 for a score.
func (l Permissible) Inverse(f float64) float64 { return l.link().Probability(f) }

// Link returns the score for a probability: phi's derivative.
func (l Permissible) Link(p float64) float64 { return l.PhiGradient(p) }

func (l Permissible) allows(y float64) bool { return isClass(y) }
func (l Permissible) wants() string         { return wantClasses }

// isClass reports whether y is one of two classes.
func isClass(y float64) bool { return y == 1 || y == -1 }

const wantClasses = "-1 or +1"

// link returns the function from scores to probabilities.
func (l Permissible) link() Link {
	switch l {
	case SquaredLoss:
		return LinearLink
	case MatsushitaLoss:
		return MatsushitaLink
	}
	return LogisticLink
}

// slopes returns Gradient and Curvature, to rounding.
func (l Permissible) slopes(y, f float64) (g, h float64) {
	if l != LogisticLoss {
		return l.Gradient(y, f), l.Curvature(y, f)
	}
	m := y * f
	t := exp(-math.Abs(m))
	u := 1 + t
	// The weight is t/u, or 1/u of a negative margin; a branch would be mispredicted.
	negative := uint64(int64(math.Float64bits(m)) >> 63)
	w := math.Float64frombits(math.Float64bits(t)&^negative | math.Float64bits(1)&negative)
	return -float64(y*w) / u, float64(t / float64(u*u))
}
