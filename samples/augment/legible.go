package augment

import (
	"haarlem/internal/splitmix"
	"image"
	"math"
)

// legibleTries is how often a variant is degraded at most until it is legible; then
// the best try is taken.
const legibleTries = 8

// degrade applies light, film, print, scanner and file to the canvas, and makes its
// bytes and the window, so that it stays legible: training on windows in which
// people cannot see the object makes a detector worse everywhere.
func (m *renderer) degrade(img *image.Gray, j *Effects, d splitmix.Source, v *view) {
	if j.Legible == 0 {
		m.degradeOnce(j, d, v)
		m.fit(img, v)
		return
	}
	m.bytes = m.canvas.bytes(m.bytes)
	m.fit(img, v)
	clean := m.detail(0, img)
	m.clean = append(m.clean[:0], m.canvas.pix...)
	best := -2.0
	for try := range legibleTries {
		copy(m.canvas.pix, m.clean)
		m.degradeOnce(j, d.Fork(1000+try), v)
		m.try = room(m.try, len(img.Pix))
		tried := &image.Gray{Pix: m.try, Stride: img.Stride, Rect: img.Rect}
		m.fit(tried, v)
		if alike := correlation(clean, m.detail(1, tried)); alike > best {
			best = alike
			copy(img.Pix, tried.Pix)
			m.best, m.bytes = m.bytes, m.best
		}
		if best >= j.Legible {
			break
		}
	}
	m.bytes, m.best = m.best, m.bytes
}

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
