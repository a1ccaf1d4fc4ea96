package texture

import "image"

// clouds is noise of many sizes, the large ones stronger.
func clouds(c *canvas) {
	seed := c.rng.Uint64()
	first, rough := c.between(4, 8), c.between(2, 5) // largest grid: 1<<first; how much finer ones count, in 1/8
	stretch := c.between(1, 4)
	c.fill(func(x, y int) int {
		v, weight, all := 0, 4096, 0
		for k := first; k >= 1; k-- {
			v += (noise(seed+uint64(k), x, y*stretch, 1<<k) - 128) * weight
			all += weight
			weight = weight * (rough + 2) / 8
		}
		return 128<<4 + v*2/(all>>4)
	})
}

// grain is noise of one small size over slow noise: grass, plaster, gravel.
func grain(c *canvas) {
	seed, size := c.rng.Uint64(), c.between(2, 6)
	wide := c.between(1, 3)
	base, deep := c.level(), c.between(4, 14)
	c.fill(func(x, y int) int {
		return base + (noise(seed, x, y*wide, size)-128)*deep + (noise(seed+1, x, y, 40)-128)*6
	})
}

// wave bends positions by slow noise, in quarters of a pixel.
func (c *canvas) wave() func(x4, y4 int) int {
	seed, size, deep := c.rng.Uint64(), c.between(60, 300), c.between(0, 60)
	if c.chance(40) {
		deep = 0
	}
	return func(x4, y4 int) int { return (noise(seed, x4, y4, 4*size/3) - 128) * deep >> 6 }
}

// stripes are straight or bent, with sharp or soft edges.
func stripes(c *canvas) {
	t, wave := c.turn(), c.wave()
	period := 4 * c.longTail(4, 60)
	share := c.between(20, 80) * period / 100
	a, b := c.level(), c.level()
	soft := c.chance(40)
	c.fill(func(x, y int) int {
		return mean2(x, y, func(x4, y4 int) int {
			u, _ := t.at(x4, y4)
			u = mod(u+wave(x4, y4), period)
			if soft { // a wave of parabolas
				h := period / 2
				w := u
				if w >= h {
					w = period - w
				}
				return a + (b-a)*smooth(w*256/h)>>8
			}
			if u < share {
				return a
			}
			return b
		})
	})
}

// checks are squares or lozenges in two levels, sometimes a tartan.
func checks(c *canvas) {
	t, wave := c.turn(), c.wave()
	pu, pv := 4*c.longTail(4, 50), 4*c.longTail(4, 50)
	if c.chance(60) {
		pv = pu
	}
	a, b := c.level(), c.level()
	tartan := c.chance(40)
	c.fill(func(x, y int) int {
		return mean2(x, y, func(x4, y4 int) int {
			u, v := t.at(x4, y4)
			w := wave(x4, y4)
			i, j := floorDiv(u+w, pu)&1, floorDiv(v+w, pv)&1
			if tartan {
				return a + (b-a)*(i+j)/2
			}
			if i == j {
				return a
			}
			return b
		})
	})
}

// discs overlap, many small and few large: the dead leaves model of photographs
// (Lee, Mumford, Huang: "Occlusion models for natural images", 2001).
func discs(c *canvas) {
	clouds(c)
	n := c.between(40, 300)
	for range n {
		r := c.longTail(3, 70)
		cx, cy := 4*c.between(0, c.width), 4*c.between(0, c.height)
		rx, ry := 4*r, 4*max(r*c.between(40, 100)/100, 2)
		t, level, slope := c.turn(), c.level(), c.between(-20, 20)
		c.shape(image.Rect(cx/4-r, cy/4-r, cx/4+r+1, cy/4+r+1), func(x, y int) bool {
			u, v := t.at(x-cx, y-cy)
			return u*u*ry*ry+v*v*rx*rx < rx*rx*ry*ry
		}, func(x, y int) int { return level + slope*(x-cx/4+y-cy/4)*16/r })
	}
}

// houses are boxes with rows of windows under a sky.
func houses(c *canvas) {
	clouds(c)
	for range c.between(2, 8) {
		w, h := c.between(30, 140), c.between(40, max(c.height, 60))
		x0 := c.between(-w/2, c.width-w/2)
		wall := c.level()
		c.rect(image.Rect(x0, c.height-h, x0+w, c.height), wall)
		c.rect(image.Rect(x0, c.height-h, x0+c.between(1, 4), c.height), wall/2)
		ww, wh := c.between(4, 22), c.between(5, 28)
		sx, sy := ww+c.between(2, 18), wh+c.between(3, 20)
		glass, frame, cross := c.level(), c.level(), c.chance(50)
		for y := c.height - h + c.between(3, 20); y < c.height; y += sy {
			for x := x0 + c.between(2, 8); x+ww < x0+w; x += sx {
				c.rect(image.Rect(x, y, x+ww, y+wh), frame)
				c.rect(image.Rect(x+1, y+1, x+ww-1, y+wh-1), glass+c.between(-20, 20)<<4)
				if cross {
					c.rect(image.Rect(x+ww/2, y, x+ww/2+1, y+wh), frame)
					c.rect(image.Rect(x, y+wh/2, x+ww, y+wh/2+1), frame)
				}
			}
		}
	}
}

