package export

import (
	"math"

	"haarlem/cascade"
)

// rounded returns c with numbers of few bits: leaves are multiples of a power of two
// that fit 8 bits, thresholds of exits are multiples that fit 16 bits, and all others have
// the upper 16 bits of a float32. It is a cascade like any other, so that its accuracy can
// be measured. Leaves and thresholds of exits are multiples of 2^-n.
func rounded(c *cascade.Cascade) (r *cascade.Cascade, n int) {
	c = c.Clone()
	leaf, limit := 0.0, 0.0
	for i := range c.Weak {
		for _, v := range c.Weak[i].Leaves {
			leaf = max(leaf, math.Abs(float64(v)))
		}
	}
	for _, x := range c.Exits {
		limit = max(limit, math.Abs(float64(x.Threshold)))
	}
	// The finest power of two for which all fit, if that is not very fine.
	n = 20
	unit := math.Ldexp(1, -n)
	for leaf > unit*math.MaxInt8 || limit > unit*math.MaxInt16 {
		unit *= 2
		n--
	}
	to := func(v float32, upper float64) float32 {
		return float32(min(max(math.RoundToEven(float64(v)/unit), -upper), upper) * unit)
	}
	for i := range c.Weak {
		w := &c.Weak[i]
		for k := range w.Leaves {
			w.Leaves[k] = to(w.Leaves[k], math.MaxInt8)
		}
		w.Low, w.Scale = half(w.Low), half(w.Scale)
		for k := range w.Nodes {
			w.Nodes[k].Threshold = half(w.Nodes[k].Threshold)
		}
	}
	for i := range c.Exits {
		c.Exits[i].Threshold = to(c.Exits[i].Threshold, math.MaxInt16)
	}
	return c, n
}

// half rounds v to the upper 16 bits of a float32.
func half(v float32) float32 {
	b := math.Float32bits(v)
	b += 0x7fff + b>>16&1
	h := math.Float32frombits(b &^ 0xffff)
	if math.IsInf(float64(h), 0) {
		return math.Float32frombits(math.Float32bits(v) &^ 0xffff)
	}
	return h
}
