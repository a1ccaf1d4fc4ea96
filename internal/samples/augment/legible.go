package augment

import (
	"image"
	"math"
)

// detail returns a band-pass of a window's middle at the size of eyes and mouths: at
// each pixel the mean of a small square minus that of a larger one. It removes the
// finer dots of a print, and light from a side.
func (m *renderer) detail(slot int, img *image.Gray) []int64 {
	width, height := img.Rect.Dx(), img.Rect.Dy()
	stride := width + 1
	m.sums = room(m.sums, stride*(height+1))
	clear(m.sums)
	for y := range height {
		var row int64
		for x, v := range img.Pix[y*img.Stride:][:width] {
			row += int64(v)
			m.sums[(y+1)*stride+x+1] = m.sums[y*stride+x+1] + row
		}
	}
	mean := func(x, y, r int) int64 {
		x0, y0, x1, y1 := max(0, x-r), max(0, y-r), min(width, x+r+1), min(height, y+r+1)
		sum := m.sums[y1*stride+x1] - m.sums[y0*stride+x1] - m.sums[y1*stride+x0] + m.sums[y0*stride+x0]
		return sum * 256 / int64((x1-x0)*(y1-y0))
	}
	side := max(width, height)
	fine, coarse := side/24, max(1, side/5)
	// The outline of a head has more contrast than the details of its face, and
	// is not what must be visible.
	left, top := width*3/20, height*3/20
	m.details[slot] = m.details[slot][:0]
	for y := top; y < height-top; y++ {
		for x := left; x < width-left; x++ {
			m.details[slot] = append(m.details[slot], mean(x, y, fine)-mean(x, y, coarse))
		}
	}
	return m.details[slot]
}

// correlation is from -1 to 1, and 0 without contrast.
func correlation(a, b []int64) float64 {
	var ab, aa, bb int64
	for i, v := range a {
		ab += v * b[i]
		aa += v * v
		bb += b[i] * b[i]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return float64(ab) / math.Sqrt(float64(float64(aa)*float64(bb)))
}
