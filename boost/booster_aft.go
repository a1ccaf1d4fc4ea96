package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// AFT learns accelerated failure times: the logarithm of a time is the score and a
// random deviation. Targets are times of events, or, if negative, minus the times until
// which there was none, as of [Cox]. With Data.Upper they are lower bounds of times, 0
// for none. The mean is exp(score), a median if the distribution is symmetric.
//
// Gradients, curvatures and the loss are those of XGBoost's survival:aft. They are
// computed without its underflow far from the score, and clipped at 15 for a scale of 1.
//
// Barnwal, Cho and Hocking, Survival regression with accelerated failure time model in
// XGBoost, Journal of Computational and Graphical Statistics 31 (2022).
type AFT struct {
	Newton // how steps are made; it has no Loss

	// Distribution is that of the deviations.
	Distribution Distribution

	// Scale multiplies the deviations. 0 means 1.
	Scale float64
}

// Distribution is a distribution of deviations about a score.
type Distribution uint8

// The distributions: times are log-normal, log-logistic, or Weibull's.
const (
	Normal   Distribution = iota // the default
	Logistic                     // heavier tails
	Extreme                      // of the smallest of many: with a scale of 1, constant hazards
)

// Name returns "aft".
func (*AFT) Name() string { return "aft" }

func (b *AFT) defaultMetric(*state) Metric { return b.Metric() }

// Metric returns the mean of minus the logarithm of the likelihood.
func (b *AFT) Metric() Metric {
	return Metric{Name: "aft", Value: func(p *Predictions) float64 {
		return p.average(func(i int) float64 {
			lo, up := interval(p.Targets, p.Upper, i)
			loss, _, _ := b.at(lo, up, p.Scores[i])
			return loss
		})
	}}
}

// TimeConcordance is [Concordance] of models of times, such as [AFT]: the score of the
// later event is to be higher.
var TimeConcordance = Metric{Name: "concordance", Higher: true, Value: func(p *Predictions) float64 {
	q := *p
	q.Targets, q.Scores = make([]float64, len(p.Targets)), make([]float64, len(p.Targets))
	for i := range q.Targets {
		q.Scores[i] = -p.Scores[i]
		lo, up := interval(p.Targets, p.Upper, i)
		if q.Targets[i] = lo; lo != up {
			q.Targets[i] = -lo
		}
	}
	return concordance(&q)
}}

// interval returns the bounds of the time of a row.
func interval(targets, upper []float64, i int) (lo, up float64) {
	switch y := targets[i]; {
	case upper != nil:
		return y, upper[i]
	case y < 0:
		return -y, math.Inf(1)
	default:
		return y, y
	}
}

func (b *AFT) begin(st *state) error {
	d := st.problem.Data
	if d.Targets == nil || b.Distribution > Extreme || !(b.Scale >= 0 && b.Scale < 1e6) {
		return fmt.Errorf("%w: AFT learns from Targets, with a known Distribution, and a Scale from 0 to 1e6", ErrSettings)
	}
	for i := range st.Labels {
		if lo, up := interval(d.Targets, d.Upper, i); !(lo >= 0 && up > 0) {
			return fmt.Errorf("%w: times from %v to %v of row %d, want 0 or more, and more than 0", ErrData, lo, up, i)
		}
	}
	if st.problem.Scores != nil {
		return b.beginAt(st, 0, LogLink)
	}
	return b.beginAt(st, b.constant(d, st.Base), LogLink)
}

// constant returns the score of the smallest loss for all rows.
func (b *AFT) constant(d *Data, weights []float64) float64 {
	f, n := 0.0, 0.0
	for i, w := range weights {
		lo, up := interval(d.Targets, d.Upper, i)
		lo = cmp.Or(lo, up)
		if !math.IsInf(lo, 1) && w > 0 {
			f += float64(w * log(lo))
			n += w
		}
	}
	if n > 0 {
		f /= n
	}
	for range 100 {
		slope, curve := 0.0, 0.0
		for i, w := range weights {
			if w > 0 {
				_, g, h := b.clipped(d, i, f)
				slope += float64(w * g)
				curve += float64(w * h)
			}
		}
		step := min(1, max(-1, slope/curve))
		if f -= step; !(math.Abs(step) > 1e-12) || math.Abs(f) > 100 { // all are censored
			break
		}
	}
	return min(100, max(-100, f))
}