// writing is lines of strokes that could be letters, in columns.
func writing(c *canvas) {
	paper, ink := c.level(), c.level()
	if c.chance(70) {
		paper, ink = c.between(170, 245)<<4, c.between(10, 90)<<4
	}
	seed := c.rng.Uint64()
	c.fill(func(x, y int) int { return paper + (noise(seed, x, y, 30)-128)*2 })
	for y := c.between(0, 8); y < c.height; {
		h := c.between(4, 9)
		if c.chance(12) {
			h = c.between(12, 40) // a headline
		}
		thick := max(1, h/6)
		for x := c.between(2, 20); x < c.width-h; {
			if c.chance(16) {
				x += h // between words
				continue
			}
			w := c.between(h/3+1, h*4/5+1)
			for range c.between(1, 2) { // upright
				at := x + c.rng.IntN(w)
				c.rect(image.Rect(at, y+c.rng.IntN(h/2), at+thick, y+h), ink)
			}
			for range c.between(1, 2) { // level
				at := y + c.rng.IntN(h)
				c.rect(image.Rect(x, at, x+w, at+thick), ink)
			}
			x += w + thick + 1
		}
		y += h + c.between(3, h+3)
	}
}

// leaves are pointed and have a vein.
func leaves(c *canvas) {
	clouds(c)
	base := c.level()
	for range c.between(60, 400) {
		long := c.longTail(6, 50)
		wide := max(long*c.between(20, 60)/100, 2)
		cx, cy := c.between(0, c.width), c.between(0, c.height)
		t := newTurn(c.between(-256, 256))
		level, vein := base+c.between(-70, 70)<<4, c.between(-40, 40)<<4
		inside := func(x, y int) bool {
			u, v := t.at(x-4*cx, y-4*cy)
			// Between two parabolas.
			return u*u < 16*long*long && 16*long*long*abs(v) < (16*long*long-u*u)*4*wide
		}
		c.shape(image.Rect(cx-long, cy-long, cx+long+1, cy+long+1), inside, func(x, y int) int {
			_, v := t.at(4*(x-cx), 4*(y-cy))
			switch {
			case abs(v) < 4:
				return level + vein
			case v > 0:
				return level + vein/3
			}
			return level
		})
	}
}

func abs(v int) int { return max(v, -v) }

// edges are a few half planes, each with a gradient.
func edges(c *canvas) {
	whole := image.Rect(0, 0, c.width, c.height)
	for range c.between(2, 9) {
		t := c.turn()
		if c.chance(50) {
			t = turn{-t.cos, -t.sin}
		}
		x0, y0 := 4*c.between(0, c.width), 4*c.between(0, c.height)
		level, slope := c.level(), c.between(-24, 24)
		c.shape(whole, func(x, y int) bool { u, _ := t.at(x-x0, y-y0); return u > 0 },
			func(x, y int) int { u, _ := t.at(4*x-x0, 4*y-y0); return level + slope*u>>3 })
	}
}

// folds are those of cloth: soft stripes of changing width.
func folds(c *canvas) {
	t := c.turn()
	s1, s2 := c.rng.Uint64(), c.rng.Uint64()
	period, bend := c.between(8, 60), c.between(60, 200)
	base, deep := c.level(), c.between(6, 20)
	weave := c.between(0, 3)
	c.fill(func(x, y int) int {
		u, v := t.at(x, y)
		u += noise(s1, x, y, bend) * period / 90
		return base + (noise(s2, u, v, period)-128)*deep/2 + (noise(s2+1, u, v>>3, period)-128)*deep + ((x^y)&1)*weave<<4
	})
}

// rings are discs in discs: plates, wheels, lamps, and pairs of them.
func rings(c *canvas) {
	clouds(c)
	ring := func(cx, cy, r int, levels []int) {
		for i, level := range levels {
			q := 4 * r * (len(levels) - i) / len(levels)
			c.shape(image.Rect(cx-r, cy-r, cx+r+1, cy+r+1), func(x, y int) bool {
				dx, dy := x-4*cx, y-4*cy
				return dx*dx+dy*dy < q*q
			}, func(int, int) int { return level })
		}
	}
	for range c.between(3, 40) {
		levels := make([]int, c.between(1, 5))
		for i := range levels {
			levels[i] = c.level()
		}
		cx, cy, r := c.between(0, c.width), c.between(0, c.height), c.longTail(3, 60)
		ring(cx, cy, r, levels)
		if c.chance(30) {
			ring(cx+c.between(2*r, 4*r), cy, r, levels)
		}
	}
}

