package boost

import (
	"cmp"
	"math"
)

// HuberLoss is least squares for errors of at most delta and linear beyond it: the
// gradient of outliers is bounded. 0 means a delta of 1.
func HuberLoss(delta float64) Loss { return huberLoss{cmp.Or(delta, 1)} }

type huberLoss struct{ delta float64 }

func (huberLoss) Name() string { return "huber" }

func (l huberLoss) Value(y, f float64) float64 {
	d := l.delta
	if e := math.Abs(y - f); e > d {
		return float64(d * (e - d/2))
	}
	return (y - f) * (y - f) / 2
}

func (l huberLoss) Gradient(y, f float64) float64 { return min(l.delta, max(-l.delta, f-y)) }

// Curvature returns 1, which bounds the true one: rows beyond delta then also
// affect the step of a leaf.
func (huberLoss) Curvature(y, f float64) float64 { return 1 }
func (huberLoss) Inverse(f float64) float64      { return f }
func (huberLoss) Link(mean float64) float64      { return mean }
func (huberLoss) straight()                      {}
func (huberLoss) link() Link                     { return IdentityLink }
