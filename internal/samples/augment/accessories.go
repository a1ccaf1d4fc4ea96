package augment

import (
	"math"

	"haarlem/internal/samples"
	"haarlem/internal/splitmix"
)

// landmarks are the positions on a face that accessories need, in window widths
// from its middle.
type landmarks struct {
	eyeX, eyeY    float64 // of the right eye; the left one lies opposite
	noseY, mouthY float64
}

// landmarksOf returns nil for a template that is not one of a frontal face: five
// marks, eyes above nose above mouth.
func landmarksOf(t samples.Template, tall float64) *landmarks {
	if len(t.Marks) != 5 {
		return nil
	}
	m := t.Middled(tall)
	f := &landmarks{
		eyeX:  (m[1].X - m[0].X) / 2,
		eyeY:  (m[0].Y + m[1].Y) / 2,
		noseY: m[2].Y, mouthY: (m[3].Y + m[4].Y) / 2,
	}
	if !(f.eyeX > 0.02 && f.eyeY < f.noseY && f.noseY < f.mouthY) {
		return nil
	}
	return f
}

// wear paints accessories at positions on the object, so that they rotate with the
// face.
func (c *canvas) wear(j *Effects, d splitmix.Source, f *landmarks) {
	if beard := d.Fork(0); beard.Chance(j.Beard) {
		c.beard(&beard, f)
	}
	glasses := d.Fork(1)
	switch kind := glasses.Float64(); {
	case kind < j.Sunglasses:
		c.glasses(&glasses, f, true)
	case kind < j.Sunglasses+j.Glasses:
		c.glasses(&glasses, f, false)
	}
	if hat := d.Fork(2); hat.Chance(j.Hat) {
		c.hat(&hat, f)
	}
}

// softly is a ramp from 0 at -soft to 1024 at soft.
func softly(v, soft int64) int64 { return max(0, min((v+soft)*512/soft, 1024)) }

// cover blends a level into a pixel; by is 0 to 1024.
func cover(pix *int32, level, by int64) { *pix += int32((level - int64(*pix)) * by >> 10) }

// darken multiplies; by 0 leaves the pixel and by 1024 makes it black.
func darken(pix *int32, by int64) { *pix = int32(int64(*pix) * (1024 - by) >> 10) }

// An ellipse, for distances of points from it.
type ellipse struct{ x, y, a, b int64 }

func newEllipse(x, y, a, b float64) ellipse {
	return ellipse{fixed(x, unitBits), fixed(y, unitBits), fixed(a, unitBits), fixed(b, unitBits)}
}

// away returns the distance of a point from the ellipse, negative inside. It is
// approximate, best near the line.
func (e ellipse) away(p, q int64) int64 {
	// The distance from the middle, with the ellipse as unit.
	u, v := (p-e.x)*1024/e.a, (q-e.y)*1024/e.b
	r := int64(math.Sqrt(float64(u*u + v*v)))
	return (r - 1024) * min(e.a, e.b) >> 10
}

// glasses paints two rims, a bridge and temples; sunglasses are filled.
func (c *canvas) glasses(d *splitmix.Source, f *landmarks, dark bool) {
	wide := float64(f.eyeX * d.Between(0.68, 0.95))
	high := float64(wide * d.Between(0.6, 0.95))
	low := f.eyeY + float64(wide*d.Between(0.05, 0.3))
	lenses := [2]ellipse{newEllipse(-f.eyeX, low, wide, high), newEllipse(f.eyeX, low, wide, high)}
	thick := fixed(d.Between(0.006, 0.025), unitBits)
	frame := fixed(d.Between(5, 90), 8)
	frameBy := int64(d.Between(500, 1024))
	fill := fixed(d.Between(5, 60), 8)
	fillBy := int64(d.Between(750, 1024))
	shine := d.Chance(0.35)
	// A reflection, the same in both.
	gleam := newEllipse(d.Between(-0.5, 0.5)*wide, d.Between(-0.6, 0.1)*high, wide/3, high/3)
	gleamBy := int64(d.Between(200, 700))
	if dark {
		frameBy, frame = fillBy, fill
		gleamBy /= 2
	}
	pixel := (unit << 8) / c.unit
	eyeX, bridge := fixed(f.eyeX, unitBits), fixed(low-float64(high/3), unitBits)
	inner, outer := eyeX-lenses[0].a, eyeX+lenses[0].a
	for i := range c.pix {
		p, q := int64(c.p[i]), int64(c.q[i])
		lens, middle := lenses[1], eyeX
		if p < 0 {
			lens, middle = lenses[0], -eyeX
		}
		away := lens.away(p, q)
		if dark {
			cover(&c.pix[i], fill, softly(-away, pixel)*fillBy>>10)
		}
		if shine {
			cover(&c.pix[i], white, min(softly(-gleam.away(p-middle, q-fixed(low, unitBits)), 2*pixel), softly(-away, pixel))*gleamBy>>10)
		}
		// Rim, and bar: the bridge between the lenses and the sides beyond them.
		line := softly(thick-max(away, -away), pixel)
		if side := max(p, -p); side < inner || side > outer {
			line = max(line, softly(thick-max(q-bridge, bridge-q), pixel))
		}
		// Lines thinner than a pixel are paler.
		if thick < pixel {
			line = line * thick / pixel
		}
		cover(&c.pix[i], frame, line*frameBy>>10)
	}
}

