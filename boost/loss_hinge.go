package boost

import "math"

// HingeLoss is max(0, 1 - y f), the loss of support vector machines, or with
// Smooth above 0 the same with its corner rounded to a parabola from 1 - Smooth
// to 1. It has no probability.
type HingeLoss struct {
	// Smooth is the width of the rounded corner. 0 means that it is sharp.
	Smooth float64
}

// Name returns "hinge".
func (HingeLoss) Name() string { return "hinge" }

// MarginValue returns the loss of a margin.
func (l HingeLoss) MarginValue(m float64) float64 {
	switch d := 1 - m; {
	case d <= 0:
		return 0
	case d < l.Smooth:
		return d * d / (2 * l.Smooth)
	default:
		return d - l.Smooth/2
	}
}

// Weight returns minus the slope: 1 before the corner, 0 behind it.
func (l HingeLoss) Weight(m float64) float64 {
	switch d := 1 - m; {
	case d <= 0:
		return 0
	case d < l.Smooth:
		return d / l.Smooth
	}
	return 1
}

// MarginCurvature returns 1 for the sharp corner; see [Loss]. For the rounded one
// it is the parabola's before the corner too, which bounds the true one.
func (l HingeLoss) MarginCurvature(m float64) float64 {
	switch {
	case l.Smooth == 0:
		return 1
	case m < 1:
		return 1 / l.Smooth
	}
	return 0
}

// Value implements [Loss].
func (l HingeLoss) Value(y, f float64) float64 { return l.MarginValue(y * f) }

// Gradient implements [Loss].
func (l HingeLoss) Gradient(y, f float64) float64 { return -float64(y * l.Weight(y*f)) }

// Curvature implements [Loss].
func (l HingeLoss) Curvature(y, f float64) float64 { return l.MarginCurvature(y * f) }

// Inverse returns NaN: the hinge loss has no probability.
func (HingeLoss) Inverse(float64) float64 { return math.NaN() }

// Link returns NaN.
func (HingeLoss) Link(float64) float64 { return math.NaN() }

func (HingeLoss) straight()             {}
func (HingeLoss) allows(y float64) bool { return isClass(y) }
func (HingeLoss) wants() string         { return wantClasses }
