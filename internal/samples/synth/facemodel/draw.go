package facemodel

import (
	"math/rand/v2"

	"haarlem/internal/samples"
)

// A Face is a drawn face. Its fields may be changed before it is painted.
type Face struct {
	// Marks are the positions of the landmarks in units of the window, while
	// Tilt is 0.
	Marks [NumMarks]samples.Point

	// Mean and Contrast are about the mean and the standard deviation of the
	// grey levels inside the oval. Draw chooses 70 to 180 and 25 to 60.
	Mean, Contrast int

	// Tilt is the tangent of half the angle of in-plane rotation, clockwise.
	// Draw leaves it 0.
	Tilt float64

	model   *Model
	texture []int32 // all of it, in units of 1/4096 standard deviation
}

// spread scales random coefficients, in 1/256: slightly below 1, since with so
// many components at once some are always extreme.
const spread = 230

// normal returns an approximately normal number, in units of 1/4096, and within
// 3.5 standard deviations: the sum of four uniform ones.
func normal(rng *rand.Rand) int64 {
	u := rng.Uint64()
	sum := int64(u&0xFFFF) + int64(u>>16&0xFFFF) + int64(u>>32&0xFFFF) + int64(u>>48) - 2*0xFFFF
	// Four numbers from 0 to 65535 have a standard deviation of 37837.
	return sum * one / 37837
}

// Draw returns a random face.
func (m *Model) Draw(rng *rand.Rand) *Face {
	f := &Face{model: m, Mean: 70 + rng.IntN(111), Contrast: 25 + rng.IntN(36)}
	marks := m.marks
	for _, s := range m.shapes {
		z := normal(rng) * spread >> 8
		for i := range marks {
			marks[i].x += int32(z * int64(s[i].x) / one)
			marks[i].y += int32(z * int64(s[i].y) / one)
		}
	}
	for i, k := range marks {
		f.Marks[i] = k.point()
	}
	shares := make([]int64, len(m.components))
	for i := range shares {
		shares[i] = normal(rng) * spread >> 8
	}
	f.texture = m.texture(shares)
	return f
}

// texture adds the components, with coefficients in 1/4096, to the mean.
func (m *Model) texture(shares []int64) []int32 {
	left, right := make([]int64, len(m.half)), make([]int64, len(m.half))
	for i, v := range m.mean {
		left[i] = int64(v) * (256 * one)
		right[i] = left[i]
	}
	for k, z := range shares {
		c := &m.components[k]
		z *= int64(c.scale)
		other := z
		if c.odd {
			other = -z
		}
		for i, q := range c.pix {
			left[i] += z * int64(q)
			right[i] += other * int64(q)
		}
	}
	out := make([]int32, m.width*m.height)
	known := make([]bool, m.width*m.height)
	for i, p := range m.half {
		a, b := p.Y*m.width+p.X, p.Y*m.width+m.width-1-p.X
		out[a], out[b] = fixed(left[i]), fixed(right[i])
		known[a], known[b] = true, true
	}
	m.extend(out, known)
	return out
}

// fixed rounds from 1/2^32 to 1/4096 standard deviation, within ±16.
func fixed(v int64) int32 { return int32(min(max(v+1<<19, -16*one<<20), 16*one<<20) >> 20) }

// extend gives the pixels outside the oval the level of one on its border, for
// interpolation across it.
func (m *Model) extend(pix []int32, known []bool) {
	first, last := -1, -1
	for y := range m.height {
		row, has := pix[y*m.width:][:m.width], known[y*m.width:][:m.width]
		begin := -1
		for x, k := range has {
			if k {
				begin = x
				break
			}
		}
		if begin < 0 {
			continue
		}
		for x := range begin {
			row[x], row[m.width-1-x] = row[begin], row[m.width-1-begin]
		}
		if first < 0 {
			first = y
		}
		last = y
	}
	if first < 0 {
		return
	}
	for y := range first {
		copy(pix[y*m.width:][:m.width], pix[first*m.width:][:m.width])
	}
	for y := last + 1; y < m.height; y++ {
		copy(pix[y*m.width:][:m.width], pix[last*m.width:][:m.width])
	}
}
