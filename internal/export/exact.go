package export

import (
	"fmt"
	"math"
	"math/bits"

	"haarlem/cascade"
	"haarlem/internal/kernel/contrast"
)

// fraction returns the smallest n >= 0 for which v is a multiple of 2^-n.
func fraction(v float64) int {
	if v == 0 {
		return 0
	}
	m, e := math.Frexp(v)
	k := int64(math.Ldexp(m, 53))
	return max(0, 53-e-bits.TrailingZeros64(uint64(k)))
}

// unitBits returns the smallest n for which scores are whole numbers of 2^-n, and the
// largest score in these units. Go adds leaves in float64, which is exact below 2^53
// units.
func unitBits(c *cascade.Cascade) (n int, upper float64, err error) {
	worst := ""
	note := func(v float64, what string, i int) {
		if f := fraction(v); f > n {
			n, worst = f, fmt.Sprintf("%s %d has %v", what, i, v)
		}
	}
	sum, from := 0.0, 0
	if c.Search.ScaleBias != (cascade.ScaleBias{}) {
		n, sum = cascade.ScaleBiasBits, c.Search.ScaleBias.Max+1
	}
	for e, x := range c.Exits {
		note(float64(x.Threshold), "exit", e)
		for i := from; i < x.After; i++ {
			top := 0.0
			for _, v := range c.Weak[i].Leaves {
				note(float64(v), "weak classifier", i)
				top = max(top, math.Abs(float64(v)))
			}
			sum += top
		}
		from = x.After
		upper = max(upper, sum+math.Abs(float64(x.Threshold)))
		if x.Restart {
			sum = 0
		}
	}
	upper = math.Ldexp(upper, n)
	if !(upper < 1<<53) {
		return n, upper, fmt.Errorf("%w: %s, and scores reach %.3g: sums of these would be rounded, which integers do not repeat; the profile small rounds them before", ErrExport, worst, math.Ldexp(upper, -n))
	}
	return n, upper, nil
}

// gate returns the least nf of windows that pass the contrast gate of c.
func gate(c *cascade.Cascade) uint64 {
	area := float64((c.Width - 2) * (c.Height - 2))
	below := contrast.Below(area, 1/c.MinStdDev)
	lo, hi := uint64(0), uint64(1)<<50 // does not pass, passes
	for hi-lo > 1 {
		mid := (lo + hi) / 2
		if float32(1/math.Sqrt(float64(mid))) < below {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi
}

// A fixedPoint is how the values of features are worked out in integers.
type fixedPoint struct {
	Shift int // raw values are shifted left by this before they are multiplied
	Q     int // values are multiples of 2^-Q
	Down  int // of what the C header's rsqrt gives, less half the shift of its argument
	Guard int // distance from a threshold, in 2^-Q, within which nothing is certain
	Near  int // the same for the edges of bins, in 2^-16 of a bin
	Wide  bool
}

// rsqrtError bounds the relative error of the C header's rsqrt; a test checks it.
const rsqrtError = 1.0 / (1 << 22)

// newFixedPoint chooses one for a Haar cascade with values up to raw. Values in Go differ
// from exact ones by the rounding of inv and of the product, 2^-24 each; ours by
// rsqrtError and two units.
func newFixedPoint(c *cascade.Cascade, raw int64, lowest uint64) (f fixedPoint, err error) {
	inv := 1 / math.Sqrt(float64(lowest))
	largest := float64(raw) * inv
	edge := 0.0 // the largest threshold
	for i := range c.Weak {
		w := &c.Weak[i]
		thresholds := []float32{w.Low}
		for _, n := range w.Nodes {
			thresholds = append(thresholds, n.Threshold)
		}
		for _, v := range append(thresholds, w.Scale) {
			if v != 0 && math.Abs(float64(v)) < 1e-28 { // far above what float32 has with fewer bits
				return f, fmt.Errorf("%w: weak classifier %d has the number %v, want 0 or one that is not so near", ErrExport, i, v)
			}
		}
		for _, v := range thresholds {
			if edge = max(edge, math.Abs(float64(v))); edge > 1<<24 {
				return f, fmt.Errorf("%w: weak classifier %d has a threshold of %v, want at most 2^24", ErrExport, i, v)
			}
		}
	}
	f.Shift = 31 - bits.Len64(uint64(raw))
	fits := func(q int) bool {
		return math.Ldexp(largest+edge+1, q) < 1<<30 && math.Ldexp(inv, q+32-f.Shift) < 1<<30
	}
	for f.Q = 28; !fits(f.Q); f.Q-- {
	}
	f.Down = f.Shift - f.Q - 2
	const relative = rsqrtError + 2.0/(1<<23)
	f.Guard = int(math.Ldexp(edge*relative, f.Q)) + 6
	if !c.Weak[0].Histogram() {
		return f, nil
	}
	near := 0.0
	for i := range c.Weak {
		w := &c.Weak[i]
		scale, n := float64(w.Scale), float64(len(w.Leaves))
		value := math.Abs(float64(w.Low)) + n/scale
		near = max(near, scale*(value*2*relative+math.Ldexp(6, -f.Q))+n*relative)
		if s := f.binShift(w.Scale); s < 0 || s > 31 {
			f.Wide = true
		}
		if s := 134 + f.Q - int(math.Float32bits(w.Scale)>>23); s < 0 || s > 63 {
			return f, fmt.Errorf("%w: weak classifier %d has a histogram with Scale %v", ErrExport, i, w.Scale)
		}
	}
	f.Near = int(min(near*(1<<16)+4, 1<<15))
	return f, nil
}

// binShift is what the product of a value with the mantissa of a scale is shifted by.
func (f *fixedPoint) binShift(scale float32) int {
	return 109 + f.Q - int(math.Float32bits(scale)>>23)
}

// largestRaw returns the largest value of a feature of c, and the largest area whose sum
// is needed.
func largestRaw(c *cascade.Cascade) (raw, area int64) {
	if c.Kind == cascade.Haar {
		area = int64(c.Width-2) * int64(c.Height-2)
	}
	for i := range c.Features {
		f := &c.Features[i]
		up, down := int64(0), int64(0)
		for _, r := range f.Rects[:f.Count()] {
			n := int64(r.W) * int64(r.H)
			if f.Tilted {
				n *= 2
			}
			area = max(area, n)
			if r.Weight > 0 {
				up += n * int64(r.Weight) * 255
			} else {
				down -= n * int64(r.Weight) * 255
			}
		}
		raw = max(raw, up, down)
	}
	for _, cell := range c.Cells {
		area = max(area, int64(cell.Dx())*int64(cell.Dy()))
	}
	return raw, area
}
