package network

import (
	"math"

	"haarlem/internal/numeric"
)

// sigmoid returns 1/(1+e^-x).
func sigmoid(x float64) float64 {
	e := numeric.Exp(-math.Abs(x))
	if x < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}