func (b *AFT) advance(ctx context.Context, st *state) (Status, error) {
	d := st.problem.Data
	of := func(from, to int, g, h []float64) {
		for i := range g {
			_, g[i], h[i] = b.clipped(d, from+i, st.Scores[from+i])
		}
	}
	return b.Newton.step(ctx, st, nil, slopes{of, st.settings.Workers}, nil)
}

// clipped is at of a row, with a clipped gradient and curvature.
func (b *AFT) clipped(d *Data, i int, f float64) (loss, g, h float64) {
	lo, up := interval(d.Targets, d.Upper, i)
	loss, g, h = b.at(lo, up, f)
	s := b.scale()
	return loss, min(15/s, max(-15/s, g)), min(15/(s*s), max(1e-16, h))
}

func (b *AFT) scale() float64 { return cmp.Or(b.Scale, 1) }

// at returns the loss of a score for a time between two bounds, and its derivatives.
func (b *AFT) at(lo, up, f float64) (loss, g, h float64) {
	s := b.scale()
	low, high := (log(lo)-f)/s, (log(up)-f)/s
	switch {
	case lo == 0 && math.IsInf(up, 1):
		return 0, 0, 0
	case high-low < 1e-5: // an event, or as good as one
		mid := low/2 + high/2
		l, first, second := b.Distribution.density(mid)
		if loss = float64(s * lo); lo != up {
			loss = 1 / (high - low)
		}
		return log(loss) - l, first / s, -second / (s * s)
	case lo == 0 && b.Distribution == Extreme:
		w := exp(min(high, 700))
		if w < 1e-300 {
			return -high, 1 / s, 0
		}
		r := w / expm1(w)
		return -log(-expm1(-w)), r / s, float64(r*(w/-expm1(-w)-1)) / (s * s)
	case b.Distribution != Extreme && (lo == 0 || high < 0): // mirrored, to the accurate tail
		low, high = -high, -low
		loss, g, h = b.Distribution.between(low, high)
		return loss, -g / s, h / (s * s)
	}
	loss, g, h = b.Distribution.between(low, high)
	return loss, g / s, h / (s * s)
}

// density returns the logarithm of the density and its derivatives.
func (d Distribution) density(z float64) (l, first, second float64) {
	switch d {
	case Logistic:
		p := 1 / (1 + exp(-z))
		return -math.Abs(z) - 2*log1p(exp(-math.Abs(z))), 1 - 2*p, -2 * float64(p*(1-p))
	case Extreme:
		w := exp(min(z, 700))
		return z - w, 1 - w, -w
	}
	return -float64(z*z)/2 - logRootTwoPi, -z, -1
}

const logRootTwoPi = 0.91893853320467274178032973640561763986139747363778341281715

// tail returns the logarithm of the probability of more than z, the hazard there, and
// its derivative.
func (d Distribution) tail(z float64) (l, hazard, rise float64) {
	if math.IsInf(z, 1) {
		return math.Inf(-1), 0, 0
	}
	switch d {
	case Logistic:
		p := 1 / (1 + exp(-z))
		return -max(z, 0) - log1p(exp(-math.Abs(z))), p, p * (1 - p)
	case Extreme:
		w := exp(min(z, 700))
		return -w, w, w
	}
	l = -float64(z*z)/2 - logRootTwoPi
	if z > 3.5 { // the continued fraction of Mills' ratio
		rest := z
		for n := 60; n > 1; n-- {
			rest = z + float64(n)/rest
		}
		hazard = z + 1/rest
		return l - log(hazard), hazard, hazard / rest
	}
	q := (1 - erf(z/math.Sqrt2)) / 2
	hazard = exp(l) / q
	return log(q), hazard, hazard * (hazard - z)
}

// between returns the loss of a deviation between two, and its derivatives by the score.
func (d Distribution) between(low, high float64) (loss, g, h float64) {
	a, hazard, rise := d.tail(low)
	b, hazard2, rise2 := d.tail(high)
	beyond, part := exp(b-a), -expm1(b-a) // of the probability of more than low
	apart := (hazard - hazard2) / part
	return -a - log(part), (float64(beyond*hazard2) - hazard) / part, max(0, (rise-float64(beyond*rise2))/part+float64(beyond*apart*apart))
}
