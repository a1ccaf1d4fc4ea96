package boost

import "math"

// The standard library's Exp, Log and Erf are assembly on some architectures
// and fused multiply-adds on others, so their last bits differ between
// machines, and would make a model's bytes differ. These are plain operations
// in a fixed order, accurate to a few units in the last place.

// exp returns e to the power x.
func exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.78:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	// x = k ln 2 + r, |r| <= ln 2 / 2. The high part of ln 2 has 32 bits, so
	// that k times it is exact.
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	const high = 6.93147180369123816490e-01
	const low = 1.90821492927058770002e-10
	r := float64(x-float64(k*high)) - float64(k*low)
	// Taylor series: the next term is below 2^-57.
	p := float64(r*(1./13)) + 1
	p = float64(float64(p*r)*(1./12)) + 1
	p = float64(float64(p*r)*(1./11)) + 1
	p = float64(float64(p*r)*(1./10)) + 1
	p = float64(float64(p*r)*(1./9)) + 1
	p = float64(float64(p*r)*(1./8)) + 1
	p = float64(float64(p*r)*(1./7)) + 1
	p = float64(float64(p*r)*(1./6)) + 1
	p = float64(float64(p*r)*(1./5)) + 1
	p = float64(float64(p*r)*(1./4)) + 1
	p = float64(float64(p*r)*(1./3)) + 1
	p = float64(float64(p*r)*(1./2)) + 1
	p = float64(p*r) + 1
	if k > -1000 && k < 1000 {
		return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
	}
	return math.Ldexp(p, int(k))
}

// log returns the natural logarithm of x.
func log(x float64) float64 {
	if x != x || x < 0 {
		return math.NaN()
	}
	if x == 0 {
		return math.Inf(-1)
	}
	if math.IsInf(x, 1) {
		return x
	}
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		e--
	}
	// ln m = 2 atanh(s), s = (m-1)/(m+1), |s| < 0.172.
	s := (m - 1) / (m + 1)
	q := float64(s * s)
	p := 0.0
	for i := 25; i >= 3; i -= 2 {
		p = float64((p + 1/float64(i)) * q)
	}
	const high = 6.93147180369123816490e-01
	const low = 1.90821492927058770002e-10
	k := float64(e)
	return float64(k*high) + float64(float64(2*s)+float64(float64(float64(2*s)*p)+float64(k*low)))
}

// log1p returns ln(1+x) without losing a small x.
func log1p(x float64) float64 {
	u := 1 + x
	if u == 1 {
		return x
	}
	if math.IsInf(u, 1) || !(u > 0) {
		return log(u)
	}
	// Corrects the rounding of 1+x to first order.
	return float64(log(u) * (x / (u - 1)))
}

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
