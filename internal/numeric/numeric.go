// Package numeric has functions that give the same bits on every machine. The standard
// library's Exp and Log are assembly on some architectures and fused multiply-adds on
// others, so that their last bits differ, and would make a model's bytes differ. These
// are plain operations in a fixed order, accurate to a few units in the last place.
package numeric

import "math"

// Exp returns e to the power x.
func Exp(x float64) float64 {
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

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
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
