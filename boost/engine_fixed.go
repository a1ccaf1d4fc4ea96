package boost

import (
	"math"
	"sync/atomic"
)

// Sums of weights are integer sums. Weights that sum to 1 become integers that
// sum to 2^54 or 2^60, with an error of at most 2^-55 of the total each. After
// that nothing is rounded, so sums do not depend on the order of the rows, the
// difference of a node and one child is exactly the other child, and equal
// partitions have exactly equal losses.
//
// Where the targets are labels, one word serves for both sums: its highest bit
// selects one of two histograms of 256 bins (set for class +1). That takes one
// addition per value instead of two. The bit is added up with the weight; as
// sums of weights stay below it, it is masked off in the end. Both classes are
// rounded alike, so that exchanging the labels changes only signs.
type fixed struct {
	one []uint64   // targets are labels: weight with label
	two [][2]int64 // else: w and w z
	w   float64    // two: factor from integers to S0
	z   float64    // and to S1
}

const (
	labelled1 = 1 << 54 // the labelled weight of all the total
	positive  = 1 << 63 // the bit of a weight of class +1

	// A labelled weight, shifted by this, is 256 for class +1 and 0 for class
	// -1: one weight stays below 2^55, whatever the sum of the caller's
	// weights.
	labelShift = 55
)

// set quantises weights and targets.
func (f *fixed) set(weights, targets []float64) {
	largest, plain := 0.0, true
	for _, z := range targets {
		if a := math.Abs(z); a != 1 {
			plain = false
			largest = max(largest, a)
		}
	}
	if plain {
		f.two = f.two[:0]
		f.one = grow(f.one, len(weights))
		for i, w := range weights {
			v := uint64(0)
			if w > 0 {
				v = labelled(w, targets[i] > 0)
			}
			f.one[i] = v
		}
		return
	}
	f.one = f.one[:0]
	f.two = grow(f.two, len(weights))
	_, e := math.Frexp(max(1, largest))
	scale := math.Ldexp(1, 60-e)
	f.w, f.z = 0x1p-60, 1/scale
	for i, w := range weights {
		f.two[i] = [2]int64{int64(math.RoundToEven(w * (1 << 60))), int64(math.RoundToEven(float64(w*targets[i]) * scale))}
	}
}

// setPairs quantises weights, which are not negative, and the second summands,
// such as gradients, given the sum of the former and of the magnitudes of the
// latter. It returns the sums of the integers.
func (f *fixed) setPairs(weights, seconds []float64, sum0, sum1 float64, workers int) (a, b int64) {
	f.one = f.one[:0]
	f.two = grow(f.two, len(weights))
	_, e0 := math.Frexp(sum0)
	_, e1 := math.Frexp(sum1)
	scale0, scale1 := math.Ldexp(1, 60-e0), math.Ldexp(1, 60-e1)
	f.w, f.z = 1/scale0, 1/scale1
	var all [2]atomic.Int64
	inParts(workers, len(weights), func(_, from, to int) {
		w, s, two := weights[from:to], seconds[from:to], f.two[from:to]
		var a, b int64
		for i, w := range w {
			p := [2]int64{int64(math.RoundToEven(w * scale0)), int64(math.RoundToEven(s[i] * scale1))}
			two[i] = p
			a += p[0]
			b += p[1]
		}
		all[0].Add(a)
		all[1].Add(b)
	})
	return all[0].Load(), all[1].Load()
}

// labelled returns the integer nearest to w times 2^54, with the bit of its
// class.
func labelled(w float64, plus bool) uint64 {
	v := uint64(math.RoundToEven(min(w*labelled1, 1<<55-4)))
	if plus {
		return v | positive
	}
	return v
}

// keep removes the weights of those of n rows that are not listed.
func (f *fixed) keep(rows []int32, n int) {
	for _, i := range complement(rows, nil, n) {
		if len(f.one) > 0 {
			f.one[i] = 0
		} else {
			f.two[i] = [2]int64{}
		}
	}
}

// at returns the two integer summands of row i.
func (f *fixed) at(i int) (a, b int64) {
	if len(f.one) > 0 {
		v := f.one[i]
		w := int64(v &^ positive)
		if v&positive != 0 {
			return w, w
		}
		return w, -w
	}
	return f.two[i][0], f.two[i][1]
}

// floats returns S0 and S1 for integer sums as at returns them.
func (f *fixed) floats(a, b int64) (s0, s1 float64) {
	u0, u1 := f.units()
	return float64(a) * u0, float64(b) * u1
}

// units returns the factors from integers to S0 and S1, powers of two.
func (f *fixed) units() (u0, u1 float64) {
	if len(f.one) > 0 {
		return 1.0 / labelled1, 1.0 / labelled1
	}
	return f.w, f.z
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
