package augment

import "haarlem/internal/splitmix"

// ink makes an ink drawing of the canvas, as in engravings, woodcuts and cartoons:
// pixels darker than their surroundings, or edges, become ink on paper.
func (m *renderer) ink(j *Effects, d splitmix.Source) {
	if !d.Chance(j.Ink) {
		return
	}
	c := &m.canvas
	n := len(c.pix)
	m.lines = room(m.lines, n)
	part := func(smallest, largest float64) int64 { return fixed(d.Between(smallest, largest), 16) * c.unit >> 16 }

	// The amount of ink at each pixel, in grey levels: outlines, or strokes.
	fine := part(0.005, 0.03)
	m.soften(fine, fine)
	if d.Chance(0.4) {
		c.outlines(m.lines)
	} else {
		copy(m.lines, c.pix)
		about := part(0.04, 0.2)
		m.soften(about, about)
		// Comparison with one level fills dark parts.
		fill, mean := int64(0), int64(c.mean())
		if d.Chance(0.5) {
			fill = fixed(d.Between(0, 0.6), 10)
		}
		for i, v := range c.pix {
			level := int64(v)*(1024-fill) + mean*fill
			m.lines[i] = int32(level>>10) - m.lines[i]
		}
	}
	var sum int64
	for _, v := range m.lines {
		sum += int64(max(v, -v))
	}
	usual := max(1, sum/int64(n))

	paper, dark := int32(fixed(d.Between(190, 255), 8)), int32(fixed(d.Between(0, 70), 8))
	smallest, steep := fixed(d.Between(0.2, 1.5), 10), fixed(d.Between(0.4, 3), 10)
	for i, v := range m.lines {
		by := (int64(v)<<10/usual - smallest) * steep >> 10
		c.pix[i] = paper + int32(int64(dark-paper)*max(0, min(by, 1024))>>10)
	}
	run := fixed(d.Between(0, 0.4), 8)
	m.soften(run, run)
}

// outlines writes the gradient at each pixel.
func (c *canvas) outlines(to []int32) {
	for y := range c.height {
		up, down := max(y-1, 0)*c.width, min(y+1, c.height-1)*c.width
		for x := range c.width {
			across := c.pix[y*c.width+min(x+1, c.width-1)] - c.pix[y*c.width+max(x-1, 0)]
			along := c.pix[down+x] - c.pix[up+x]
			to[y*c.width+x] = max(across, -across) + max(along, -along)
		}
	}
}
