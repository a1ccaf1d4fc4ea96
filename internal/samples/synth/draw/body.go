package main

import "math"

// paintBody draws neck, shoulders and clothes. The body is upright however the
// head is tilted.
func (f face) paintBody(v *canvas) {
	h := f.size / 2
	v.paint(f.x-2.3*h, f.y+0.3*h, f.x+2.3*h, f.y+12*h, func(px, py float64) (colour, float64) {
		return f.bodyAt((px-f.x)/h, (py-f.y)/h)
	})
}

func (f face) bodyAt(x, y float64) (colour, float64) {
	a := math.Abs(x)
	// Shoulders fall from the neck and end in round arms.
	shoulder := 1.34 + 0.30*sq(a/1.5) + 1.6*math.Pow(clamp(a/2.02, 0, 1), 14)
	collar := 1.30 + 0.55*math.Exp(-sq(a/0.34)) // the cut of the shirt
	if a > 2.02 || y < shoulder && !(a < 0.50+0.10*rise(1.1, 1.4, y) && y > 0.45) {
		return colour{}, 0
	}
	if y < collar && a < 0.62 { // neck
		q := a / 0.56
		k := shade + light*math.Max(0, unit(x*1.2, 0, math.Sqrt(math.Max(0.05, 1-q*q))).dot(toLight))
		k *= 1 - 0.55*rise(1.42, 0.95, y-0.12*x) // the chin's shadow
		k *= 1 - 0.18*bump(a, y, 0.16, 1.35, 0.05, 0.2)
		return f.skin.times(k), 1
	}
	// Cloth: a cylinder with folds, and a woven pattern.
	q := a / 2.1
	k := shade + 0.72*math.Max(0, unit(x*0.8, -0.25, math.Sqrt(1-q*q)*1.4).dot(toLight))
	k *= 0.90 + 0.18*noise(x*2.2+y*0.6, y*0.9, 31)
	k *= 1 - 0.28*math.Exp(-sq((a-1.42)/0.05))*rise(1.9, 2.6, y) // arms
	k *= 1 - 0.35*math.Exp(-sq((y-collar)/0.05))
	if f.style == short || f.style == bald { // a button row
		k *= 1 - 0.22*math.Exp(-sq(x/0.02))
	}
	return f.cloth.times(k), 1
}

func (v vector) dot(w vector) float64 { return v.x*w.x + v.y*w.y + v.z*w.z }