// bricks are walls, tiles and pavements.
func bricks(c *canvas) {
	t, seed := c.turn(), c.rng.Uint64()
	w, h, joint := 4*c.between(10, 60), 4*c.between(5, 30), 4*c.between(1, 3)
	a, b, vary := c.level(), c.level(), c.between(0, 8)
	shift := w / c.between(1, 3)
	c.fill(func(x, y int) int {
		grain := (noise(seed+7, x, y, 3) - 128) * 2
		return grain + mean2(x, y, func(x4, y4 int) int {
			u, v := t.at(x4, y4)
			j := floorDiv(v, h)
			u += shift * (j & 1)
			i := floorDiv(u, w)
			if u-i*w < joint || v-j*h < joint {
				return b
			}
			return a + (int(scatter(seed, i, j)>>56)-128)*vary
		})
	})
}

// shelf is rows of upright things of different widths, heights and levels.
func shelf(c *canvas) {
	back, board := c.between(5, 60)<<4, c.level()
	c.fill(func(int, int) int { return back })
	for y := -c.between(0, 30); y < c.height; {
		h := c.between(24, 90)
		for x := -c.between(0, 10); x < c.width; {
			w, top := c.between(4, 20), c.between(0, h/3)
			level := c.level()
			c.rect(image.Rect(x, y+top, x+w, y+h), level)
			c.rect(image.Rect(x, y+top, x+1, y+h), level/2)
			for range c.rng.IntN(3) { // bands
				at := y + top + c.rng.IntN(h-top)
				c.rect(image.Rect(x+1, at, x+w-1, min(at+c.between(1, 5), y+h)), c.level())
			}
			x += w + c.rng.IntN(3)
		}
		thick := c.between(2, 8)
		c.rect(image.Rect(0, y+h, c.width, y+h+thick), board)
		y += h + thick
	}
}

// branches are lines of many widths: twigs, wires, cracks, railings.
func branches(c *canvas) {
	clouds(c)
	whole := image.Rect(0, 0, c.width, c.height)
	for range c.between(10, 60) {
		t := c.turn()
		x0, y0 := 4*c.between(0, c.width), 4*c.between(0, c.height)
		half, long := 2*c.longTail(1, 12), 4*c.between(20, 300)
		level := c.level()
		reach := long/4 + half
		box := image.Rect(x0/4-reach, y0/4-reach, x0/4+reach+1, y0/4+reach+1).Intersect(whole)
		c.shape(box, func(x, y int) bool {
			u, v := t.at(x-x0, y-y0)
			return abs(v) <= half && abs(u) < long
		}, func(int, int) int { return level })
	}
}

// boards are panels in frames, with the grain of wood.
func boards(c *canvas) {
	seed := c.rng.Uint64()
	base, deep := c.level(), c.between(2, 8)
	w, h := c.between(20, 140), c.between(20, 140)
	c.fill(func(x, y int) int {
		i, j := x/w, y/h
		u, v := x-i*w, y-j*h
		level := base + (noise(seed, x*6, y, 24)-128)*deep + (int(scatter(seed, i, j)>>56)-128)*2
		d := min(u, w-1-u, v, h-1-v)
		switch {
		case d < 1:
			return level - 60<<4
		case d > 4 && d < 8: // the inner frame: lit on one side
			if u < w-1-u && u == d || v < h-1-v && v == d {
				return level - 30<<4
			}
			return level + 30<<4
		}
		return level
	})
}

// pattern is wallpaper: one random motif, repeated.
func pattern(c *canvas) {
	seed := c.rng.Uint64()
	w, h, size := c.between(10, 60), c.between(10, 60), c.between(2, 9)
	a, b := c.level(), c.level()
	cut := c.between(90, 170)
	shift := c.rng.IntN(w)
	mirror := c.chance(50)
	c.fill(func(x, y int) int {
		return mean2(x, y, func(x4, y4 int) int {
			j := floorDiv(y4, 4*h)
			u, v := mod(x4+4*shift*(j&1), 4*w), mod(y4, 4*h)
			if mirror && u > 2*w {
				u = 4*w - u
			}
			if noise(seed, u, v, 4*size) > cut {
				return a
			}
			return b
		})
	})
}
