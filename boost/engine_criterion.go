package boost

import (
	"fmt"
	"math"
)

// A Criterion is what a search for a weak learner minimises. It depends on a
// partition of the rows into blocks, and for each block on the two sums S0 =
// sum w and S1 = sum w z, with weights w and targets z. Where targets are
// labels, W+ = (S0+S1)/2 and W- = (S0-S1)/2 are the weights of the classes.
type Criterion uint8

const (
	// defaultCriterion is the booster's default.
	defaultCriterion Criterion = iota
	// ZeroOne is the weighted error of the majority: sum of min(W+, W-).
	ZeroOne
	// Exponential is Z = 2 sum sqrt(W+ W-) of Schapire and Singer's
	// domain-partitioning weak learners; also the splitting criterion of
	// Kearns and Mansour, and Matsushita's loss.
	Exponential
	// LeastSquares is minus the least-squares gain, -sum S1*S1/S0. It is the
	// one criterion that makes sense where targets are not labels.
	LeastSquares
	// Gini is CART's criterion, 2 sum W+ W- / S0.
	Gini
	// Entropy is sum S0 H(W+/S0), in nats.
	Entropy
	// GainRatio is C4.5's: minus the gain of entropy divided by the entropy of
	// the block sizes. A tree compares with it the best split by entropy of each
	// column, and only columns whose gain is at least the average.
	GainRatio
	// Divergence is minus the symmetric Kullback-Leibler divergence between
	// the two classes' distributions over the blocks, for weights that give
	// each class the same sum. Both have 0.001 more in each block, so that a block
	// of a single row has little.
	Divergence
	lastCriterion = Divergence

	// byPhi is the loss of engine.phi.
	byPhi = lastCriterion + 1
)

var criterionNames = [...]string{"default", "zeroone", "exponential", "leastsquares", "gini", "entropy", "gainratio", "divergence"}

// String returns the criterion's name in files.
func (c Criterion) String() string {
	if int(c) < len(criterionNames) {
		return criterionNames[c]
	}
	return fmt.Sprintf("Criterion(%d)", uint8(c))
}

// block returns the contribution of one block to the loss; the loss of a
// partition is the sum over its blocks. GainRatio, which is no such sum, counts
// as Entropy.
func (c Criterion) block(s0, s1 float64) float64 {
	if !(s0 > 0) {
		return 0
	}
	switch c {
	case defaultCriterion, ZeroOne:
		return zeroOne(s0, s1)
	case Exponential:
		return exponential(s0, s1)
	case LeastSquares:
		return leastSquares(s0, s1)
	case Gini:
		return gini(s0, s1)
	case Entropy, GainRatio:
		p, n := (s0+s1)/2, (s0-s1)/2
		return -part(p, s0) - part(n, s0)
	case Divergence:
		p, n := (s0+s1)/2+smoothing, (s0-s1)/2+smoothing
		return -2 * float64((p-n)*log(p/n))
	}
	return 0
}

// block is Criterion.block, and split Criterion.split, of all criteria.
func (e *engine) block(c Criterion, s0, s1 float64) float64 {
	if c == byPhi {
		return e.phi(s0, s1)
	}
	return c.block(s0, s1)
}

func (e *engine) split(c Criterion, l0, l1, r0, r1 float64) float64 {
	if c == byPhi {
		return e.phi(l0, l1) + e.phi(r0, r1)
	}
	return c.split(l0, l1, r0, r1)
}

// These are small enough to be inlined into the search; they are for s0 > 0.

func zeroOne(s0, s1 float64) float64      { return (s0 - math.Abs(s1)) / 2 }
func exponential(s0, s1 float64) float64  { return math.Sqrt(max(0, float64((s0+s1)*(s0-s1)))) }
func leastSquares(s0, s1 float64) float64 { return -float64(s1 * (s1 / s0)) }
func gini(s0, s1 float64) float64         { return (s0 - float64(s1*(s1/s0))) / 2 }

// partition returns the loss of a partition into blocks.
func (c Criterion) partition(s0, s1 []float64) float64 {
	sum := 0.0
	for b := range s0 {
		sum += c.block(s0[b], s1[b])
	}
	if c == GainRatio {
		return ratio(c, sum, s0, s1)
	}
	return sum
}

// split returns the loss of a partition into two blocks.
func (c Criterion) split(l0, l1, r0, r1 float64) float64 {
	if c == GainRatio {
		return c.partition([]float64{l0, r0}, []float64{l1, r1})
	}
	return c.block(l0, l1) + c.block(r0, r1)
}

// ratio is Quinlan's gain ratio, negated.
func ratio(c Criterion, children float64, s0, s1 []float64) float64 {
	t0, t1 := 0.0, 0.0
	for b := range s0 {
		t0 += s0[b]
		t1 += s1[b]
	}
	info := 0.0
	for _, s := range s0 {
		info -= part(s, t0)
	}
	gain := c.block(t0, t1) - children
	if !(info > 0) || gain <= tiny*t0 {
		return 0
	}
	return -gain / info
}

// part returns p ln(p/whole), 0 for p = 0.
func part(p, whole float64) float64 {
	if !(p > 0) {
		return 0
	}
	return float64(p * log(p/whole))
}

// tiny is negligible weight, of a total of 1.
const tiny = 1e-12

// smoothing is that of Divergence, and the default of [KL].
const smoothing = 1e-3
