package main

import (
	"image"
	"math"
)

// A face is one person. Lengths inside a face are in half boxes: the box that
// a detector should report runs from -1 to 1 in both directions, eyes lie at
// y = -0.22, the mouth at 0.56 and the chin at 1.
type face struct {
	x, y  float64 // centre of the box in pixels
	size  float64 // side of the box in pixels
	tilt  float64 // radians, clockwise
	gaze  float64 // where the eyes look: -1 left to 1 right
	skin  colour
	hair  colour
	cloth colour
	style style
	wide  float64 // width of the head, 1 is usual
	smile float64 // 0 none to 1
	beard float64 // 0 none to 1
}

type style uint8

const (
	short style = iota
	long
	bun
	bald
)

// box returns where a detector should find f.
func (f face) box() image.Rectangle {
	h := f.size / 2
	return image.Rect(int(math.Round(f.x-h)), int(math.Round(f.y-h)), int(math.Round(f.x+h)), int(math.Round(f.y+h)))
}

// local maps image coordinates to those of the face.
func (f face) local(px, py float64) (x, y float64) {
	s, c := math.Sincos(f.tilt)
	dx, dy := (px-f.x)*2/f.size, (py-f.y)*2/f.size
	return c*dx + s*dy, c*dy - s*dx
}

const (
	eyeX, eyeY   = 0.40, -0.22
	browY        = -0.47
	mouthY       = 0.55
	headY        = -0.10 // where the head is widest
	crownY       = -1.32
	chinY        = 1.02
	headHalf     = 0.83 // half the width of the head there
	headDepth    = 0.85
	light, shade = 0.80, 0.34 // direct light, and what reaches every corner
)

// toLight points at the lamp: from the upper left, in front.
var toLight = unit(-0.42, -0.52, 0.78)

type vector struct{ x, y, z float64 }

func unit(x, y, z float64) vector {
	n := math.Sqrt(x*x + y*y + z*z)
	return vector{x / n, y / n, z / n}
}

// halfWidth is half the width of the head at height y, 0 outside it.
func (f face) halfWidth(y float64) float64 {
	w := headHalf * f.wide
	if y < headY {
		t := (headY - y) / (headY - crownY)
		if t >= 1 {
			return 0
		}
		return w * math.Sqrt(1-t*t)
	}
	t := (y - headY) / (chinY - headY)
	if t >= 1 {
		return 0
	}
	return w * math.Pow(1-math.Pow(t, 2.6), 0.60) // squarer than an ellipse: jaws
}

// height is how far the surface of the face extends towards the viewer.
func (f face) height(x, y float64) float64 {
	w := f.halfWidth(y)
	q := 0.0
	if w > 0 {
		q = x / w
	}
	z := headDepth * w / headHalf * math.Sqrt(math.Max(0, 1-q*q))
	a := math.Abs(x)

	z -= 0.17 * bump(a, y, eyeX-0.02, eyeY-0.03, 0.20, 0.13)        // sockets
	z += 0.07 * bump(a, y, eyeX, eyeY+0.01, 0.13, 0.09)             // eyeballs
	z += 0.07 * bump(a, y, 0.36, browY, 0.26, 0.08)                 // brow ridge
	z += 0.08 * bump(a, y, 0.50, 0.14, 0.20, 0.17)                  // cheek bones
	z -= 0.03 * bump(a, y, 0.36, 0.30, 0.06, 0.20)                  // fold beside the nose
	z += 0.10 * bump(x, y, 0, 0.48, 0.32, 0.22)                     // muzzle
	z += 0.03 * bump(x, y, 0, 0.49, 0.22, 0.035)                    // upper lip
	z += 0.045 * bump(x, y, 0, 0.635, 0.18, 0.045)                  // lower lip
	z -= 0.06 * bump(x, y, 0, 0.745, 0.20, 0.05)                    // dent below it
	z += 0.10 * bump(x, y, 0, 0.90, 0.22, 0.13)                     // chin
	z += 0.04 * bump(x, y, 0, -0.80, 0.50, 0.20)                    // forehead
	slope := clamp((y+0.40)/0.60, 0, 1)                             // of the nose: bridge to tip
	end := 1 - rise(0.20, 0.31, y)                                  // it ends suddenly below the tip
	begin := rise(-0.55, -0.20, y)                                  //
	ridge := math.Exp(-x * x / (2 * sq(lerp(0.075, 0.115, slope)))) // across
	z += ridge * end * begin * lerp(0.11, 0.30, slope)
	z += 0.13 * bump(a, y, 0.15, 0.19, 0.065, 0.06) // nostril wings
	return z
}

func sq(v float64) float64 { return v * v }

