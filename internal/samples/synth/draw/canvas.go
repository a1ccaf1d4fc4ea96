package main

import (
	"image"
	"math"
)

// A colour is red, green and blue from 0 to 1, as displayed (not linear).
type colour struct{ r, g, b float64 }

func grey(v float64) colour { return colour{v, v, v} }

// times scales c, as light does.
func (c colour) times(k float64) colour { return colour{c.r * k, c.g * k, c.b * k} }

// mix goes from c (t = 0) to d (t = 1).
func (c colour) mix(d colour, t float64) colour {
	return colour{lerp(c.r, d.r, t), lerp(c.g, d.g, t), lerp(c.b, d.b, t)}
}

// A layer gives its colour at a point, and its opacity: 0 to 1.
type layer func(x, y float64) (c colour, cover float64)

// A canvas is an unfinished image.
type canvas struct {
	width, height int
	pix           []colour
}

func newCanvas(width, height int) *canvas {
	return &canvas{width, height, make([]colour, width*height)}
}

// supersample is the number of points along each side of a pixel, for smooth
// edges.
const supersample = 3

// paint puts l over the canvas, inside the box (x0,y0)-(x1,y1).
func (v *canvas) paint(x0, y0, x1, y1 float64, l layer) {
	left, right := max(0, int(math.Floor(x0))), min(v.width, int(math.Ceil(x1)))
	top, bottom := max(0, int(math.Floor(y0))), min(v.height, int(math.Ceil(y1)))
	const step, points = 1.0 / supersample, supersample * supersample
	for y := top; y < bottom; y++ {
		for x := left; x < right; x++ {
			var sum colour
			var covered float64
			for j := range supersample {
				for i := range supersample {
					c, a := l(float64(x)+(float64(i)+0.5)*step, float64(y)+(float64(j)+0.5)*step)
					sum.r += c.r * a
					sum.g += c.g * a
					sum.b += c.b * a
					covered += a
				}
			}
			if covered == 0 {
				continue
			}
			p := &v.pix[y*v.width+x]
			p.r = p.r*(1-covered/points) + sum.r/points
			p.g = p.g*(1-covered/points) + sum.g/points
			p.b = p.b*(1-covered/points) + sum.b/points
		}
	}
}

// image rounds the canvas to 8 bits.
func (v *canvas) image() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, v.width, v.height))
	for i, c := range v.pix {
		img.Pix[4*i+0] = level(c.r)
		img.Pix[4*i+1] = level(c.g)
		img.Pix[4*i+2] = level(c.b)
		img.Pix[4*i+3] = 255
	}
	return img
}

func level(v float64) uint8 { return uint8(math.Round(clamp(v, 0, 1) * 255)) }
