package boost

import "math"

// The standard library's Exp and Log are assembly on some architectures and
// fused multiply-adds on others, so their last bits differ from machine to
// machine, and a model's bytes with them. These two are plain operations in a
// fixed order, right to about one unit in the last place.

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
	// Taylor: the term behind the last is below 2^-57.
	p := 1.0
	for i := 13; i > 0; i-- {
		p = float64(float64(p*r)*inverse[i]) + 1
	}
	if k > -1000 && k < 1000 {
		return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
	}
	return math.Ldexp(p, int(k))
}

var inverse = [14]float64{0, 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7, 1. / 8, 1. / 9, 1. / 10, 1. / 11, 1. / 12, 1. / 13}

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
	// The rounding of 1+x is made good to first order.
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