// lit is the light on the surface at (x, y), and the glint of the lamp.
func (f face) lit(x, y float64) (diffuse, glint float64) {
	const d = 0.012
	n := unit(f.height(x-d, y)-f.height(x+d, y), f.height(x, y-d)-f.height(x, y+d), 2*d)
	l := toLight
	diffuse = shade + light*math.Max(0, n.x*l.x+n.y*l.y+n.z*l.z)
	h := unit(l.x, l.y, l.z+1) // halfway between lamp and viewer
	glint = math.Pow(math.Max(0, n.x*h.x+n.y*h.y+n.z*h.z), 28)
	return diffuse, glint
}

// hollow is how much of the light from all around reaches (x, y): little in
// the corners of a face.
func hollow(x, y float64) float64 {
	a := math.Abs(x)
	k := 1.0
	k *= 1 - 0.40*bump(a, y, eyeX-0.06, eyeY-0.05, 0.17, 0.10)
	k *= 1 - 0.25*bump(a, y, 0.17, eyeY-0.02, 0.06, 0.10)
	k *= 1 - 0.24*bump(x, y, 0.03, 0.345, 0.13, 0.045)
	k *= 1 - 0.62*bump(a, y, 0.085, 0.285, 0.036, 0.020) // nostrils
	k *= 1 - 0.25*bump(x, y, 0.02, 0.745, 0.17, 0.04)
	return k
}

// skinAt is the face without eyes, brows and hair.
func (f face) skinAt(x, y float64) colour {
	a := math.Abs(x)
	c := f.skin
	c = c.mix(colour{0.80, 0.36, 0.30}, 0.16*bump(a, y, 0.50, 0.22, 0.18, 0.15)+0.12*bump(x, y, 0, 0.2, 0.10, 0.08))
	if f.beard > 0 {
		jaw := rise(0.20, 0.50, y+0.35*a) * (1 - bump(x, y, 0, mouthY+0.03, 0.17, 0.06))
		jaw *= 0.75 + 0.25*noise(x*30, y*30, 7)
		c = c.mix(f.hair, f.beard*jaw)
	}
	// Lips: between two curves that meet at the corners of the mouth.
	line := mouthY - f.smile*1.1*sq(x) + 0.035*f.smile
	if half := 0.31 + 0.05*f.smile; a < half {
		t := 1 - sq(x/half)
		up, down := 0.075*t-0.02*bump(x, 0, 0, 0, 0.04, 1), 0.105*t
		d := y - line
		if d > -up && d < down {
			c = c.mix(colour{0.62, 0.24, 0.24}.times(0.55+0.45*f.skin.r), 0.75)
		}
		c = c.times(1 - 0.80*math.Exp(-sq(d/0.018))*math.Sqrt(t))
	}
	diffuse, glint := f.lit(x, y)
	c = c.times(diffuse * hollow(x, y) * (0.97 + 0.06*noise(x*14, y*14, 3)))
	return c.mix(grey(1), 0.20*glint)
}

// eyeAt paints lids, white, iris and the glint in it over c.
func (f face) eyeAt(c colour, x, y float64) colour {
	side := 1.0
	if x < 0 {
		side = -1
	}
	ex := (x*side - eyeX) / 0.185 // -1 at the inner corner, 1 at the outer
	if ex < -1.2 || ex > 1.2 {
		return c
	}
	open := math.Max(0, 1-ex*ex)
	upper := eyeY - 0.100*math.Pow(open, 0.75) - 0.012*ex
	lower := eyeY + 0.062*open - 0.012*ex

	if y > upper && y < lower {
		white := grey(0.86).mix(colour{0.80, 0.62, 0.58}, 0.5*sq(ex))
		white = white.times(0.62 + 0.38*rise(upper-0.02, upper+0.09, y)) // the lid's shadow
		ix := x - side*eyeX - 0.035*f.gaze
		iy := y - (eyeY - 0.022)
		r := math.Sqrt(ix*ix + iy*iy)
		iris := colour{0.20, 0.13, 0.09}.mix(grey(0.02), rise(0.052, 0.040, r))
		iris = iris.times(1 - 0.5*rise(0.075, 0.093, r))
		c = white.mix(iris, rise(0.100, 0.088, r))
		c = c.mix(grey(1), 0.9*rise(0.026, 0.016, math.Hypot(ix+0.035, iy+0.035)))
	}
	// Lashes along the upper lid, a softer line below, a crease above.
	c = c.times(1 - 0.88*math.Exp(-sq((y-upper+0.008)/0.022))*rise(0, 0.25, open+0.12))
	c = c.times(1 - 0.35*math.Exp(-sq((y-lower-0.006)/0.018))*open)
	c = c.times(1 - 0.30*math.Exp(-sq((y-upper+0.065)/0.022))*open)
	return c
}

