package network

import "math"

// The standard library's Exp and Log differ between machines in their last bits,
// as package boost explains. These are plain operations in a fixed order.

const (
	ln2High = 6.93147180369123816490e-01 // 32 bits of ln 2: a small integer times it is exact
	ln2Low  = 1.90821492927058770002e-10
)

// exp returns e to the power x, which is clamped to ±700.
func exp(x float64) float64 {
	x = min(max(x, -700), 700)
	// x = k ln 2 + r, |r| <= ln 2 / 2.
	k := math.Floor(float64(x*(1/math.Ln2)) + 0.5)
	r := float64(x-float64(k*ln2High)) - float64(k*ln2Low)
	p := 1.0
	for i := 13; i > 0; i-- { // Taylor series: the next term is below 2^-57
		p = float64(float64(p*r)/float64(i)) + 1
	}
	return p * math.Float64frombits(uint64(int64(k)+1023)<<52)
}

// log returns the natural logarithm of x > 0.
func log(x float64) float64 {
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
	return float64(k*ln2High) + float64(float64(2*s)+float64(float64(float64(2*s)*p)+float64(k*ln2Low)))
}

// sigmoid returns 1/(1+e^-x).
func sigmoid(x float64) float64 {
	e := exp(-math.Abs(x))
	if x < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}
