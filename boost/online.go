package boost

import (
	"fmt"
	"math"
)

// An Online learner keeps a weight for each of a number of experts, and learns
// from one example after another: it predicts the weighted sum of the experts'
// outputs, receives the target, and moves its weights against the gradient of
// its loss, in the dual space of a Bregman divergence:
//
//	link(w') = link(w) - Rate dLoss/dw
//
// With Implicit the gradient is that at w', see [OnlineSettings].
//
// It is the dual of boosting, which keeps a weight for each example and adds
// one expert after another: AdaBoost's weights are those of an [Exponentiated]
// learner whose experts are the rows.
//
// Kivinen and Warmuth, Exponentiated gradient versus gradient descent for
// linear predictors, Information and Computation 132 (1997); Grove,
// Littlestone and Schuurmans, General convergence results for linear
// discriminant updates, Machine Learning 43 (2001).
type Online struct {
	geometry Geometry
	loss     OnlineLoss
	rate     float64
	p        float64
	implicit bool
	dual     []float64 // link(w)
	weights  []float64
	trial    [2][]float64 // dual and weights within an implicit step
}

// Geometry names the Bregman divergence of an [Online] learner.
type Geometry uint8

const (
	// Euclidean: w' = w - Rate g. Gradient descent, Widrow and Hoff's rule.
	Euclidean Geometry = iota
	// Exponentiated: w' = w exp(-Rate g), normalised to sum 1: the
	// exponentiated gradient, and with OnlineLinear the Hedge algorithm.
	Exponentiated
	// Unnormalised: w' = w exp(-Rate g).
	Unnormalised
	// PNorm: half the squared p-norm; from the perceptron at P = 2 to
	// something like Winnow at P = 2 ln(number of experts).
	PNorm
	lastGeometry = PNorm
)

var geometryNames = [...]string{"euclidean", "exponentiated", "unnormalised", "pnorm"}

// String returns the geometry's name in files.
func (g Geometry) String() string {
	if g > lastGeometry {
		return fmt.Sprintf("Geometry(%d)", uint8(g))
	}
	return geometryNames[g]
}

// OnlineLoss names the loss of an [Online] learner, for a prediction s and the
// target y.
type OnlineLoss uint8

const (
	OnlineSquare     OnlineLoss = iota // (s-y)^2/2
	OnlineLinear                       // -y s
	OnlinePerceptron                   // max(0, -y s): moves on mistakes only
	OnlineHinge                        // max(0, 1 - y s)
	OnlineLog                          // ln(1+exp(-y s))
	lastOnlineLoss   = OnlineLog
)

var onlineLossNames = [...]string{"square", "linear", "perceptron", "hinge", "log"}

// String returns the loss's name in files.
func (l OnlineLoss) String() string {
	if l > lastOnlineLoss {
		return fmt.Sprintf("OnlineLoss(%d)", uint8(l))
	}
	return onlineLossNames[l]
}

// OnlineSettings are the settings of an [Online] learner.
type OnlineSettings struct {
	Geometry Geometry
	Loss     OnlineLoss
	// Rate is the step size of an example. 0 means 0.1.
	Rate float64
	// P is the p of PNorm, from 2. 0 means 2 ln(experts), at least 2.
	P float64
	// Implicit takes the gradient at the new weights in place of the old ones:
	// these minimise divergence(w', w) + Rate Loss(w'), of which the explicit
	// step is the linear approximation. An example's own loss then never rises,
	// whatever the rate. With the Euclidean hinge loss it is the
	// passive-aggressive algorithm. (Kivinen, Warmuth and Hassibi, The p-norm
	// generalization of the LMS algorithm for adaptive filtering, IEEE
	// Transactions on Signal Processing 54, 2006; Kulis and Bartlett, Implicit
	// online learning, ICML 2010.)
	Implicit bool
	// Start are the initial weights; nil means equal weights of sum 1 for the
	// exponentiated geometries, and otherwise zero.
	Start []float64
}

// NewOnline returns a learner for a number of experts.
func NewOnline(experts int, s *OnlineSettings) (*Online, error) {
	var v OnlineSettings
	if s != nil {
		v = *s
	}
	if v.Rate == 0 {
		v.Rate = 0.1
	}
	if v.P == 0 {
		v.P = max(2, 2*log(float64(experts)))
	}
	switch {
	case experts < 1:
		return nil, fmt.Errorf("%w: %d experts", ErrSettings, experts)
	case v.Geometry > lastGeometry:
		return nil, fmt.Errorf("%w: Geometry %d is unknown", ErrSettings, v.Geometry)
	case v.Loss > lastOnlineLoss:
		return nil, fmt.Errorf("%w: Loss %d is unknown", ErrSettings, v.Loss)
	case !(v.Rate > 0) || math.IsInf(v.Rate, 0):
		return nil, fmt.Errorf("%w: Rate %v, want a finite number, more than 0", ErrSettings, v.Rate)
	case !(v.P >= 2) || math.IsInf(v.P, 0):
		return nil, fmt.Errorf("%w: P %v, want a finite number, 2 or more", ErrSettings, v.P)
	case v.Start != nil && len(v.Start) != experts:
		return nil, fmt.Errorf("%w: %d weights to start with for %d experts", ErrSettings, len(v.Start), experts)
	}
	o := &Online{geometry: v.Geometry, loss: v.Loss, rate: v.Rate, p: v.P, implicit: v.Implicit,
		dual: make([]float64, experts), weights: make([]float64, experts)}
	exponentiated := v.Geometry == Exponentiated || v.Geometry == Unnormalised
	for i := range o.weights {
		if v.Start != nil {
			o.weights[i] = v.Start[i]
		} else if exponentiated {
			o.weights[i] = 1 / float64(experts)
		}
		if w := o.weights[i]; w-w != 0 || (exponentiated && !(w > 0)) {
			return nil, fmt.Errorf("%w: weight %v of expert %d to start with", ErrSettings, w, i)
		}
	}
	if v.Geometry == Exponentiated {
		normalise(o.weights)
	}
	o.link(o.dual, o.weights, o.p)
	return o, nil
}

