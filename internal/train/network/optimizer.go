package network

import (
	"math"

	"haarlem/internal/numeric"
)

// An optimizer changes parameters by their gradients: Kingma and Ba, Adam (2015),
// algorithm 1, with the weight decay of Loshchilov and Hutter, Decoupled Weight
// Decay Regularization (2019), algorithm 2.
type optimizer struct {
	mean, square []float32 // of the gradients so far, decaying
}

const (
	keepMean   = 0.9
	keepSquare = 0.999
	tiny       = 1e-8
	negligible = 1e-30
)

// step changes the parameters from index from to index to-1, for the step-th time,
// counted from 1. decays says which of them decay.
func (o *optimizer) step(parameters, gradient []float32, decays []bool, from, to, step int, rate, decay float64) {
	unbiased := 1 / (1 - power(keepSquare, step))
	by := float32(rate / (1 - power(keepMean, step)))
	shrink := float32(rate * decay)
	for i := from; i < to; i++ {
		g := gradient[i]
		m := float32(keepMean*o.mean[i]) + float32((1-keepMean)*g)
		s := float32(keepSquare*o.square[i]) + float32((1-keepSquare)*float32(g*g))
		// Numbers below the normal ones are slow.
		if m < negligible && m > -negligible {
			m = 0
		}
		if s < negligible {
			s = 0
		}
		o.mean[i], o.square[i] = m, s
		w := parameters[i]
		if decays[i] {
			w -= float32(shrink * w)
		}
		parameters[i] = w - float32(by*m)/(float32(math.Sqrt(float64(s)*unbiased))+tiny)
	}
}

func power(x float64, n int) float64 { return numeric.Exp(float64(float64(n) * numeric.Log(x))) }
