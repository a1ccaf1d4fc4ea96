package augment

import "math"

// sinCos returns sine and cosine of an angle of at most a few turns, in radians.
// The last bits of math.Sincos differ between architectures, and a window's bytes
// would too. These are plain operations in a fixed order, with an error of about
// 1e-15.
func sinCos(x float64) (sin, cos float64) {
	x = float64(x) // a product of the caller's must not be fused into what follows
	// x = k pi/2 + r, |r| <= pi/4.
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	r := x - float64(k*(math.Pi/2))
	q := float64(r * r)
	s, c := 1.0, 1.0
	for i := 18; i >= 2; i -= 2 {
		s = 1 - float64(float64(q*s)/float64(i*(i+1)))
		c = 1 - float64(float64(q*c)/float64(i*(i-1)))
	}
	s = float64(s * r)
	switch int(k) & 3 {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

func degrees(d float64) (sin, cos float64) { return sinCos(float64(d * (math.Pi / 180))) }

// waves is one period of a cosine in 256 steps, from -1024 to 1024.
var waves = func() (w [256]int32) {
	for i := range w {
		_, c := sinCos(float64(i) * (2 * math.Pi / 256))
		w[i] = int32(math.RoundToEven(c * 1024))
	}
	return w
}()
