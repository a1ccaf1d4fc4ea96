package network

import (
	"math"

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

func (l *losses) add(m losses) {
	l.Label += m.Label
	l.Box += m.Box
	l.Labels += m.Labels
	l.Boxes += m.Boxes
}

// loss adds a sample's losses, and sets slopes to the derivatives of their sum by
// the outputs, times scale. It is the cross-entropy of the label, and the smooth absolute
// difference of the corrections of Girshick, Fast R-CNN (2015), equation 3, quadratic
// below corner.
func loss(sum *losses, slopes, outputs []float32, t *target, scale float64) {
	clear(slopes)
	if t.label != neither {
		z := float64(outputs[0])
		sign := -1.
		if t.label == object {
			sign = 1
		}
		z *= sign
		value := numeric.Log(1 + numeric.Exp(-math.Abs(z))) // -log p
		if z < 0 {
			value -= z
		}
		sum.Labels++
		sum.Label += value
		slopes[0] = float32(sign * (sigmoid(z) - 1) * scale)
	}
	if t.box && len(outputs) >= 5 {
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

// corner is the difference of a correction from which the loss is linear.
const corner = 0.05
