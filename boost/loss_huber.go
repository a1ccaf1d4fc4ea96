package boost

import "math"

// HuberLoss is least squares for errors of at most Delta and linear beyond it:
// the gradient of outliers is bounded.
type HuberLoss struct {
	// Delta is where the parabola ends. 0 means 1.
	Delta float64
}

func (l HuberLoss) delta() float64 {
	if l.Delta == 0 {
		return 1
	}
	return l.Delta
}

// Name returns "huber".
func (HuberLoss) Name() string { return "huber" }

// Value implements [Loss].
func (l HuberLoss) Value(y, f float64) float64 {
	d := l.delta()
	if e := math.Abs(y - f); e > d {
		return float64(d * (e - d/2))
	}
	return (y - f) * (y - f) / 2
}

// Gradient implements [Loss].
func (l HuberLoss) Gradient(y, f float64) float64 { return min(l.delta(), max(-l.delta(), f-y)) }

// Curvature returns 1, which bounds the true one: rows beyond Delta then also
// affect the step of a leaf.
func (HuberLoss) Curvature(y, f float64) float64 { return 1 }

// Inverse returns f.
func (HuberLoss) Inverse(f float64) float64 { return f }

// Link returns the mean.
func (HuberLoss) Link(mean float64) float64 { return mean }

func (HuberLoss) straight()  {}
func (HuberLoss) link() Link { return IdentityLink }
