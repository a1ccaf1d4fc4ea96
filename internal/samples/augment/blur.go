package augment

import "haarlem/internal/splitmix"

// blur simulates defocus or camera motion.
func (m *renderer) blur(j *Effects, d splitmix.Source) {
	if j.Blur == 0 {
		return
	}
	radius := fixed(d.Small(j.Blur), 16) * m.canvas.unit >> 16 // in 1/256 pixels
	across, down := radius, radius
	if d.Chance(j.Motion) {
		if d.Chance(0.5) {
			across, down = 3*radius/2, radius/4
		} else {
			across, down = radius/4, 3*radius/2
		}
	}
	m.soften(across, down)
}

// soften applies a box filter twice, with these radii in 1/256 pixels, along rows
// and columns. Two boxes make a tent, which is close enough to a lens.
func (m *renderer) soften(across, down int64) {
	c := &m.canvas
	m.scratch = room(m.scratch, max(c.width, c.height))
	for range 2 {
		for y := range c.height {
			box(c.pix[y*c.width:], 1, m.scratch[:c.width], across)
		}
		for x := range c.width {
			box(c.pix[x:], c.width, m.scratch[:c.height], down)
		}
	}
}

// box filters the pixels step apart with a box of a radius in 1/256 pixels, with
// fractional weights at its ends. The last pixel is repeated beyond the edge.
func box(pix []int32, step int, line []int32, radius int64) {
	if radius < 8 {
		return
	}
	n := len(line)
	for i := range line {
		line[i] = pix[i*step]
	}
	whole, part := int(radius>>8), radius&0xff
	at := func(i int) int64 { return int64(line[max(0, min(i, n-1))]) }
	var sum int64
	for i := -whole; i <= whole; i++ {
		sum += at(i)
	}
	all := (2*int64(whole)+1)<<8 + 2*part
	for i := range n {
		pix[i*step] = int32((sum<<8 + part*(at(i-whole-1)+at(i+whole+1))) / all)
		sum += at(i+whole+1) - at(i-whole)
	}
}
