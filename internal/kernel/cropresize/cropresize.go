// Package cropresize resamples part of an image to a square of fixed size with a
// separable filter: Across filters a row, and Down combines filtered rows. Or Stack
// combines rows, and Pick filters what they make, with the same result: sums are exact.
// With gathers that is less work, as a square has fewer rows than what it is made from.
package cropresize

import "fmt"

const (
	// Side is the width and height of the square.
	Side = 40

	// MaxTaps is the largest number of source pixels per output pixel, each way.
	MaxTaps = 8

	// Slack is the number of bytes that Across reads from each first tap on.
	Slack = MaxTaps
)

// Weights are those of the taps of one output pixel, each below 1<<15. Unused
// ones are 0.
type Weights [MaxTaps]int32

// Taps are the filter of every pixel of a row.
type Taps struct {
	first   [Side]int32
	weights [MaxTaps][Side]int32
	taps    int
	end     int // bytes that Across reads
}

// Set makes output pixel i the sum of source pixels first[i] to first[i]+taps-1,
// weighted by weights[i].
func (t *Taps) Set(first *[Side]int, weights *[Side]Weights, taps int) {
	if taps < 1 || taps > MaxTaps {
		panic(fmt.Sprintf("cropresize: %d taps, want 1 to %d", taps, MaxTaps))
	}
	t.taps, t.end = taps, 0
	for i, at := range first {
		if uint(at) > 1<<30 {
			panic(fmt.Sprintf("cropresize: first tap at %d, want 0 to 1<<30", at))
		}
		t.first[i] = int32(at)
		t.end = max(t.end, at+Slack)
		for k, weight := range weights[i] {
			t.weights[k][i] = weight
		}
	}
}

// A Row is a source row resampled to the width of the square.
type Row [Side]int32

// Across resamples a source row p, which must have Slack bytes from each first
// tap on.
func Across(dst *Row, p []byte, t *Taps) {
	if t.taps == 0 {
		panic("cropresize: Taps without Set")
	}
	across(dst, p[:t.end], t)
}

func acrossGo(dst *Row, p []byte, t *Taps) {
	q := &t.weights
	switch t.taps {
	case 1, 2:
		for i, first := range t.first {
			p := p[first:][:2]
			dst[i] = q[0][i]*int32(p[0]) + q[1][i]*int32(p[1])
		}
	case 3:
		for i, first := range t.first {
			p := p[first:][:3]
			dst[i] = q[0][i]*int32(p[0]) + q[1][i]*int32(p[1]) + q[2][i]*int32(p[2])
		}
	case 4:
		for i, first := range t.first {
			p := p[first:][:4]
			dst[i] = q[0][i]*int32(p[0]) + q[1][i]*int32(p[1]) + q[2][i]*int32(p[2]) + q[3][i]*int32(p[3])
		}
	default:
		for i, first := range t.first {
			p := p[first:][:MaxTaps]
			dst[i] = q[0][i]*int32(p[0]) + q[1][i]*int32(p[1]) + q[2][i]*int32(p[2]) + q[3][i]*int32(p[3]) +
				q[4][i]*int32(p[4]) + q[5][i]*int32(p[5]) + q[6][i]*int32(p[6]) + q[7][i]*int32(p[7])
		}
	}
}

// A Scale multiplies by Factor and shifts to the right by Shift, which is at
// most 63.
type Scale struct {
	Factor uint32
	Shift  uint64
}

// Down fills a row of the square with the weighted sum of resampled rows, scaled
// by s. The rows are a ring: rows[(first+k)%MaxTaps] has weights[k]. Sums must be
// below 1<<31.
func Down(dst *[Side]int32, rows *[MaxTaps]Row, first int, weights []int32, s Scale) {
	if uint(first) >= MaxTaps || len(weights) < 1 || len(weights) > MaxTaps || s.Shift > 63 {
		panic(fmt.Sprintf("cropresize: %d rows from row %d on, shift %d", len(weights), first, s.Shift))
	}
	down(dst, rows, first, weights, s)
}

func downGo(dst *[Side]int32, rows *[MaxTaps]Row, first int, weights []int32, s Scale) {
	var sums [Side]int32
	for k, weight := range weights {
		row := &rows[(first+k)%MaxTaps]
		for i := range sums {
			sums[i] += weight * row[i]
		}
	}
	scaleGo(dst, &sums, s)
}
