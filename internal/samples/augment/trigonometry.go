package augment

import (
	"math"

	"haarlem/internal/numeric"
)

// sinCos returns sine and cosine of an angle of at most a few turns, in radians.
func sinCos(x float64) (sin, cos float64) {
	x = float64(x) // a product of the caller's must not be fused into what follows
	k := math.Floor(float64(x*(2/math.Pi)) + 0.5)
	return numeric.SinCos(k, x-float64(k*(math.Pi/2)))
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
