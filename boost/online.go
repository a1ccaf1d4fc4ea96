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
	dual     []float64 // link(w)
	weights  []float64
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
	o := &Online{geometry: v.Geometry, loss: v.Loss, rate: v.Rate, p: v.P,
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
func (o *Online) Predict(experts []float64) float64 {
	s := 0.0
	for i, w := range o.weights {
		s += float64(w * experts[i])
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
	s := o.Predict(experts)
	loss, slope := o.loss.at(s, y)
	// An infinite product must not meet an expert's output of 0.
	step := max(-math.MaxFloat64, min(math.MaxFloat64, float64(float64(o.rate*slope)*weight)))
	if step != 0 {
		most := 1e100
		if o.geometry == Unnormalised {
			most = 700
		}
		for i, e := range experts {
			o.dual[i] = max(-most, min(most, o.dual[i]-float64(step*e)))
		}
		o.unlink()
	}
	return loss
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

// unlink sets the weights from their duals.
func (o *Online) unlink() {
	switch o.geometry {
	case Euclidean:
		copy(o.weights, o.dual)
	case Unnormalised:
		for i, d := range o.dual {
			o.weights[i] = exp(d)
		}
	case Exponentiated:
		top := math.Inf(-1)
		for _, d := range o.dual {
			top = max(top, d)
		}
		for i, d := range o.dual {
			o.dual[i] = d - top // the dual is only known up to a constant
			o.weights[i] = exp(o.dual[i])
		}
		normalise(o.weights)
	case PNorm:
		pLink(o.weights, o.dual, o.p)
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
