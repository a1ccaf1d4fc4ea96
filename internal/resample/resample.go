// Package resample scales parts of grey images to the same bytes on every
// machine.
package resample

import (
	"image"
	"math"
)

// Part returns the part of src from (x0, y0) to (x1, y1) at w by h pixels. Its
// edges may lie between pixels, and outside src, where the border is repeated.
// It averages over area to shrink, and uses the Catmull-Rom cubic to enlarge.
// Weights are multiples of 2^-16.
func Part(src *image.Gray, x0, y0, x1, y1 float64, w, h int) *image.Gray {
	across := weights(x0, x1, w, src.Rect.Dx())
	down := weights(y0, y1, h, src.Rect.Dy())
	first, last := src.Rect.Dy()-1, 0 // rows of src that are needed
	for _, d := range down {
		first, last = min(first, d.from), max(last, d.from+len(d.weight)-1)
	}
	rows := last - first + 1
	mid := make([]int32, rows*w) // levels in 1/256
	for y := range rows {
		in := src.Pix[(first+y)*src.Stride:]
		for x, a := range across {
			sum := int64(1 << 7)
			for i, s := range a.weight {
				sum += int64(s) * int64(in[a.from+i])
			}
			mid[y*w+x] = int32(sum >> 8)
		}
	}
	out := image.NewGray(image.Rect(0, 0, w, h))
	for y, d := range down {
		for x := range w {
			sum := int64(1 << 23)
			for i, s := range d.weight {
				sum += int64(s) * int64(mid[(d.from-first+i)*w+x])
			}
			out.Pix[y*out.Stride+x] = byte(min(max(sum>>24, 0), 255))
		}
	}
	return out
}

// A blend is the source pixels of one pixel, with weights that sum to 1<<16.
type blend struct {
	from   int
	weight []int32
}

// weights returns the blends of n pixels between positions a and b of a row of
// size pixels.
func weights(a, b float64, n, size int) []blend {
	step := (b - a) / float64(n)
	wide := max(step, 1) // scale of the kernel
	reach := wide
	kernel := tent
	if step < 1 {
		reach, kernel = 2, cubic
	}
	all := make([]blend, n)
	for i := range all {
		centre := a + float64(step*(float64(i)+0.5)) - 0.5
		lo, hi := int(math.Ceil(centre-reach)), int(math.Floor(centre+reach))
		from, to := min(max(lo, 0), size-1), max(min(hi, size-1), 0)
		if from > to {
			from = to
		}
		raw := make([]float64, to-from+1)
		total := 0.0
		for j := lo; j <= hi; j++ {
			v := kernel((float64(j) - centre) / wide)
			raw[min(max(j, from), to)-from] += v
			total += v
		}
		d := blend{from: from, weight: make([]int32, len(raw))}
		rest, best := int32(1<<16), 0
		for j, v := range raw {
			d.weight[j] = int32(math.Round(v / total * (1 << 16)))
			rest -= d.weight[j]
			if raw[j] > raw[best] {
				best = j
			}
		}
		d.weight[best] += rest
		all[i] = d
	}
	return all
}

func tent(x float64) float64 { return max(1-math.Abs(x), 0) }

// cubic is the Catmull-Rom cubic.
func cubic(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x < 1:
		return float64((float64(1.5*x)-2.5)*x*x) + 1
	case x < 2:
		return float64((float64((2.5-float64(0.5*x))*x)-4)*x) + 2
	}
	return 0
}