// Weights returns the weights of the experts. The caller does not change them.
func (o *Online) Weights() []float64 { return o.weights }

// Predict returns the weighted sum of the experts' outputs.
func (o *Online) Predict(experts []float64) float64 { return dot(o.weights, experts) }

func dot(w, x []float64) float64 {
	s := 0.0
	for i, v := range w {
		s += float64(v * x[i])
	}
	return s
}

// Update predicts, learns from the target y, and returns the loss of the
// prediction.
func (o *Online) Update(experts []float64, y float64) float64 {
	return o.UpdateWeighted(experts, y, 1)
}

// UpdateWeighted is Update for an example of a weight: a finite number, 0 or
// more. With [OnlineLinear] that equals as many examples; other losses have
// another gradient after each. The loss returned is that of one.
//
// An example that is too heavy for the rate moves the weights far off, but they
// stay finite: the duals are kept within -1e100 and +1e100, and within -700 and
// +700 where weights are their exponentials and are not normalised.
func (o *Online) UpdateWeighted(experts []float64, y, weight float64) float64 {
	loss, slope := o.loss.at(o.Predict(experts), y)
	step := o.step(slope, weight)
	if step != 0 && o.implicit {
		step = o.implicitStep(experts, y, weight, step)
	}
	if step != 0 {
		o.move(o.dual, o.dual, experts, step)
		o.unlink(o.weights, o.dual)
	}
	return loss
}

// step returns the step along the outputs for a slope of the loss.
func (o *Online) step(slope, weight float64) float64 {
	// An infinite product must not meet an expert's output of 0.
	return max(-math.MaxFloat64, min(math.MaxFloat64, float64(float64(o.rate*slope)*weight)))
}

// move sets dst to the duals after a step.
func (o *Online) move(dst, dual, experts []float64, step float64) {
	most := 1e100
	if o.geometry == Unnormalised {
		most = 700
	}
	for i, e := range experts {
		dst[i] = max(-most, min(most, dual[i]-float64(step*e)))
	}
}

// implicitStep returns the step that equals the slope of the loss behind it, by
// bisection: the longer the step, the smaller that slope, since loss and
// divergence are convex. So it is at most the explicit step.
func (o *Online) implicitStep(experts []float64, y, weight, explicit float64) float64 {
	for k := range o.trial {
		o.trial[k] = grow(o.trial[k], len(o.dual))
	}
	tooLong := func(step float64) bool {
		o.move(o.trial[0], o.dual, experts, step)
		o.unlink(o.trial[1], o.trial[0])
		_, slope := o.loss.at(dot(o.trial[1], experts), y)
		if want := o.step(slope, weight); explicit > 0 {
			return step > want
		} else {
			return step < want
		}
	}
	if !tooLong(explicit) {
		return explicit
	}
	lo, hi := 0.0, explicit
	for {
		mid := lo/2 + hi/2
		if mid == lo || mid == hi {
			return lo
		}
		if tooLong(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
}

// at returns the loss of a prediction and its gradient.
func (l OnlineLoss) at(s, y float64) (loss, slope float64) {
	m := float64(y * s)
	switch l {
	case OnlineLinear:
		return -m, -y
	case OnlinePerceptron:
		if m > 0 {
			return 0, 0
		}
		return -m, -y
	case OnlineHinge:
		if m >= 1 {
			return 0, 0
		}
		return 1 - m, -y
	case OnlineLog:
		return LogisticLoss.MarginValue(m), -y * LogisticLoss.Weight(m)
	}
	d := s - y
	return float64(d*d) / 2, d
}

// link maps weights to their duals.
func (o *Online) link(dual, w []float64, p float64) {
	switch o.geometry {
	case Euclidean:
		copy(dual, w)
	case Exponentiated, Unnormalised:
		for i, v := range w {
			dual[i] = log(v)
		}
	case PNorm:
		pLink(dual, w, p/(p-1))
	}
}

// unlink sets weights from their duals, and duals that are known up to a
// constant to those whose largest is 0.
func (o *Online) unlink(weights, dual []float64) {
	switch o.geometry {
	case Euclidean:
		copy(weights, dual)
	case Unnormalised:
		for i, d := range dual {
			weights[i] = exp(d)
		}
	case Exponentiated:
		top := math.Inf(-1)
		for _, d := range dual {
			top = max(top, d)
		}
		for i, d := range dual {
			dual[i] = d - top
			weights[i] = exp(dual[i])
		}
		normalise(weights)
	case PNorm:
		pLink(weights, dual, o.p)
	}
}

// pLink sets dst to the gradient of half the squared p-norm at v:
// sign(v) |v|^(p-1) / ||v||^(p-2). With q = p/(p-1) it is its own inverse.
func pLink(dst, v []float64, p float64) {
	top := largest(v)
	if top == 0 {
		clear(dst)
		return
	}
	sum := 0.0
	for _, x := range v {
		sum += power(math.Abs(x)/top, p)
	}
	norm := power(sum, 1/p) // of v/top
	for i, x := range v {
		dst[i] = math.Copysign(top*power(math.Abs(x)/top, p-1)/power(norm, p-2), x)
	}
}

// power returns x to the power y, for x >= 0.
func power(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return exp(y * log(x))
}
