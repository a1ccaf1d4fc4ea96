package boost

import "math"

// HingeLoss is max(0, 1 - y f), the loss of support vector machines, or with smooth
// above 0 the same with its corner rounded to a parabola from 1 - smooth to 1. It has
// no probability.
func HingeLoss(smooth float64) MarginLoss { return hingeLoss{smooth} }

type hingeLoss struct{ smooth float64 }

func (hingeLoss) Name() string { return "hinge" }

func (l hingeLoss) MarginValue(m float64) float64 {
	switch d := 1 - m; {
	case d <= 0:
		return 0
	case d < l.smooth:
		return d * d / (2 * l.smooth)
	default:
		return d - l.smooth/2
	}
}

func (l hingeLoss) Weight(m float64) float64 {
	switch d := 1 - m; {
	case d <= 0:
		return 0
	case d < l.smooth:
		return d / l.smooth
	}
	return 1
}

// MarginCurvature returns 1 for the sharp corner; see [Loss]. For the rounded one
// it is the parabola's before the corner too, which bounds the true one.
func (l hingeLoss) MarginCurvature(m float64) float64 {
	switch {
	case l.smooth == 0:
		return 1
	case m < 1:
		return 1 / l.smooth
	}
	return 0
}

func (l hingeLoss) Value(y, f float64) float64     { return l.MarginValue(y * f) }
func (l hingeLoss) Gradient(y, f float64) float64  { return -float64(y * l.Weight(y*f)) }
func (l hingeLoss) Curvature(y, f float64) float64 { return l.MarginCurvature(y * f) }
func (hingeLoss) Inverse(float64) float64          { return math.NaN() }
func (hingeLoss) Link(float64) float64             { return math.NaN() }
func (hingeLoss) straight()                        {}
func (hingeLoss) allows(y float64) bool            { return isClass(y) }
func (hingeLoss) wants() string                    { return wantClasses }
