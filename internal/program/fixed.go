package program

import (
	"math"

	"haarlem/cascade"
)

func clamp32(v int64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }

// unitOf returns the number of fixed-point units in 1, a power of two, and whether
// any leaf is rounded.
func unitOf(c *cascade.Cascade) (unit float64, sloppy bool) {
	// The largest sum between two restarts, doubled since lanes hold differences of
	// leaves.
	largest, sum := 0.0, 0.0
	bits := -126 // the finest power of two that some leaf needs
	if c.Search.ScaleBias != (cascade.ScaleBias{}) {
		sum, bits = c.Search.ScaleBias.Max+1, cascade.ScaleBiasBits
	}
	from := 0
	for _, x := range c.Exits {
		for _, w := range c.Weak[from:x.After] {
			top := 0.0
			for _, v := range w.Leaves {
				top = max(top, math.Abs(float64(v)))
				bits = max(bits, fraction(v))
			}
			sum += top
		}
		from = x.After
		largest = max(largest, sum, math.Abs(float64(x.Threshold)))
		if x.Restart {
			sum = 0
		}
	}
	room := 0 // the finest unit that leaves room for the largest sum
	for room < 24 && math.Ldexp(2*largest, room+1) < 1<<30 {
		room++
	}
	for room > -100 && math.Ldexp(2*largest, room) >= 1<<30 {
		room--
	}
	if bits <= room {
		return math.Ldexp(1, room), false
	}
	return math.Ldexp(1, room), true
}

// fraction returns the smallest n for which v is a multiple of 2^-n.
func fraction(v float32) int {
	if v == 0 {
		return -126
	}
	m, e := math.Frexp(float64(v)) // v = m * 2^e, m has 24 bits
	n := int64(m * (1 << 24))
	return 24 - e - trailingZeros(n)
}

func trailingZeros(n int64) (z int) {
	for n&1 == 0 {
		n >>= 1
		z++
	}
	return z
}

func fixed(v float32, unit float64) int64 { return int64(math.RoundToEven(float64(v) * unit)) }
