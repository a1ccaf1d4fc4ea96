package main

import "math"

const (
	pictureWidth  = 800
	pictureHeight = 500
	railY         = 348.0 // where the panelling begins
)

// drawRoom is the empty room: nothing in it is a face.
func drawRoom() *canvas {
	v := newCanvas(pictureWidth, pictureHeight)
	v.paint(0, 0, pictureWidth, pictureHeight, wall)
	paintWindow(v, 34, 28, 168, 214)
	paintShelf(v, 610, 40, 170, 250)
	paintLandscape(v, 316, 34, 150, 104)
	return v
}

// wall is paper with a woven pattern over wooden panels, lit from the left.
func wall(x, y float64) (colour, float64) {
	k := 1.05 - 0.35*x/pictureWidth - 0.12*y/pictureHeight
	if y < railY {
		c := colour{0.56, 0.60, 0.53}
		stripe := 0.5 + 0.5*math.Sin(x*2*math.Pi/26)
		c = c.mix(colour{0.47, 0.53, 0.48}, rise(0.35, 0.65, stripe))
		// Small leaves on every other stripe.
		u, w := math.Mod(x, 26)-13, math.Mod(y+13*math.Mod(math.Floor(x/26), 2), 30)-15
		leaf := ellipse(u*0.8+w*0.6, w*0.8-u*0.6, 0, 0, 7.5, 2.6)
		c = c.mix(colour{0.68, 0.69, 0.58}, 0.55*rise(1.15, 0.85, leaf))
		return c.times(k * (0.96 + 0.08*noise(x/40, y/40, 41))), 1
	}
	c := colour{0.42, 0.29, 0.19}
	grain := noise(x/9, y/60, 43)
	c = c.times(0.82 + 0.3*grain)
	if y < railY+12 {
		return c.times(k * (1.25 - 0.05*(y-railY))), 1
	}
	u := math.Mod(x, 100)
	edge := math.Min(math.Min(u, 100-u), math.Abs(y-railY-24))
	c = c.times(1 - 0.30*rise(5, 1, math.Abs(edge-8)))
	return c.times(k), 1
}

// paintWindow shows an evening sky, hills, and the bars of the window.
func paintWindow(v *canvas, x0, y0, w, h float64) {
	v.paint(x0-9, y0-9, x0+w+9, y0+h+16, func(x, y float64) (colour, float64) {
		u, t := (x-x0)/w, (y-y0)/h
		if u < 0 || u > 1 || t < 0 || t > 1 {
			k := 0.93
			if u > 1 || t > 1 {
				k = 0.72
			}
			return colour{0.86, 0.84, 0.78}.times(k), 1
		}
		if math.Abs(u-0.5) < 0.022 || math.Abs(t-0.42) < 0.017 {
			return colour{0.84, 0.82, 0.76}, 1
		}
		sky := colour{0.52, 0.70, 0.90}.mix(colour{0.96, 0.88, 0.76}, rise(0, 0.75, t))
		cloud := noise(u*5, t*14, 47)*0.6 + noise(u*11, t*30, 48)*0.4
		sky = sky.mix(grey(0.98), 0.6*rise(0.52, 0.75, cloud))
		far := 0.66 + 0.05*math.Sin(u*7) + 0.03*noise(u*20, 0, 49)
		near := 0.80 + 0.06*math.Sin(u*4+2) + 0.03*noise(u*30, 0, 50)
		switch {
		case t > near:
			return colour{0.26, 0.40, 0.22}.times(0.8 + 0.4*noise(u*40, t*60, 51)), 1
		case t > far:
			return colour{0.42, 0.54, 0.50}, 1
		}
		return sky, 1
	})
}

// paintShelf stands books of many colours in a dark case.
func paintShelf(v *canvas, x0, y0, w, h float64) {
	const rows = 4
	v.paint(x0-7, y0-7, x0+w+7, y0+h+7, func(x, y float64) (colour, float64) {
		u, t := x-x0, y-y0
		wood := colour{0.30, 0.19, 0.12}.times(0.85 + 0.3*noise(x/5, y/50, 53))
		if u < 0 || u > w || t < 0 || t > h {
			return wood, 1
		}
		row := int(t / h * rows)
		inRow := t/h*rows - float64(row) // 0 at the top of this board
		if inRow > 0.90 {
			return wood.times(1.25), 1
		}
		// Walk along the books of this row until the one at u.
		left := 0.0
		for i := 0; ; i++ {
			thick := 7 + 11*scatter(i, row, 59)
			if u >= left+thick {
				left += thick
				continue
			}
			tall := 0.62 + 0.24*scatter(i, row, 61)
			if inRow < 0.90-tall {
				return colour{0.10, 0.07, 0.05}, 1
			}
			s := (u - left) / thick
			c := colour{0.25 + 0.5*scatter(i, row, 67), 0.22 + 0.35*scatter(i, row, 71), 0.18 + 0.35*scatter(i, row, 73)}
			k := 0.45 + 0.6*math.Sin(math.Pi*clamp(s*0.9+0.08, 0, 1)) - 0.2*s
			band := 0.90 - tall*(0.2+0.1*scatter(i, row, 79))
			if math.Abs(inRow-band) < 0.02 || math.Abs(inRow-band+tall*0.5) < 0.012 {
				c = colour{0.80, 0.70, 0.42}
			}
			return c.times(k), 1
		}
	})
}

// paintLandscape hangs a picture of a lake between mountains.
func paintLandscape(v *canvas, x0, y0, w, h float64) {
	v.paint(x0-12, y0-12, x0+w+15, y0+h+15, func(x, y float64) (colour, float64) {
		u, t := (x-x0)/w, (y-y0)/h
		d := math.Max(math.Max(x0-x, x-x0-w), math.Max(y0-y, y-y0-h))
		switch {
		case d > 12:
			return colour{}, 0.35 // the frame's shadow
		case d > 0:
			return colour{0.62, 0.48, 0.22}.times(0.75 + 0.4*math.Sin(d/12*math.Pi)), 1
		}
		mountain := func(seed uint32, base, high float64) float64 {
			return base - high*(0.6*noise(u*3.5, 0, seed)+0.3*noise(u*9, 0, seed+1)+0.1*noise(u*25, 0, seed+2))
		}
		switch {
		case t > 0.72:
			return colour{0.30, 0.42, 0.55}.times(0.85 + 0.35*noise(u*6, t*70, 83)), 1
		case t > mountain(89, 0.85, 0.35):
			return colour{0.22, 0.32, 0.24}.times(0.8 + 0.4*noise(u*50, t*40, 97)), 1
		case t > mountain(101, 0.75, 0.55):
			return colour{0.42, 0.45, 0.52}.mix(grey(0.92), rise(0.45, 0.30, t+0.1*noise(u*30, t*20, 103))), 1
		}
		return colour{0.80, 0.82, 0.84}.mix(colour{0.93, 0.85, 0.70}, t), 1
	})
}
