package eval

import (
	"image"
	"math"
)

// scaled returns the part from of src, which may end between pixels and may
// reach over the border (whose pixels then repeat), at w by h pixels: an
// average over area when it shrinks, Catmull and Rom's curve when it grows.
// Weights are multiples of 2^-16, so that every processor gives the same bytes.
func scaled(src *image.Gray, x0, y0, x1, y1 float64, w, h int) *image.Gray {
	across := weights(x0, x1, w, src.Rect.Dx())
	down := weights(y0, y1, h, src.Rect.Dy())
	// Only the rows that are asked for.
	first, last := src.Rect.Dy()-1, 0
	for _, d := range down {
		first, last = min(first, d.from), max(last, d.from+len(d.share)-1)
	}
	rows := last - first + 1
	mid := make([]int32, rows*w) // levels in 1/256
	for y := range rows {
		in := src.Pix[(first+y)*src.Stride:]
		for x, a := range across {
			sum := int64(1 << 7)
			for i, s := range a.share {
				sum += int64(s) * int64(in[a.from+i])
			}
			mid[y*w+x] = int32(sum >> 8)
		}
	}
	out := image.NewGray(image.Rect(0, 0, w, h))
	for y, d := range down {
		for x := range w {
			sum := int64(1 << 23)
			for i, s := range d.share {
				sum += int64(s) * int64(mid[(d.from-first+i)*w+x])
			}
			out.Pix[y*out.Stride+x] = byte(min(max(sum>>24, 0), 255))
		}
	}
	return out
}

// A blend is which pixels make one, and with what shares of 1<<16.
type blend struct {
	from  int
	share []int32
}

// weights says how n pixels between the places a and b of a row of size pixels
// are made.
func weights(a, b float64, n, size int) []blend {
	step := (b - a) / float64(n)
	wide := max(step, 1) // of the kernel
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
		d := blend{from: from, share: make([]int32, len(raw))}
		rest, best := int32(1<<16), 0
		for j, v := range raw {
			d.share[j] = int32(math.Round(v / total * (1 << 16)))
			rest -= d.share[j]
			if raw[j] > raw[best] {
				best = j
			}
		}
		d.share[best] += rest
		all[i] = d
	}
	return all
}

func tent(x float64) float64 { return max(1-math.Abs(x), 0) }

// cubic is Catmull and Rom's.
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
