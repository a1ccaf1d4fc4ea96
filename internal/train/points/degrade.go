package points

import "haarlem/internal/splitmix"

// degrade degrades a patch of side by side pixels: blur, light from one side,
// exposure, noise, and occlusion.
func degrade(pix []byte, side int, d *splitmix.Source, scratch []byte) {
	if d.Chance(0.35) {
		for range 1 + d.IntN(3) {
			blur(pix, side, scratch)
		}
	}
	if d.Chance(0.3) {
		light(pix, side, d)
	}
	if d.Chance(0.3) {
		bend(pix, d)
	}
	if d.Chance(0.25) {
		occlude(pix, side, d)
	}
	if d.Chance(0.4) {
		noise(pix, d)
	}
}

// blur is a mean over 3x3 pixels.
func blur(pix []byte, side int, scratch []byte) {
	for y := range side {
		row := pix[y*side:][:side]
		for x := range row {
			scratch[y*side+x] = byte((2*int(row[max(x-1, 0)]) + 4*int(row[x]) + 2*int(row[min(x+1, side-1)]) + 4) >> 3)
		}
	}
	for y := range side {
		up, here, down := scratch[max(y-1, 0)*side:], scratch[y*side:], scratch[min(y+1, side-1)*side:]
		row := pix[y*side:][:side]
		for x := range row {
			row[x] = byte((2*int(up[x]) + 4*int(here[x]) + 2*int(down[x]) + 4) >> 3)
		}
	}
}

// light multiplies by a gradient from one side to the other, at most twice as
// strong as in the middle.
func light(pix []byte, side int, d *splitmix.Source) {
	u, v := disc(d)
	dx, dy := int(round(float64(u*512)))/side, int(round(float64(v*512)))/side
	for y := range side {
		for x := range side {
			by := 256 + (2*x-side)*dx/2 + (2*y-side)*dy/2
			p := &pix[y*side+x]
			*p = byte(min(max(int(*p)*by>>8, 0), 255))
		}
	}
}

// bend darkens or brightens the mid-tones.
func bend(pix []byte, d *splitmix.Source) {
	t := int(round(d.Between(-230, 230)))
	var curve [256]byte
	for v := range curve {
		curve[v] = byte(v + t*v*(255-v)/(255*256))
	}
	for i, v := range pix {
		pix[i] = curve[v]
	}
}

// occlude paints a rectangle, of one grey level or copied from elsewhere in the
// patch.
func occlude(pix []byte, side int, d *splitmix.Source) {
	w, h := side/8+d.IntN(side*3/8), side/8+d.IntN(side*3/8)
	x0, y0 := d.IntN(side)-w/2, d.IntN(side)-h/2
	plain := d.Chance(0.5)
	level := byte(d.IntN(256))
	sx, sy := d.IntN(side), d.IntN(side)
	for y := max(y0, 0); y < min(y0+h, side); y++ {
		for x := max(x0, 0); x < min(x0+w, side); x++ {
			if !plain {
				level = pix[(y+sy)%side*side+(x+sx)%side]
			}
			pix[y*side+x] = level
		}
	}
}

func noise(pix []byte, d *splitmix.Source) {
	largest := int64(d.Between(2, 20) * 256) // standard deviation, in 1/256 of a grey level
	for i := 0; i < len(pix); i += 4 {
		u := d.Uint64()
		for k := range min(4, len(pix)-i) {
			n := int64(u>>(16*k)&0xff) + int64(u>>(16*k+8)&0xff) - 255 // standard deviation about 104
			pix[i+k] = byte(min(max(int64(pix[i+k])+n*largest/(104*256), 0), 255))
		}
	}
}
