package boost

import (
	"cmp"
	"fmt"
	"slices"

	"haarlem/internal/numeric"
)

// A Calibration turns scores into probabilities, in place of a loss's link. It
// is learned from scores of rows that the model was not fitted on.
type Calibration struct {
	// Platt's sigmoid: the probability is 1/(1+exp(-(a s + b))).
	a, b float64

	// Where there are steps, they are used in place of a and b: the probability of
	// a score is that of the last of scores that is not above it, or the first.
	// Both ascend. A table is not of steps: values between its rows are interpolated.
	scores, probabilities []float64
	table                 bool
}

// probability returns the probability of class +1 that belongs to a score.
func (c *Calibration) probability(score float64) float64 {
	if len(c.scores) == 0 {
		return 1 / (1 + exp(-(float64(c.a*score) + c.b)))
	}
	k, found := slices.BinarySearch(c.scores, score)
	switch {
	case found || k == 0:
		return c.probabilities[k]
	case !c.table || k == len(c.scores):
		return c.probabilities[k-1]
	}
	from, to := c.probabilities[k-1], c.probabilities[k]
	return from + float64((to-from)*((score-c.scores[k-1])/(c.scores[k]-c.scores[k-1])))
}

// tabulated returns an inverse link as a table of probabilities that are 2 per cent
// apart, from 1e-9 to 1 - 1e-9, or as far as scores of at most 1e9 go. It is an error
// if the inverse link is not one of probabilities.
func tabulated(inverse func(score float64) float64) (*Calibration, error) {
	c := &Calibration{table: true}
	half := func(side float64) {
		at := 0.0
		for p := 0.5 / 1.02; p > 1e-9; p /= 1.02 {
			tail := func(s float64) float64 {
				if side > 0 {
					return 1 - inverse(s)
				}
				return inverse(-s)
			}
			lo, hi := at, 2*at+1e-3
			for tail(hi) > p && hi < 1e9 {
				lo, hi = hi, 2*hi
			}
			for range 60 {
				if mid := (lo + hi) / 2; tail(mid) > p {
					lo = mid
				} else {
					hi = mid
				}
			}
			if at = hi; at >= 1e9 {
				return
			}
			c.scores, c.probabilities = append(c.scores, side*at), append(c.probabilities, inverse(side*at))
		}
	}
	half(-1)
	slices.Reverse(c.scores)
	slices.Reverse(c.probabilities)
	if p := inverse(0); p > 0 && p < 1 {
		c.scores, c.probabilities = append(c.scores, 0), append(c.probabilities, p)
	}
	half(1)
	for k := len(c.scores) - 1; k > 0; k-- { // where the inverse link jumps
		if c.scores[k] <= c.scores[k-1] {
			c.scores, c.probabilities = slices.Delete(c.scores, k, k+1), slices.Delete(c.probabilities, k, k+1)
		}
	}
	if err := c.check(); err != nil || len(c.scores) < 3 {
		return nil, fmt.Errorf("%w: its inverse link is a function that is not one of probabilities", ErrUnsaved)
	}
	return c, nil
}

// check reports an error in a calibration from outside.
func (c *Calibration) check() error {
	if len(c.scores) != len(c.probabilities) {
		return fmt.Errorf("%w: a calibration of %d scores and %d probabilities", ErrSettings, len(c.scores), len(c.probabilities))
	}
	for k, s := range c.scores {
		if p := c.probabilities[k]; s-s != 0 || !(p >= 0 && p <= 1) || k > 0 && !(s > c.scores[k-1] && p >= c.probabilities[k-1]) {
			return fmt.Errorf("%w: step %d of a calibration: score %v, probability %v; both must ascend", ErrSettings, k, s, p)
		}
	}
	return nil
}

// both reports an error unless there are rows of both classes.
func (p *Predictions) both() error {
	for i, y := range p.Targets {
		if !isClass(y) {
			return fmt.Errorf("%w: target %v of row %d, want -1 or +1", ErrData, y, i)
		}
	}
	if n := p.byClass(); !(n[0] > 0 && n[1] > 0) {
		return fmt.Errorf("%w: a calibration needs rows of both classes", ErrData)
	}
	return nil
}

// Platt fits a sigmoid to scores by maximum likelihood (Platt scaling), with
// targets slightly inside 0 and 1, so that it does not overfit where classes
// are separated.
//
// Platt, Probabilistic outputs for support vector machines (1999); Lin, Lin and
// Weng, A note on Platt's probabilistic outputs, Machine Learning 68 (2007).
func Platt(p *Predictions) (*Calibration, error) {
	if err := p.both(); err != nil {
		return nil, err
	}
	n := p.byClass()
	high, low := (n[1]+1)/(n[1]+2), 1/(n[0]+2)
	target, weight := slices.Repeat([]float64{low}, len(p.Scores)), make([]float64, len(p.Scores))
	for i, y := range p.Targets {
		if weight[i] = p.weight(i); y > 0 {
			target[i] = high
		}
	}
	c := numeric.FitCurve(p.Scores, target, weight, numeric.Likelihood, 1e-12, numeric.Curve{B: log((n[1] + 1) / (n[0] + 1))})
	return &Calibration{a: c.A, b: c.B}, nil
}

// Isotonic is isotonic regression: it fits the nondecreasing probabilities
// nearest to the labels, by pooling adjacent violators.
//
// Zadrozny and Elkan, Transforming classifier scores into accurate multiclass
// probability estimates, KDD 2002.
func Isotonic(p *Predictions) (*Calibration, error) {
	if err := p.both(); err != nil {
		return nil, err
	}
	order := make([]int, 0, len(p.Scores))
	for i := range p.Scores {
		if p.weight(i) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Scores[a], p.Scores[b]) })
	type pool struct{ score, weight, sum float64 }
	var pools []pool
	for _, i := range order {
		w := p.weight(i)
		q := pool{score: p.Scores[i], weight: w}
		if p.Targets[i] > 0 {
			q.sum = w
		}
		if n := len(pools); n > 0 && pools[n-1].score == q.score {
			pools[n-1].weight += q.weight
			pools[n-1].sum += q.sum
		} else {
			pools = append(pools, q)
		}
	}
	var kept []pool
	for _, q := range pools {
		kept = append(kept, q)
		for n := len(kept); n > 1 && float64(kept[n-2].sum*kept[n-1].weight) >= float64(kept[n-1].sum*kept[n-2].weight); n = len(kept) {
			kept[n-2].weight += kept[n-1].weight
			kept[n-2].sum += kept[n-1].sum
			kept = kept[:n-1]
		}
	}
	c := &Calibration{}
	for _, q := range kept {
		c.scores = append(c.scores, q.score)
		c.probabilities = append(c.probabilities, min(1, q.sum/q.weight))
	}
	return c, nil
}
