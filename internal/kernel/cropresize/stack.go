package cropresize

import "fmt"

// Places are the filter of every pixel of a row, like Taps, whose source pixels may be
// anywhere.
type Places struct {
	at      [MaxTaps][Side]int32
	weights [MaxTaps][Side]int32
	taps    int
	end     int // elements that Pick reads
}

// Set makes output pixel i the sum of the source elements at positions[first[i]+k], less
// the first position, weighted by weights[i][k], for k from 0 to taps-1. Positions ascend;
// beyond the last there is no weight.
func (t *Places) Set(positions []int, first *[Side]int, weights *[Side]Weights, taps int) {
	if taps < 1 || taps > MaxTaps {
		panic(fmt.Sprintf("cropresize: %d taps, want 1 to %d", taps, MaxTaps))
	}
	last := len(positions) - 1
	t.taps, t.end = taps, positions[last]-positions[0]+1
	for i, from := range first {
		for k := range taps {
			at := positions[min(from+k, last)] - positions[0]
			if uint(at) >= uint(t.end) || t.end > 1<<30 {
				panic(fmt.Sprintf("cropresize: position %d of %d", at, t.end))
			}
			t.at[k][i], t.weights[k][i] = int32(at), weights[i][k]
		}
	}
}

// StackSlack is the number of elements that Stack may read and write behind the end.
const StackSlack = 7

// Stack fills dst[:n] with weighted sums of rows of bytes: element i is the sum of
// weights[k]*p[rows[k]+i]. Weights are from 0 to 1<<15-1 and sums below 1<<31. The rows
// and dst must go on for StackSlack elements.
func Stack(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	if n < 1 {
		panic(fmt.Sprintf("cropresize: %d elements", n))
	}
	_ = dst[n+StackSlack-1]
	for _, row := range rows {
		_, _ = p[row], p[row+n+StackSlack-1]
	}
	stack(dst, p, rows, weights, n)
}

func stackGo(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	clear(dst[:n])
	for k, weight := range weights {
		if weight != 0 {
			for i, v := range p[rows[k]:][:n] {
				dst[i] += weight * int32(v)
			}
		}
	}
}

// Pick fills a row of the square with the weighted sums of elements of src, scaled by s.
// Sums must be below 1<<31.
func Pick(dst *[Side]int32, src []int32, t *Places, s Scale) {
	if t.taps == 0 || s.Shift > 63 {
		panic(fmt.Sprintf("cropresize: Places without Set, or shift %d", s.Shift))
	}
	pick(dst, src[:t.end], t, s)
}

func pickGo(dst *[Side]int32, src []int32, t *Places, s Scale) {
	var sums [Side]int32
	for k := range t.taps {
		for i, at := range t.at[k] {
			sums[i] += t.weights[k][i] * src[at]
		}
	}
	scaleGo(dst, &sums, s)
}

func scaleGo(dst, sums *[Side]int32, s Scale) {
	for i, v := range sums {
		dst[i] = int32(uint64(v) * uint64(s.Factor) >> (s.Shift & 63))
	}
}
