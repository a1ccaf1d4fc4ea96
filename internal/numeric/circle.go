package numeric

import "math"

// SinCos returns sine and cosine of an angle: a whole number of quarters of a circle
// and r, in radians, of at most half a quarter. The error is about 1e-15.
func SinCos(quarters, r float64) (sin, cos float64) {
	q := float64(r * r)
	s, c := 1.0, 1.0
	for i := 18; i >= 2; i -= 2 {
		s = 1 - float64(float64(q*s)/float64(i*(i+1)))
		c = 1 - float64(float64(q*c)/float64(i*(i-1)))
	}
	s = float64(s * r)
	switch int(math.Mod(quarters, 4)) & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}
