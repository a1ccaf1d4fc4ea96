package boost

import (
	"math"

	"haarlem/internal/numeric"
)

// A permissible convex loss (PCL) is a classification-calibrated surrogate of the error: a
// function of the margin m = y F that is the Legendre conjugate of a permissible function
// phi on [0, 1]. Row weights are the conjugate variable,
//
//	w = -dLoss/dm = phi'^-1(-m),
//
// so that minimising the loss over scores is projecting the weights, in the
// sense of phi's Bregman divergence, on those without edges. The loss is a Bregman loss
// function (BLF) itself: the divergence of the row's weight from 0, but for phi(0).
//
//	            phi(w)                  loss of margin m      probability of score f
//	logistic    w ln w + (1-w) ln(1-w)  ln(1+exp(-m))         1/(1+exp(-f))
//	squared     -w(1-w)                 (1-m)^2/4             (1+f)/2
//	Matsushita  -sqrt(w(1-w))           (sqrt(1+m^2)-m)/2     (1+f/sqrt(1+f^2))/2
//
// [Phi] is the loss of any other phi.
//
// Nock and Nielsen, Bregman divergences and surrogates for learning, PAMI 31 (2009).
type permissible uint8

const (
	logistic permissible = iota
	squared
	matsushita
)

// The losses of the table in the order of its lines; the weights of the squared one
// may leave [0, 1].
var LogisticLoss, SquaredLoss, MatsushitaLoss MarginLoss = logistic, squared, matsushita

func (l permissible) Name() string { return [...]string{"logistic", "squared", "matsushita"}[l] }

func (l permissible) MarginValue(m float64) float64 {
	switch l {
	case squared:
		return float64((1-m)*(1-m)) / 4
	case matsushita:
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
func (l permissible) Weight(m float64) float64 {
	switch l {
	case squared:
		return (1 - m) / 2
	case matsushita:
		h := hypot1(m)
		if m > 0 { // (1 - m/h)/2 without cancellation
			return 0.5 / float64(h*(h+m))
		}
		return (1 - m/h) / 2
	}
	return 1 / (1 + exp(m))
}

func (l permissible) MarginCurvature(m float64) float64 {
	switch l {
	case squared:
		return 0.5
	case matsushita:
		h := hypot1(m)
		return 0.5 / float64(h*h*h)
	}
	w := l.Weight(math.Abs(m))
	return float64(w * (1 - w))
}

// Phi returns the permissible function, convex on [0, 1].
func (l permissible) Phi(w float64) float64 {
	switch l {
	case squared:
		return -float64(w * (1 - w))
	case matsushita:
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

// Link returns phi's derivative: the score for a probability, and the inverse of w =
// Weight(-score).
func (l permissible) Link(w float64) float64 {
	switch l {
	case squared:
		return 2*w - 1
	case matsushita:
		return (2*w - 1) / (2 * math.Sqrt(float64(w*(1-w))))
	}
	return log(w / (1 - w))
}

// dual replaces margins m with what Weight returns for them, and sets c to what
// MarginCurvature does. An inverse serves both, and four exponentials are one.
func dual(l MarginLoss, m, c []float64) {
	if phi, ok := l.(*phiLoss); ok {
		for i, v := range m {
			m[i] = l.Weight(v)
			c[i] = phi.bend(m[i])
		}
	} else if l == MarginLoss(logistic) {
		for i, v := range m {
			c[i] = math.Abs(v)
		}
		numeric.ExpAll(c)
		numeric.ExpAll(m)
		for i := range m {
			w := 1 / (1 + c[i])
			m[i], c[i] = 1/(1+m[i]), float64(w*(1-w))
		}
	} else {
		for i, v := range m {
			m[i], c[i] = l.Weight(v), l.MarginCurvature(v)
		}
	}
}

func (l permissible) Value(y, f float64) float64 { return l.MarginValue(y * f) }

func (l permissible) Gradient(y, f float64) float64 { return -float64(y * l.Weight(y*f)) }

func (l permissible) Curvature(y, f float64) float64 { return l.MarginCurvature(y * f) }

// Inverse returns the probability of class +1 for a score.
func (l permissible) Inverse(f float64) float64 { return l.link().probability(f) }

func (l permissible) allows(y float64) bool { return isClass(y) }
func (l permissible) wants() string         { return wantClasses }

// isClass reports whether y is one of two classes.
func isClass(y float64) bool { return y == 1 || y == -1 }

const wantClasses = "-1 or +1"

// link returns the function from scores to probabilities.
func (l permissible) link() Link {
	switch l {
	case squared:
		return LinearLink
	case matsushita:
		return matsushitaLink
	}
	return LogisticLink
}

// slopes sets g and h to Gradient and Curvature, to rounding.
func (l permissible) slopes(y, f, g, h []float64) {
	if l != logistic {
		for i := range g {
			g[i], h[i] = l.Gradient(y[i], f[i]), l.Curvature(y[i], f[i])
		}
		return
	}
	for i := range g {
		g[i] = y[i] * f[i]
		h[i] = -math.Abs(g[i])
	}
	numeric.ExpAll(h)
	for i := range g {
		g[i], h[i] = logisticSlopes(y[i], g[i], h[i])
	}
}

// logisticSlopes returns them for a margin m, where t is exp(-|m|).
func logisticSlopes(y, m, t float64) (g, h float64) {
	u := 1 + t
	// The weight is t/u, or 1/u of a negative margin; a branch would be mispredicted.
	negative := uint64(int64(math.Float64bits(m)) >> 63)
	w := math.Float64frombits(math.Float64bits(t)&^negative | math.Float64bits(1)&negative)
	return -float64(y*w) / u, float64(t / float64(u*u))
}
