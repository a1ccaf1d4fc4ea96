package boost

import "math"

// A Loss is a classification-calibrated surrogate of the error: a convex
// function of the margin m = y F that is the Legendre conjugate of a
// permissible function phi on [0, 1]. Row weights are the conjugate variable,
//
//	w = -dLoss/dm = phi'^-1(-m),
//
// so that minimising the loss over scores is projecting the weights, in the
// sense of phi's Bregman divergence, on those without edges.
//
// Nock and Nielsen, Bregman divergences and surrogates for learning, PAMI 31 (2009).
type Loss uint8

const (
	// LogisticLoss is ln(1+exp(-m)); phi(w) = w ln w + (1-w) ln(1-w).
	LogisticLoss Loss = iota
	// SquaredLoss is (1-m)^2/4; phi(w) = -w(1-w). Weights may leave [0, 1].
	SquaredLoss
	// MatsushitaLoss is (sqrt(1+m^2)-m)/2; phi(w) = -sqrt(w(1-w)).
	MatsushitaLoss
	lastLoss = MatsushitaLoss
)

var lossNames = [...]string{"logistic", "squared", "matsushita"}

// String returns the loss's name.
func (l Loss) String() string {
	if l > lastLoss {
		return "unknown loss"
	}
	return lossNames[l]
}

// Value returns the loss of a margin.
func (l Loss) Value(m float64) float64 {
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
func (l Loss) Weight(m float64) float64 {
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

// Curvature returns the loss's second derivative.
func (l Loss) Curvature(m float64) float64 {
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
func (l Loss) Phi(w float64) float64 {
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

// Gradient returns phi's derivative, the inverse of w = Weight(-gradient).
func (l Loss) Gradient(w float64) float64 {
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
func (l Loss) Divergence(p, q float64) float64 {
	if p == q {
		return 0
	}
	return l.Phi(p) - l.Phi(q) - float64((p-q)*l.Gradient(q))
}

// link returns how scores become probabilities.
func (l Loss) link() Link {
	switch l {
	case SquaredLoss:
		return LinearLink
	case MatsushitaLoss:
		return MatsushitaLink
	}
	return LogisticLink
}
