// Package drawn draws the images for the measurements.
package drawn

import (
	"image"
	"math"
	"math/rand/v2"

	"haarlem/internal/resample"
	"haarlem/internal/samples"
)

// Load reads a photograph as a grey plane of w x h: the largest central part of that
// shape, scaled smoothly.
func Load(path string, w, h int) (*image.Gray, error) {
	src, err := samples.ReadGrey(path)
	if err != nil {
		return nil, err
	}
	width, height := float64(src.Rect.Dx()), float64(src.Rect.Dy())
	scale := min(width/float64(w), height/float64(h))
	dx, dy := scale*float64(w), scale*float64(h)
	x0, y0 := (width-dx)/2, (height-dy)/2
	return resample.Part(src, x0, y0, x0+dx, y0+dy, w, h), nil
}

// Picture draws an image without faces that takes a detector about as long as a
// photograph. It is the "dead leaves" model of Lee, Mumford and Huang (2001),
// shapes of all sizes that occlude one another, which shares edges and scale
// invariance with photographs. Leaves have their own shade and grain, some
// smooth, some rough, some striped. There are sheets of print between them, and
// a soft focus and a little noise over all. The same seed and size give the
// same image.
func Picture(w, h int, seed uint64) *image.Gray {
	r := rand.New(rand.NewPCG(seed, 0))
	plane := make([]float64, w*h)
	for y := range h { // sky above, ground below
		for x := range w {
			plane[y*w+x] = 190 - 110*float64(y)/float64(h) + 20*math.Sin(float64(x)/300)
		}
	}
	area := float64(w * h)
	const smallest, largest = 3.0, 400.0
	for range int(area / 260) {
		// Radii with density r^-3: leaves of every size cover the same area.
		u := r.Float64()
		radius := 1 / math.Sqrt(u/(largest*largest)+(1-u)/(smallest*smallest))
		if r.IntN(4) > 0 && radius < 12 {
			continue
		}
		drawLeaf(plane, w, h, r, radius)
	}
	for range max(1, int(area/700_000)) {
		drawPage(plane, w, h, r)
	}
	plane = soften(plane, w, h)
	g := image.NewGray(image.Rect(0, 0, w, h))
	for i, v := range plane {
		g.Pix[i] = byte(min(max(v+r.NormFloat64()*1.5, 0), 255))
	}
	return g
}

// drawLeaf draws one rotated ellipse or box with a texture.
func drawLeaf(plane []float64, w, h int, r *rand.Rand, radius float64) {
	cx, cy := r.Float64()*float64(w), r.Float64()*float64(h)
	stretch := math.Exp(r.NormFloat64() * 0.5)
	rx, ry := radius*stretch, radius/stretch
	sin, cos := math.Sincos(r.Float64() * math.Pi)
	tone := 128 + 52*r.NormFloat64()
	slope := 30 * r.NormFloat64() / radius // shading over the leaf
	rough := math.Abs(r.NormFloat64()) * 9
	grain := math.Exp(r.Float64() * 2.5)
	kind, box := r.IntN(3), r.IntN(3) == 0
	reach := max(rx, ry) * 1.5
	for y := max(0, int(cy-reach)); y < min(h, int(cy+reach)); y++ {
		for x := max(0, int(cx-reach)); x < min(w, int(cx+reach)); x++ {
			dx, dy := float64(x)-cx, float64(y)-cy
			u, v := dx*cos+dy*sin, dy*cos-dx*sin
			if box {
				if math.Abs(u) > rx || math.Abs(v) > ry {
					continue
				}
			} else if u*u/(rx*rx)+v*v/(ry*ry) > 1 {
				continue
			}
			t := tone + slope*u
			switch kind {
			case 1:
				t += rough * math.Sin(u/grain) * math.Sin(v/grain*0.7+u/grain/3)
			case 2:
				t += rough * math.Sin(u/grain*2)
			}
			plane[y*w+x] = t
		}
	}
}

// drawPage draws a sheet of paper with lines of print.
func drawPage(plane []float64, w, h int, r *rand.Rand) {
	pw, ph := min(w, 160+r.IntN(240)), min(h, 200+r.IntN(260))
	x0, y0 := r.IntN(w-pw+1), r.IntN(h-ph+1)
	line := 7 + r.IntN(14)
	for y := range ph {
		for x := range pw {
			t := 225.0
			if x > 12 && x < pw-12 && y > 12 && y < ph-12 {
				row, column := y/line, x*3/line
				glyph := uint64(row*7919+column*104729) * 0x9e3779b97f4a7c15 >> 40
				if y%line > line/4 && y%line < line-line/4 && glyph%5 > 0 && glyph>>uint(3+(x*6/line)%2+2*(y*6/line%3))&1 != 0 {
					t = 60
				}
			}
			plane[(y0+y)*w+x0+x] = t
		}
	}
}

// soften is a 3x3 binomial filter.
func soften(src []float64, w, h int) []float64 {
	dst := make([]float64, len(src))
	for y := range h {
		for x := range w {
			sum := 0.0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					i, j := min(max(x+dx, 0), w-1), min(max(y+dy, 0), h-1)
					sum += src[j*w+i] * float64((2-dx*dx)*(2-dy*dy))
				}
			}
			dst[y*w+x] = sum / 16
		}
	}
	return dst
}
