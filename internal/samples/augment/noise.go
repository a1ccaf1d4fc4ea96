package augment

import (
	"math"

	"haarlem/internal/splitmix"
)

// noise adds independent noise to each pixel, as a sensor does.
func (c *canvas) noise(j *Effects, d splitmix.Source) {
	if j.Noise == 0 {
		return
	}
	by := fixed(d.Small(j.Noise), 16)
	for i := range c.pix {
		c.pix[i] += int32(d.Bell() * by / (splitmix.BellUnit << 8))
	}
}

// grain adds film grain: clumps, strongest in mid-tones.
func (m *renderer) grain(j *Effects, d splitmix.Source) {
	if !d.Chance(j.Grain) {
		return
	}
	c := &m.canvas
	strength := d.Between(8, 28)        // standard deviation in mid-tones
	lump := fixed(d.Between(0.2, 1), 8) // radius in pixels
	grain := make([]int32, len(c.pix))
	for i := range grain {
		grain[i] = int32(d.Bell() >> 4)
	}
	// Smoothed, then rescaled to its strength.
	c.pix, grain = grain, c.pix
	m.soften(lump, lump)
	c.pix, grain = grain, c.pix
	var squares int64
	for _, g := range grain {
		squares += int64(g) * int64(g)
	}
	mean := max(1, squares/int64(len(grain)))
	by := fixed(strength/math.Sqrt(float64(mean)), 16) // to grey levels, in 1/65536
	for i, g := range grain {
		v := int64(clamp(c.pix[i], white))
		middle := 4 * v * (white - v) / (white * white >> 10) // 1024 in mid-tones
		c.pix[i] += int32(int64(g) * by >> 8 * (256 + middle*3/4) >> 10)
	}
}
