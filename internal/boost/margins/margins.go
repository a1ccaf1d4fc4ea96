// Package margins is what the papers say about margins of votes: their distribution,
// and bounds of the error by them.
package margins

import (
	"math"
	"slices"

	"haarlem/boost"
)

// Logit returns tanh(y F/2) = (exp(y F) - 1)/(exp(y F) + 1) for every
// row of d: Nock and Nielsen's margin. It is between -1 and +1 for any weak
// learners, positive where the class is right, and 2p - 1 for the probability p
// = 1/(1 + exp(-F)) of the row's own class.
//
// Nock and Nielsen, A real generalization of discrete AdaBoost, Artificial
// Intelligence 171 (2007).
func Logit(m *boost.Model, d *boost.Data) ([]float64, error) {
	margins, err := m.Scores(d)
	if err != nil {
		return nil, err
	}
	for i, s := range margins {
		margins[i] = math.Tanh(float64(d.Labels[i]) * s / 2)
	}
	return margins, nil
}

// EdgeBound returns (1+theta)/(1-theta) exp(-sum mu^2/2), which for
// [boost.AdaBoostR] and [boost.Discrete] without shrinkage bounds the weighted fraction of the training
// rows whose Logit margins are at most theta, from -1 to 1. The edges mu are
// boost.Round.Edge.
func EdgeBound(edges []float64, theta float64) float64 {
	sum := 0.0
	for _, mu := range edges {
		sum += float64(mu * mu)
	}
	return (1 + theta) / (1 - theta) * math.Exp(-sum/2)
}

// Bound bounds the error of a vote on new rows, with probability 1 -
// delta, when added to the fraction of the training rows of margin at most
// theta, above 0. The vote is of distinct weak learners, with coefficients
// whose magnitudes sum to 1, learned from independent rows. The bound is the
// smallest over N of
//
//	2 exp(-N theta^2/8) + sqrt(ln(N (N+1)^2 |H|^N / delta) / (2 rows)).
//
// Schapire, Freund, Bartlett and Lee, Boosting the margin, Annals of Statistics 26
// (1998), proof of theorem 1.
func Bound(rows, learners, delta, theta float64) float64 {
	at := func(n float64) float64 {
		inside := math.Log(n) + 2*math.Log(n+1) + n*math.Log(learners) - math.Log(delta)
		return 2*math.Exp(-n*theta*theta/8) + math.Sqrt(inside/(2*rows))
	}
	// The first part falls and the second rises; a bound above 1 is useless.
	best := math.Inf(1)
	for n := 1.0; n*math.Log(learners) < 2*rows*min(best*best, 4); n = math.Ceil(n * 1.001) {
		best = min(best, at(n))
		if n > 1e12 {
			break
		}
	}
	return best
}

// NearBound approximates [Bound] for many rows: sqrt(2 ln rows ln |H| / (rows theta^2)),
// the second part of the bound where N, 4 ln rows/theta^2, makes the first one vanish.
// With it the paper's equation (9) and its figure show how the bound falls.
func NearBound(rows, learners, theta float64) float64 {
	return math.Sqrt(2*math.Log(rows)*math.Log(learners)/rows) / theta
}

// VCBound bounds the error on new rows of the best of a class of classifiers of
// this VC dimension, with probability 1 - delta, when added to the training
// error: sqrt((d (ln(2 rows/d) + 1) + ln(4/delta))/rows).
//
// Vapnik, The Nature of Statistical Learning Theory (1995), section 3.4.
func VCBound(rows, dimension, delta float64) float64 {
	return math.Sqrt((dimension*(math.Log(2*rows/dimension)+1) + math.Log(4/delta)) / rows)
}

// Cumulative returns, for each threshold, the fraction of the margins
// that are at most as large: the margin distribution of the papers.
func Cumulative(margins, thresholds []float64) []float64 {
	sorted := slices.Clone(margins)
	slices.Sort(sorted)
	out := make([]float64, len(thresholds))
	for k, t := range thresholds {
		if n, _ := slices.BinarySearch(sorted, math.Nextafter(t, math.Inf(1))); n > 0 {
			out[k] = float64(n) / float64(len(sorted))
		}
	}
	return out
}
