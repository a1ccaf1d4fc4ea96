package boost

import (
	"math"

	"haarlem/internal/numeric"
)

// What follows gives the same bits on every machine, as package numeric explains.

func exp(x float64) float64 { return numeric.Exp(x) }
func log(x float64) float64 { return numeric.Log(x) }

func log1p(x float64) float64 { return numeric.Log1p(x) }

// tanh returns the hyperbolic tangent of x.
func tanh(x float64) float64 {
	t := exp(-2 * math.Abs(x))
	return math.Copysign((1-t)/(1+t), x)
}

// hypot1 returns sqrt(1 + x x).
func hypot1(x float64) float64 {
	if a := math.Abs(x); a > 1e9 {
		return a // the 1 is below the rounding
	}
	return math.Sqrt(1 + float64(x*x))
}

// erf returns the error function of x.
func erf(x float64) float64 {
	a := math.Abs(x)
	q := float64(a * a)
	switch {
	case x != x:
		return x
	case a > 6:
		return math.Copysign(1, x)
	case a < 2.5:
		// 2/sqrt(pi) exp(-x^2) sum 2^n x^(2n+1) / (2n+1)!!, whose terms are all
		// positive, so that none cancel.
		term, sum := a, a
		for n := 1; term > 1e-17*sum; n++ {
			term = float64(term * (2 * q / float64(2*n+1)))
			sum += term
		}
		return math.Copysign(float64(twoOverRootPi*exp(-q)*sum), x)
	}
	// The continued fraction of 1 - erf: exp(-x^2)/sqrt(pi) / (x + (1/2)/(x +
	// (2/2)/(x + (3/2)/(x + ...)))), from far enough in.
	f := a
	for n := 60; n > 0; n-- {
		f = a + float64(n)/2/f
	}
	return math.Copysign(1-float64(twoOverRootPi/2*exp(-q)/f), x)
}

const twoOverRootPi = 2 / rootPi

const rootPi = 1.77245385090551602729816748334114518279754945612238712821380779

// rootOfErf returns the x > 0 with erf(x) = p, for p from 0 to 1.
func rootOfErf(p float64) float64 {
	lo, hi := 0.0, 6.0
	for hi-lo > 1e-16*hi {
		mid := (lo + hi) / 2
		if mid == lo || mid == hi {
			break
		}
		if erf(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// expm1 returns exp(x) - 1 without losing a small x.
func expm1(x float64) float64 {
	u := exp(x)
	switch {
	case u == 1:
		return x
	case u-1 == -1 || math.IsInf(u, 1):
		return u - 1
	}
	return float64((u - 1) * (x / log(u))) // corrects the rounding of u, as log1p
}
