package boost

import (
	"cmp"
	"math"
)

// HuberLoss is least squares for errors of at most delta and linear beyond it: the
// gradient of outliers is bounded. 0 means a delta of 1.
func HuberLoss(delta float64) Loss { return huberLoss{delta: cmp.Or(delta, 1)} }

// huberLoss has the curvature of least squares, which bounds the true one: rows beyond
// delta then also affect the step of a leaf.
type huberLoss struct {
	leastSquaresLoss
	delta float64
}

func (huberLoss) Name() string { return "huber" }

func (l huberLoss) Value(y, f float64) float64 {
	d := l.delta
	if e := math.Abs(y - f); e > d {
		return float64(d * (e - d/2))
	}
	return l.leastSquaresLoss.Value(y, f)
}

func (l huberLoss) Gradient(y, f float64) float64 { return min(l.delta, max(-l.delta, f-y)) }
func (huberLoss) straight()                       {}
