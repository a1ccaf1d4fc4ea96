// Package numeric has functions that give the same bits on every machine. The standard
// library's Exp and Log are assembly on some architectures and fused multiply-adds on
// others, so that their last bits differ, and would make a model's bytes differ. These
// are plain operations in a fixed order, accurate to a few units in the last place.
package numeric

import "math"

// The high part of ln 2 has 32 bits, so that a whole number of them is exact.
const high, low = 6.93147180369123816490e-01, 1.90821492927058770002e-10

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
	// x = k ln 2 + r, |r| <= ln 2 / 2.
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := float64(x-float64(k*high)) - float64(k*low)
	p := 1.0 // Taylor series: the next term is below 2^-57
	for n := len(inverse) - 1; n > 0; n-- {
		p = float64(float64(p*r)*inverse[n]) + 1
	}
	if k > -1000 && k < 1000 {
		return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
	}
	return math.Ldexp(p, int(k))
}

// inverse are the factors of the Taylor series.
var inverse = [14]float64{0, 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7, 1. / 8, 1. / 9, 1. / 10, 1. / 11, 1. / 12, 1. / 13}

// Exp4 replaces four numbers with what [Exp] returns for them. The operations of one
// wait for each other, those of four do not.
func Exp4(x *[4]float64) {
	var k, r, p [4]float64
	for i, v := range x {
		if !(v > -690 && v < 690) {
			for i, v := range x {
				x[i] = Exp(v)
			}
			return
		}
		k[i] = math.Floor(float64(v*(1/math.Ln2)) + 0.5)
		r[i] = float64(v-float64(k[i]*high)) - float64(k[i]*low)
		p[i] = 1
	}
	r0, r1, r2, r3, p0, p1, p2, p3 := r[0], r[1], r[2], r[3], p[0], p[1], p[2], p[3]
	for n := 13; n > 0; n-- {
		c := inverse[n]
		p0 = float64(float64(p0*r0)*c) + 1
		p1 = float64(float64(p1*r1)*c) + 1
		p2 = float64(float64(p2*r2)*c) + 1
		p3 = float64(float64(p3*r3)*c) + 1
	}
	for i, p := range [4]float64{p0, p1, p2, p3} {
		x[i] = p * math.Float64frombits(uint64(int64(k[i])+1023)<<52)
	}
}

// ExpAll replaces numbers with what [Exp] returns for them, four at a time.
func ExpAll(x []float64) {
	for len(x) >= 4 {
		Exp4((*[4]float64)(x))
		x = x[4:]
	}
	for i, v := range x {
		x[i] = Exp(v)
	}
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
	k := float64(e)
	return float64(k*high) + float64(float64(2*s)+float64(float64(float64(2*s)*p)+float64(k*low)))
}

// Log1p returns ln(1+x) without losing a small x.
func Log1p(x float64) float64 {
	u := 1 + x
	if u == 1 {
		return x
	}
	if math.IsInf(u, 1) || !(u > 0) {
		return Log(u)
	}
	// Corrects the rounding of 1+x to first order.
	return float64(Log(u) * (x / (u - 1)))
}
