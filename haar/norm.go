package haar

import "math"

// Norm returns what turns the weighted sums of a window into values: 1 over
// the square root of area*sq - sum*sum, where area counts pixels and sum and
// sq add their grey levels and their squares, all inside a border of one
// pixel. That root is area times the standard deviation. A flat window has no
// norm: zero is returned, and all its values are zero.
//
// area*255 must be below 2^31: windows of up to 2900x2900 pixels.
func Norm(area, sum, sq int64) float32 {
	nf := area*sq - sum*sum
	if nf <= 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(nf)))
}