// browAt paints the eyebrows over c.
func (f face) browAt(c colour, x, y float64) colour {
	b := (math.Abs(x) - 0.12) / 0.52 // 0 at the inner end, 1 at the outer
	if b < 0 || b > 1 {
		return c
	}
	arch := browY + 0.035 - 0.075*math.Sin(b*2.3)
	thick := lerp(0.060, 0.022, b) * rise(0, 0.12, b+0.04)
	hairs := 0.78 + 0.22*noise(x*40+y*30, y*12, 11)
	return c.mix(f.hair.times(0.55), 0.85*hairs*rise(thick*1.35, thick*0.6, math.Abs(y-arch)))
}

// hairAt is the cap of hair: its colour and whether it hides the head.
func (f face) hairAt(x, y float64) (colour, float64) {
	if f.style == bald {
		return colour{}, 0
	}
	a := math.Abs(x)
	// The outside: the head, a little larger, and to the ears or longer.
	grow := 1.10
	outside := ellipse(x, y, 0, -0.25, headHalf*f.wide*grow+0.02, 1.17)
	end := 0.0
	if f.style == long {
		end = 1.25
	}
	side := y > -0.30 && y < end && a < headHalf*f.wide*(grow+0.12*rise(-0.3, 1, y)) && a > f.halfWidth(y)*0.965
	if !(outside < 1 && y < 0.05) && !side {
		return colour{}, 0
	}
	// The inside: the hair line, with a parting on one side.
	line := -0.88 + 0.62*math.Pow(a/(headHalf*f.wide), 3.2) + 0.10*bump(x, 0, 0.25, 0, 0.3, 1)
	line += 0.035 * (noise(x*9, 0, 5) - 0.5)
	if y > line && a < f.halfWidth(y)*0.97 {
		return colour{}, 0
	}
	// Strands run away from the parting; light makes a band over them.
	strand := noise(math.Atan2(y+0.3, x-0.2)*14, math.Hypot(x-0.2, y+0.3)*1.5, 17)
	round := unit(x/headHalf, (y+0.3)/1.2, math.Sqrt(math.Max(0.05, 1-outside)))
	l := toLight
	k := 0.45 + 0.75*math.Max(0, round.x*l.x+round.y*l.y+round.z*l.z)
	return f.hair.times(k * (0.72 + 0.5*strand)), 1
}

// paint draws the whole person, back to front.
func (f face) paint(v *canvas) {
	h := f.size / 2
	around := func(x0, y0, x1, y1 float64, l func(x, y float64) (colour, float64)) {
		r := 0.35 * math.Max(math.Max(-x0, x1), math.Max(-y0, y1)) * math.Abs(math.Sin(f.tilt)) * 3
		v.paint(f.x+(x0-r)*h, f.y+(y0-r)*h, f.x+(x1+r)*h, f.y+(y1+r)*h, func(px, py float64) (colour, float64) {
			return l(f.local(px, py))
		})
	}
	if f.style == long {
		around(-1.2, -0.6, 1.2, 1.7, f.backHairAt)
	}
	if f.style == bun {
		around(-0.5, -1.95, 0.5, -1.2, f.bunAt)
	}
	f.paintBody(v)
	around(-1.1, -0.5, 1.1, 0.5, f.earAt)
	around(-1.1, -1.6, 1.1, 1.4, f.headAt)
}

// headAt is the head in front of everything else.
func (f face) headAt(x, y float64) (colour, float64) {
	if c, a := f.hairAt(x, y); a > 0 {
		return c, a
	}
	if w := f.halfWidth(y); w == 0 || math.Abs(x) > w {
		return colour{}, 0
	}
	c := f.skinAt(x, y)
	c = f.eyeAt(c, x, y)
	c = f.browAt(c, x, y)
	// The hair throws a shadow on the forehead.
	if f.style != bald {
		c = c.times(1 - 0.30*rise(-0.62, -0.90, y+0.10*sq(x)))
	}
	return c, 1
}

func (f face) earAt(x, y float64) (colour, float64) {
	if f.style == long {
		return colour{}, 0
	}
	e := ellipse(math.Abs(x), y, headHalf*f.wide+0.015, -0.06, 0.095, 0.23)
	if e > 1 {
		return colour{}, 0
	}
	k := lerp(0.52, 0.80, e)
	if x < 0 {
		k += 0.12
	}
	return f.skin.mix(colour{0.8, 0.35, 0.3}, 0.15).times(k), 1
}

func (f face) backHairAt(x, y float64) (colour, float64) {
	if ellipse(x, y, 0, 0.2, headHalf*f.wide*1.28, 1.42) > 1 {
		return colour{}, 0
	}
	return f.hair.times(0.35 + 0.35*noise(x*12, y*1.2, 23)), 1
}

func (f face) bunAt(x, y float64) (colour, float64) {
	e := ellipse(x, y, 0, -1.46, 0.36, 0.30)
	if e > 1 {
		return colour{}, 0
	}
	return f.hair.times((0.55 - 0.5*x - 0.4*(y+1.46)) * (0.75 + 0.4*noise(math.Sqrt(e)*5, math.Atan2(y+1.46, x)*2, 29))), 1
}
