package boost

import "math"

// Link is the inverse link from scores to probabilities.
type Link uint8

const (
	NoLink             Link = iota // the loss defines no probability
	LogisticLink                   // 1/(1+exp(-s))
	DoubleLogisticLink             // 1/(1+exp(-2s)): exponential loss, LogitBoost
	matsushitaLink                 // (1+s/sqrt(1+s*s))/2: Matsushita's loss
	LinearLink                     // (1+s)/2 within [0, 1]: squared loss
	erfLink                        // (1+erf(s))/2: BrownBoost
	IdentityLink                   // a number: the score itself
	LogLink                        // a count: exp(s)
)

// probability returns the probability of class +1 for a score, NaN without a
// link or with one for numbers.
func (l Link) probability(score float64) float64 {
	switch l {
	case LogisticLink:
		return 1 / (1 + exp(-score))
	case DoubleLogisticLink:
		return 1 / (1 + exp(-2*score))
	case matsushitaLink:
		if math.IsInf(score, 0) {
			return (1 + math.Copysign(1, score)) / 2
		}
		return (1 + score/hypot1(score)) / 2
	case erfLink:
		return (1 + erf(score)) / 2
	case LinearLink:
		return min(1, max(0, (1+score)/2))
	}
	return math.NaN()
}

// mean returns the mean of the target for a score: a probability, if targets
// are classes, or a number; NaN without a link.
func (l Link) mean(score float64) float64 {
	switch l {
	case IdentityLink:
		return score
	case LogLink:
		return exp(score)
	}
	return l.probability(score)
}
