package texture

import (
	"image"
	"math/rand/v2"
)

// A canvas is an unfinished image. Levels are in 1/16 of a grey level and may
// leave 0 to 255 until the end.
type canvas struct {
	rng           *rand.Rand
	width, height int
	pix           []int
}

func newCanvas(rng *rand.Rand, width, height int) *canvas {
	if width <= 0 || height <= 0 {
		panic("texture: a picture without pixels")
	}
	c := &canvas{rng, width, height, make([]int, width*height)}
	c.fill(func(int, int) int { return 128 << 4 })
	return c
}

// between returns a random number from lo to hi, both included.
func (c *canvas) between(lo, hi int) int { return lo + c.rng.IntN(hi-lo+1) }

// longTail returns a random number from lo to hi, small ones far more often,
// like the sizes of things in photographs.
func (c *canvas) longTail(lo, hi int) int {
	u := c.between(0, 255)
	return lo + (hi-lo)*u*u*u>>24
}

// level returns a random level.
func (c *canvas) level() int { return c.between(10, 245) << 4 }

func (c *canvas) chance(percent int) bool { return c.rng.IntN(100) < percent }

// fill gives every pixel a level.
func (c *canvas) fill(level func(x, y int) int) {
	for y := range c.height {
		for x := range c.width {
			c.pix[y*c.width+x] = level(x, y)
		}
	}
}

// mean2 averages a function over four points of the pixel (x, y), in 1/4
// pixels, so that edges are smooth.
func mean2(x, y int, f func(x4, y4 int) int) int {
	x, y = 4*x, 4*y
	return (f(x+1, y+1) + f(x+3, y+1) + f(x+1, y+3) + f(x+3, y+3)) / 4
}

// shape paints the points for which inside(x4, y4), in 1/4 pixels, is true
// within the box, with level(x, y).
func (c *canvas) shape(box image.Rectangle, inside func(x4, y4 int) bool, level func(x, y int) int) {
	box = box.Intersect(image.Rect(0, 0, c.width, c.height))
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			cover := mean2(x, y, func(x4, y4 int) int {
				if inside(x4, y4) {
					return 256
				}
				return 0
			})
			if cover > 0 {
				p := &c.pix[y*c.width+x]
				*p += (level(x, y) - *p) * cover >> 8
			}
		}
	}
}

// rect paints a rectangle of one level.
func (c *canvas) rect(r image.Rectangle, level int) {
	r = r.Intersect(image.Rect(0, 0, c.width, c.height))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c.pix[y*c.width+x] = level
		}
	}
}

// putPart copies a part of p to c: one side of a line, or a box.
func (c *canvas) putPart(p *canvas) {
	whole := image.Rect(0, 0, c.width, c.height)
	level := func(x, y int) int { return p.pix[y*c.width+x] }
	if c.chance(50) {
		t := c.turn()
		x0, y0 := 4*c.between(0, c.width-1), 4*c.between(0, c.height-1)
		c.shape(whole, func(x, y int) bool { u, _ := t.at(x-x0, y-y0); return u > 0 }, level)
		return
	}
	w, h := c.between(c.width/4, c.width), c.between(c.height/4, c.height)
	box := image.Rect(0, 0, w, h).Add(image.Pt(c.between(-w/4, c.width-w*3/4), c.between(-h/4, c.height-h*3/4)))
	c.shape(box, func(int, int) bool { return true }, level)
}

// A turn is a rotation: its cosine and sine in 1/4096.
type turn struct{ cos, sin int }

// newTurn returns the rotation by twice the angle whose tangent is t/256. That
// needs neither sines nor cosines, whose last bits differ between machines.
func newTurn(t int) turn {
	n := 256*256 + t*t
	return turn{(256*256 - t*t) * 4096 / n, 2 * 256 * t * 4096 / n}
}

func (t turn) at(x, y int) (u, v int) {
	return (t.cos*x + t.sin*y) >> 12, (t.cos*y - t.sin*x) >> 12
}

// turn returns a random rotation, often upright or level.
func (c *canvas) turn() turn {
	switch c.rng.IntN(4) {
	case 0:
		return turn{4096, 0}
	case 1:
		return turn{0, 4096}
	}
	t := newTurn(c.between(-256, 256))
	if c.chance(50) {
		t.cos = -t.cos
	}
	return t
}

// finish applies light and grain.
func (c *canvas) finish() *image.Gray {
	if c.chance(30) {
		c.blur()
	}
	// Contrast and brightness, which change over the image like light.
	contrast, bright := c.between(90, 280), c.between(-50, 50)<<4
	gx, gy := c.between(-60, 60)<<4, c.between(-60, 60)<<4
	grain, seed := c.between(0, 10), c.rng.Uint64()
	g := image.NewGray(image.Rect(0, 0, c.width, c.height))
	for y := range c.height {
		for x := range c.width {
			v := (c.pix[y*c.width+x]-128<<4)*contrast>>8 + 128<<4 + bright
			v += gx*(2*x-c.width)/(2*c.width) + gy*(2*y-c.height)/(2*c.height)
			// The sum of two uniform numbers: grain is dense around 0.
			r := scatter(seed, x, y)
			v += (int(r>>56) + int(r>>48&255) - 255) * grain >> 3
			g.Pix[y*g.Stride+x] = uint8(min(max(v>>4, 0), 255))
		}
	}
	return g
}

// blur averages every pixel with its neighbours.
func (c *canvas) blur() {
	out := make([]int, len(c.pix))
	for y := range c.height {
		up, down := max(y-1, 0), min(y+1, c.height-1)
		for x := range c.width {
			left, right := max(x-1, 0), min(x+1, c.width-1)
			sum := 0
			for _, yy := range [3]int{up, y, down} {
				row := c.pix[yy*c.width:]
				sum += row[left] + row[x] + row[right]
			}
			out[y*c.width+x] = sum / 9
		}
	}
	c.pix = out
}

// scatter is a hash of a position.
func scatter(seed uint64, x, y int) uint64 {
	z := seed ^ uint64(uint32(x))<<32 ^ uint64(uint32(y))
	for range 2 {
		z = (z ^ z>>31) * 0x9fb21c651e98df25
	}
	return z ^ z>>29
}

// noise is from 0 to 255 and smooth between the points of a grid of size
// pixels.
func noise(seed uint64, x, y, size int) int {
	i, j := floorDiv(x, size), floorDiv(y, size)
	fx, fy := smooth((x-i*size)*256/size), smooth((y-j*size)*256/size)
	at := func(dx, dy int) int { return int(scatter(seed, i+dx, j+dy) >> 56) }
	top := at(0, 0)*(256-fx) + at(1, 0)*fx
	bottom := at(0, 1)*(256-fx) + at(1, 1)*fx
	return (top*(256-fy) + bottom*fy) >> 16
}

// smooth goes from 0 to 256 with an even slope at both ends.
func smooth(t int) int { return t * t * (768 - 2*t) >> 16 }

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// mod is a modulo b, 0 or more.
func mod(a, b int) int { return a - floorDiv(a, b)*b }
