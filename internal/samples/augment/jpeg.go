package augment

import (
	"math"

	"haarlem/internal/splitmix"
)

// compress simulates a JPEG file of low quality: the cosine transform of blocks of
// 8 by 8, quantised coarsely. It is our own, since the results of image/jpeg change
// between versions of Go.
func (m *renderer) compress(j *Effects, d splitmix.Source) {
	if !d.Chance(j.JPEG) {
		return
	}
	c := &m.canvas
	quality := 10 + d.IntN(61) // 10 to 70
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	var steps [64]int64
	for i, q := range luminance {
		steps[i] = int64(max(1, min((q*scale+50)/100, 255)))
	}
	// Blocks begin anywhere, as the window does in its picture.
	left, top := d.IntN(8), d.IntN(8)
	for y := -top; y < c.height; y += 8 {
		for x := -left; x < c.width; x += 8 {
			square(m.bytes, c.width, c.height, x, y, &steps)
		}
	}
}

// luminance is the table of ITU-T T.81, annex K.1.
var luminance = [64]int{
	16, 11, 10, 16, 24, 40, 51, 61,
	12, 12, 14, 19, 26, 58, 60, 55,
	14, 13, 16, 24, 40, 57, 69, 56,
	14, 17, 22, 29, 51, 87, 80, 62,
	18, 22, 37, 56, 68, 109, 103, 77,
	24, 35, 55, 64, 81, 104, 113, 92,
	49, 64, 78, 87, 103, 121, 120, 101,
	72, 92, 95, 98, 112, 100, 103, 99,
}

// cosines are the orthonormal transform's, in 1/4096.
var cosines = func() (t [8][8]int64) {
	for k := range t {
		for n := range t[k] {
			_, c := sinCos(float64((2*n+1)*k) * (math.Pi / 16))
			if k == 0 {
				c = math.Sqrt2 / 2
			}
			t[k][n] = fixed(c/2, 12)
		}
	}
	return t
}()

// square quantises one block, which may lie partly outside.
func square(pix []byte, width, height, left, top int, steps *[64]int64) {
	var a, b [64]int64
	for y := range 8 {
		row := max(0, min(top+y, height-1)) * width
		for x := range 8 {
			a[8*y+x] = int64(pix[row+max(0, min(left+x, width-1))]) - 128
		}
	}
	// Forward: columns of the transform along rows, then along columns.
	for y := range 8 {
		for k := range 8 {
			var s int64
			for n := range 8 {
				s += cosines[k][n] * a[8*y+n]
			}
			b[8*y+k] = s
		}
	}
	for k := range 8 {
		for l := range 8 {
			var s int64
			for n := range 8 {
				s += cosines[l][n] * b[8*n+k]
			}
			// s is in 1/2^24.
			step := steps[8*l+k]
			half := step << 23
			if s < 0 {
				half = -half
			}
			a[8*l+k] = (s + half) / (step << 24) * step
		}
	}
	// Back.
	for l := range 8 {
		for n := range 8 {
			var s int64
			for k := range 8 {
				s += cosines[k][n] * a[8*l+k]
			}
			b[8*l+n] = s
		}
	}
	for y := range 8 {
		if top+y < 0 || top+y >= height {
			continue
		}
		for x := range 8 {
			if left+x < 0 || left+x >= width {
				continue
			}
			var s int64
			for l := range 8 {
				s += cosines[l][y] * b[8*l+x]
			}
			pix[(top+y)*width+left+x] = byte(max(0, min((s+1<<23)>>24+128, 255)))
		}
	}
}
