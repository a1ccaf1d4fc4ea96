package augment

import (
	"math"

	"haarlem/internal/splitmix"
)

// light adds light from a side, and a shadow.
func (c *canvas) light(j *Effects, d splitmix.Source) {
	if side := d.Fork(0); side.Chance(j.Light) {
		c.slope(&side)
	}
	if shadow := d.Fork(1); shadow.Chance(j.Shadow) {
		c.shade(&shadow)
	}
}

// direction returns a random unit vector over p and q.
func direction(d *splitmix.Source) (dp, dq int64) {
	sin, cos := sinCos(d.Between(-math.Pi, math.Pi))
	return fixed(cos, 10), fixed(sin, 10)
}

// slope multiplies by a factor that falls from one side to the other.
func (c *canvas) slope(d *splitmix.Source) {
	dp, dq := direction(d)
	low := fixed(d.Between(0.2, 0.85), 10)
	half := fixed(d.Between(0.25, 0.7), unitBits) // of the way from light to dark
	for i, v := range c.pix {
		along := (int64(c.p[i])*dp + int64(c.q[i])*dq) >> 10
		t := (along + half) * 1024 / (2 * half)
		t = max(0, min(t, 1024))
		t = t * t * (3*1024 - 2*t) >> 20 // smooth at both ends
		c.pix[i] = int32(int64(v) * (low + (1024-low)*t>>10) >> 10)
	}
}

// shade darkens one side of a line.
func (c *canvas) shade(d *splitmix.Source) {
	dp, dq := direction(d)
	at := fixed(d.Between(-0.3, 0.3), unitBits)
	soft := fixed(d.Between(0.02, 0.12), unitBits)
	dark := fixed(d.Between(0.2, 0.7), 10)
	for i, v := range c.pix {
		along := (int64(c.p[i])*dp+int64(c.q[i])*dq)>>10 - at
		t := max(0, min((along+soft)*1024/(2*soft), 1024))
		c.pix[i] = int32(int64(v) * (dark + (1024-dark)*t>>10) >> 10)
	}
}

// tone changes the tone curve, then contrast, then brightness.
func (c *canvas) tone(j *Effects, d splitmix.Source) {
	bend, contrast, bright := d.Fork(0), d.Fork(1), d.Fork(2)
	if j.Gamma > 1 {
		// Schlick's curve x/(x + k (1 - x)) (Graphics Gems IV, 1994): much like a
		// power, and needs none.
		k := bend.Between(1, j.Gamma)
		if bend.Chance(0.5) {
			k = 1 / k
		}
		by := fixed(k, 10)
		for i, v := range c.pix {
			x := int64(clamp(v, white))
			c.pix[i] = int32(x * white * 1024 / (x*1024 + by*(white-x) + 1))
		}
	}
	if j.Contrast > 0 {
		by := fixed(1+float64(contrast.Between(-1, 1)*j.Contrast), 10)
		mean := c.mean()
		for i, v := range c.pix {
			c.pix[i] = mean + int32(int64(v-mean)*by>>10)
		}
	}
	if j.Brightness > 0 {
		by := int32(fixed(bright.Normal()*j.Brightness, 8))
		for i, v := range c.pix {
			c.pix[i] = clamp(v+by, white)
		}
	}
	for i, v := range c.pix {
		c.pix[i] = clamp(v, white)
	}
}

// faint leaves a contrast of a few grey levels, anywhere from dark to light.
func (c *canvas) faint(j *Effects, d splitmix.Source) {
	if !d.Chance(j.Faint) {
		return
	}
	mean := c.mean()
	var squares int64
	for _, v := range c.pix {
		squares += int64(v-mean) * int64(v-mean)
	}
	sd := math.Sqrt(float64(squares / int64(len(c.pix))))
	want := d.Between(2.5, 10)
	by := fixed(math.Min(1, want*256/math.Max(sd, 1)), 16)
	to := int32(fixed(d.Between(25, 230), 8))
	for i, v := range c.pix {
		c.pix[i] = to + int32(int64(v-mean)*by>>16)
	}
}

// darkFace darkens a face and not its background. It comes before accessories, and
// the later degradation has to keep the face legible.
func (c *canvas) darkFace(j *Effects, d splitmix.Source, f *landmarks) {
	if !d.Chance(j.Dark) {
		return
	}
	tall := f.mouthY - f.eyeY
	head := newEllipse(0, f.eyeY+float64(tall*d.Between(0.4, 0.5)), float64(f.eyeX*d.Between(1.9, 2.4)), float64(tall*d.Between(1.4, 1.8)))
	soft := fixed(d.Between(0.02, 0.1), unitBits)
	by := int64(d.Between(300, 720))
	for i := range c.pix {
		darken(&c.pix[i], softly(-head.away(int64(c.p[i]), int64(c.q[i])), soft)*by>>10)
	}
}