// hat covers the forehead down to a curved brim, with a shadow below.
func (c *canvas) hat(d *splitmix.Source, f *landmarks) {
	brim := f.eyeY - d.Between(0.04, 0.22)
	bend := fixed(d.Between(-0.5, 0.6), 10)
	sin, _ := degrees(d.Between(-10, 10))
	slope := fixed(sin, 10)
	at := fixed(brim, unitBits)
	level, inside := fixed(d.Between(5, 130), 8), fixed(d.Between(-40, 40), 8)
	if d.Chance(0.2) {
		level = fixed(d.Between(130, 240), 8)
	}
	edge := fixed(d.Between(0.02, 0.07), unitBits)
	shade := fixed(d.Between(0.05, 0.25), unitBits)
	shadeBy := int64(d.Between(150, 700))
	pixel := (unit << 8) / c.unit
	for i := range c.pix {
		p, q := int64(c.p[i]), int64(c.q[i])
		// Below the brim is positive.
		below := q - at - p*slope>>10 + (p*p>>unitBits)*bend>>10
		if below > 0 && below < shade {
			darken(&c.pix[i], shadeBy*(shade-below)/shade)
		}
		tone := level
		if below < -edge { // the crown, behind the brim
			tone += inside + below*int64(white/8)>>unitBits
		}
		cover(&c.pix[i], max(0, min(tone, white)), softly(-below, pixel))
	}
}

// beard darkens the lower face around the mouth, or only above it.
func (c *canvas) beard(d *splitmix.Source, f *landmarks) {
	by := int64(d.Between(350, 850))
	rough := int64(d.Between(0, 250))
	gap := f.mouthY - f.noseY
	moustache := newEllipse(0, f.noseY+float64(gap*0.55), float64(f.eyeX*d.Between(0.7, 1.2)), float64(gap*d.Between(0.25, 0.45)))
	mouth := newEllipse(0, f.mouthY+float64(gap*0.05), float64(f.eyeX*0.6), float64(gap*0.3))
	outer := newEllipse(0, f.mouthY-float64(gap*0.1), float64(f.eyeX*d.Between(1.5, 1.9)), float64(gap*d.Between(1.9, 2.6)))
	cheeks := newEllipse(0, f.noseY-float64(gap*d.Between(0.3, 0.9)), float64(f.eyeX*d.Between(1.1, 1.5)), float64(gap*d.Between(1.2, 1.7)))
	only := d.Chance(0.35)
	soft := fixed(0.035, unitBits)
	for i := range c.pix {
		p, q := int64(c.p[i]), int64(c.q[i])
		hair := softly(-moustache.away(p, q), soft)
		if !only {
			chin := min(softly(-outer.away(p, q), soft), softly(cheeks.away(p, q), soft), softly(mouth.away(p, q), soft/2))
			hair = max(hair, chin)
		}
		if hair > 0 {
			darken(&c.pix[i], max(0, min(hair*(by+d.Bell()*rough/splitmix.BellUnit)>>10, 1000)))
		}
	}
}
