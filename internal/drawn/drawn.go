// Package drawn draws the grey pictures of parity tests. They are drawn with integers
// only, so that every machine sees the same pixels.
package drawn

import "image"

// Picture draws a picture of a kind. Kinds are noise, ramp, checks, blocks, faint, texture,
// faces and strokes.
func Picture(kind string, w, h int, seed uint64) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	set := func(f func(x, y int) int) {
		for y := range h {
			for x := range w {
				g.Pix[y*g.Stride+x] = byte(min(max(f(x, y), 0), 255))
			}
		}
	}
	switch kind {
	case "noise": // every pixel for itself
		set(func(x, y int) int { return int(Scramble(seed, x, y) >> 56) })
	case "ramp": // a gradient over the whole picture
		set(func(x, y int) int { return (x*int(seed%5) + y*int(seed%3+1)) * 255 / (5*w + 3*h) })
	case "checks": // a chess board whose fields grow to the right
		set(func(x, y int) int {
			n := 3 + x/40 + int(seed%4)
			return 200*((x/n+y/n)&1) + 20
		})
	case "blocks": // black and white only: the largest sums and deviations
		n := 5 + int(seed%5)*11
		set(func(x, y int) int { return 255 * int(Scramble(seed, x/n, y/(n+2))>>63) })
	case "faint": // a deviation near 10, on both sides of the contrast gate
		set(func(x, y int) int { return 100 + int(octave(seed, x, y, 4))*3/32 + int(octave(seed+1, x, y, 2))/16 })
	case "texture": // several octaves of smooth noise
		set(func(x, y int) int { return texture(seed, x, y) })
	case "faces": // schematic faces of all sizes on a texture
		set(func(x, y int) int { return texture(seed, x, y) })
		for i := range max(3, w*h/12000) {
			r := Scramble(seed+99, i, 0)
			size := 18 + int(r%64)*int(r>>8%3+1)/2
			drawFace(g, int(r>>16)&0xffff%(w+1), int(r>>32)&0xffff%(h+1), size, int(r>>48)%80)
		}
	case "strokes": // lines of dark strokes on paper, as in a document
		set(func(x, y int) int {
			line, row := y/11, y%11
			word := Scramble(seed, x/37, line)
			if row < 2 || row > 8 || word%5 == 0 {
				return 225 + int(Scramble(seed+1, x, y)>>60)
			}
			glyph := Scramble(seed+2, x/6, line)
			if glyph>>(uint(x%6/2)+3*uint(row/3))&1 != 0 {
				return 40 + int(Scramble(seed+3, x, y)>>59)
			}
			return 215
		})
	default:
		panic("no picture of kind " + kind)
	}
	return g
}

// Scramble is a hash of a place (splitmix64's finisher).
func Scramble(seed uint64, x, y int) uint64 {
	z := seed*0x9e3779b97f4a7c15 + uint64(x)*0xd1342543de82ef95 + uint64(y)*0xaf251af3b0f025b5 + 0x632be59bd9b4e019
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// octave is noise from 0 to 255, smooth between the points of a grid with a
// distance of 1<<k pixels.
func octave(seed uint64, x, y int, k uint) int {
	n := 1 << k
	corner := func(dx, dy int) int { return int(Scramble(seed, x>>k+dx, y>>k+dy) >> 56) }
	fx, fy := x&(n-1), y&(n-1)
	top := corner(0, 0)*(n-fx) + corner(1, 0)*fx
	bottom := corner(0, 1)*(n-fx) + corner(1, 1)*fx
	return (top*(n-fy) + bottom*fy) >> (2 * k)
}

// texture sums octaves that are weaker the finer they are, around middle grey.
func texture(seed uint64, x, y int) int {
	v := 0
	for k := uint(1); k <= 6; k++ {
		v += (octave(seed+uint64(k), x, y, k) - 128) << k
	}
	return 128 + v/48
}

// drawFace draws an oval with eyes, brows, a nose and a mouth around cx, cy.
func drawFace(g *image.Gray, cx, cy, size, skin int) {
	for dy := -size; dy <= size; dy++ {
		for dx := -size; dx <= size; dx++ {
			x, y := cx+dx, cy+dy
			if !image.Pt(x, y).In(g.Rect) {
				continue
			}
			u, v := dx*100/size, dy*100/size // -100 to 100
			if u*u*16+v*v*9 > 100*100*9 {
				continue
			}
			side := max(u, -u)
			tone := 150 + skin - side/3
			switch {
			case side > 14 && side < 46 && v > -46 && v < -38: // brow
				tone -= 70
			case side > 14 && side < 46 && v > -38 && v < -14: // eye
				tone -= 60
				if (side-30)*(side-30)+(v+26)*(v+26) < 60 {
					tone -= 40
				}
			case side < 12 && v > -30 && v < 14: // nose
				tone += 25
			case side < 20 && v >= 14 && v < 22:
				tone -= 30
			case side < 30 && v > 38 && v < 52: // mouth
				tone -= 55
			}
			g.Pix[y*g.Stride+x] = byte(min(max(tone, 0), 255))
		}
	}
}
