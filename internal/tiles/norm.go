package tiles

import "math"

// norm returns the factor that normalises the weighted sums of a window: 1 over
// the square root of area*sq - sum*sum, where area is the number of pixels, sum
// their sum and sq the sum of their squares, all inside a border of one pixel.
// That root is area times the standard deviation. For a flat window it is zero.
//
// area*255 must be below 2^31: windows of up to 2900x2900 pixels.
func norm(area, sum, sq int64) float32 {
	nf := area*sq - sum*sum
	if nf <= 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(nf)))
}
