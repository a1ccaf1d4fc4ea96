package network

import (
	"math"

	"haarlem/internal/network"
	"haarlem/internal/numeric"
)

// A target is what a sample should give.
type target struct {
	label int8 // 1: the object, 0: not, -1: neither
	box   bool // whether the sample has corrections
	by    [4]float32
}

const (
	object     = 1
	background = 0
	neither    = -1
)

// losses are sums over samples.
type losses struct {
	Label, Box    float64
	Labels, Boxes int
}

// loss adds a sample's losses, and sets slopes to the derivatives of their sum by
// the outputs, times scale. It is the cross-entropy of the label, and the smooth absolute
// difference of the corrections of Girshick, Fast R-CNN (2015), equation 3, quadratic
// below corner. The label of a square at an object is how well the corrected box
// fits, as in Li and others, Generalized Focal Loss (2020): of two boxes of one object
// the better one should have the larger margin.
func loss(sum *losses, slopes, outputs []float32, t *target, scale float64) {
	clear(slopes)
	corrects := t.box && len(outputs) >= 5
	if t.label != neither || corrects {
		want := float64(t.label)
		if corrects {
			want = fit(outputs[1:5], t.by[:])
		}
		z := float64(outputs[0])
		value := numeric.Log(1+numeric.Exp(-math.Abs(z))) + max(z, 0) - float64(want*z)
		sum.Labels++
		sum.Label += value
		slopes[0] = float32((sigmoid(z) - want) * scale)
	}
	if corrects {
		sum.Boxes++
		for i, want := range t.by {
			d := float64(outputs[1+i]) - float64(want)
			value, slope := math.Abs(d)-corner/2, math.Copysign(1, d)
			if math.Abs(d) < corner {
				value, slope = d*d/(2*corner), d/corner
			}
			sum.Box += float64(value / 4)
			slopes[1+i] = float32(slope / 4 * boxWeight * scale)
		}
	}
}

// fit returns 1 if the intersection of a box with the right one is at least wellFit of
// their union, 0 if it is at most badlyFit, and between them what lies between. Both
// are corrections of the same box.
func fit(got, want []float32) float64 {
	box := func(v []float32) Box {
		limited := func(x float32) float64 { return float64(min(max(x, -network.MaxCorrection), network.MaxCorrection)) }
		return Box{limited(v[0]), limited(v[1]), numeric.Exp(limited(v[2])), numeric.Exp(limited(v[3]))}
	}
	iou := box(got).IoU(box(want))
	return min(max((iou-badlyFit)/(wellFit-badlyFit), 0), 1)
}

const badlyFit, wellFit = 0.4, 0.6

// corner is the difference of a correction from which the loss is linear.
const corner = 0.05
