package augment

import (
	"math"

	"haarlem/internal/splitmix"
)

// print simulates print: few grey levels, or a screen of dots or lines.
func (m *renderer) print(j *Effects, d splitmix.Source) {
	if few := d.Fork(0); few.Chance(j.Posterise) {
		if few.Chance(0.5) {
			m.canvas.posterise(&few)
		} else {
			m.canvas.photocopy(&few)
		}
	}
	screen := d.Fork(1)
	switch kind := screen.Float64(); {
	case kind < j.Halftone:
		m.screen(&screen, true)
	case kind < j.Halftone+j.Lines:
		m.screen(&screen, false)
	}
}

// posterise leaves a few grey levels.
func (c *canvas) posterise(d *splitmix.Source) {
	levels := int32(3 + d.IntN(8))
	step := int32(white) / (levels - 1)
	for i, v := range c.pix {
		c.pix[i] = clamp((v+step/2)/step*step, white)
	}
}

// photocopy applies a steep tone curve.
func (c *canvas) photocopy(d *splitmix.Source) {
	middle := c.mean() + int32(fixed(d.Between(-25, 25), 8))
	steep := fixed(d.Between(1.5, 5), 10)
	for i, v := range c.pix {
		x := int64(v-middle) * steep >> 10
		// x/(1 + |x|) goes to both ends without a corner.
		const half = white / 2
		c.pix[i] = int32(half + x*half/(half/2+max(x, -x))*3/4)
		c.pix[i] = clamp(c.pix[i], white)
	}
}

// screen prints with dots or lines at any angle: ink where the picture is darker
// than a wave, with soft edges. The detector sees coarse screens as dots, and fine
// ones as noise and moire.
func (m *renderer) screen(d *splitmix.Source, dots bool) {
	c := &m.canvas
	// The period in window widths: from 1/32 to 1/9, small ones more often.
	period := 1 / d.Between(9, 32)
	pixels := max(fixed(period, 16)*c.unit>>16, 2<<8) // in 1/256
	sin, cos := sinCos(d.Between(-math.Pi/2, math.Pi/2))
	// Phase grows by 256 a period; in 1/65536 of that per pixel.
	perPixel := float64(256*256) / float64(pixels)
	stepX, stepY := fixed(perPixel*cos, 16), fixed(perPixel*sin, 16)
	phaseX, phaseY := int64(d.IntN(256))<<16, int64(d.IntN(256))<<16
	hard := fixed(d.Between(1, 5), 10)
	share := fixed(d.Between(0.3, 1), 10) // of ink; the rest is the picture itself
	for y := range c.height {
		for x := range c.width {
			u := phaseX + int64(x)*stepX + int64(y)*stepY
			v := phaseY + int64(y)*stepX - int64(x)*stepY
			wave := waves[u>>16&0xff]
			if dots {
				wave = (wave + waves[v>>16&0xff]) / 2
			}
			i := y*c.width + x
			tone := int64(c.pix[i])
			// The wave goes from 5 to 95 per cent of white.
			ink := tone - (white/2 + int64(wave)*(white*45/100)>>10)
			ink = max(0, min(white/2+ink*hard>>10, white))
			c.pix[i] = int32((ink*share + tone*(1024-share)) >> 10)
		}
	}
	soft := fixed(d.Between(0, 0.5), 8)
	m.soften(soft, soft)
}
