// Package cropresize resamples part of an image to a square of fixed size with a
// separable filter: Stack combines rows, and Pick filters what they make. Sums are exact,
// so rows could be filtered first; but a square has fewer rows than what it is made from.
package cropresize

import (
	"fmt"

	"haarlem/internal/cpu"
)

const (
	// Side is the width and height of the square.
	Side = 40

	// MaxTaps is the largest number of source pixels per output pixel, each way.
	MaxTaps = 8

	// Slack is the number of elements that Stack may write behind the end.
	Slack = 15
)

// Weights are those of the taps of one output pixel, each below 1<<15. Unused
// ones are 0.
type Weights [MaxTaps]int32

// Places are the filter of every pixel of a row.
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
		for k := range taps + taps%2 { // Pick takes two at a time
			at := positions[min(from+k, last)] - positions[0]
			if uint(at) >= uint(t.end) || t.end > 1<<30 {
				panic(fmt.Sprintf("cropresize: position %d of %d", at, t.end))
			}
			t.at[k][i], t.weights[k][i] = int32(at), weights[i][k]
		}
	}
}

// Stack fills dst[:n] with weighted sums of rows of bytes: element i is the sum of
// weights[k]*p[rows[k]+i]. Weights are from 0 to 1<<15-1 and sums below 1<<31. dst must go
// on for Slack elements. It takes longer where a row does not.
func Stack(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	if n < 1 {
		panic(fmt.Sprintf("cropresize: %d elements", n))
	}
	_ = dst[n+Slack-1]
	last := 0
	for _, row := range rows {
		_ = p[row]
		last = max(last, row)
	}
	if _ = p[last+n-1]; last+n+Slack > len(p) || cpu.Current() == cpu.PureGo {
		stackGo(dst, p, rows, weights, n)
	} else {
		stack(dst, p, rows, weights, n)
	}
}

func stackGo(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	dst = dst[:n]
	for k := 0; k < MaxTaps; k += 2 {
		one, two, a, b := weights[k], weights[k+1], p[rows[k]:][:n], p[rows[k+1]:][:n]
		switch {
		case k == 0:
			for i := range dst {
				dst[i] = one*int32(a[i]) + two*int32(b[i])
			}
		case one != 0 || two != 0:
			for i := range dst {
				dst[i] += one*int32(a[i]) + two*int32(b[i])
			}
		}
	}
}

// A Scale multiplies by Factor and shifts to the right by Shift, which is at
// most 63.
type Scale struct {
	Factor uint32
	Shift  uint64
}

// Pick fills a row of the square with the weighted sums of elements of src, scaled by s.
// Sums must be below 1<<31.
func Pick(dst *[Side]int32, src []int32, t *Places, s Scale) {
	if t.taps == 0 || s.Shift > 63 {
		panic(fmt.Sprintf("cropresize: Places without Set, or shift %d", s.Shift))
	}
	src = src[:t.end]
	if cpu.Current() == cpu.PureGo {
		pickGo(dst, src, t, s)
		return
	}
	pick(dst, src, t, s)
}

func pickGo(dst *[Side]int32, src []int32, t *Places, s Scale) {
	var sums [Side]int32
	for k := 0; k < t.taps; k += 2 {
		one, two, weights, more := &t.at[k], &t.at[k+1], &t.weights[k], &t.weights[k+1]
		for i := range sums {
			sums[i] += weights[i]*src[one[i]] + more[i]*src[two[i]]
		}
	}
	for i, v := range sums {
		dst[i] = int32(uint64(v) * uint64(s.Factor) >> (s.Shift & 63))
	}
}
