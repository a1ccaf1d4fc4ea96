package network

import (
	"context"
	"image"

	"haarlem/internal/network"
	"haarlem/internal/numeric"
	"haarlem/internal/splitmix"
)

// changes are the shares of samples that are changed, each apart from the others.
type changes struct {
	grey   float64 // no colour
	colour float64 // other saturation and tint
	light  float64 // other brightness and contrast
	coarse float64 // fewer pixels, resampled to the usual number
	noise  float64
	hidden float64 // a rectangle of one colour
	edge   float64 // beyond an edge of the picture, which is near
}

// A cropper crops and changes samples. Its crops have 4 bytes a pixel: Y, Cb, Cr and
// 0, each from 0 to 127.
type cropper struct {
	crop   network.Cropper
	pixels []byte
	coarse image.YCbCr
	planes network.Planes
	table  [128]byte
	by     changes
}

func newCropper(side int) *cropper {
	return &cropper{
		pixels: make([]byte, side*side*network.Pixel),
		by:     changes{grey: 0.15, colour: 0.3, light: 0.5, coarse: 0.15, noise: 0.1, hidden: 0.1, edge: 0.1},
	}
}

// plain crops the square around a box.
func (c *cropper) plain(p *network.Planes, b Box, sides float64, side int) {
	c.crop.Crop(c.pixels, p, b.square(sides), side)
}

// changed crops a sample and changes it, at random.
func (c *cropper) changed(p *network.Planes, v *sample, s *Settings, r *splitmix.Source) {
	side, square := s.Step.Side, v.box.square(s.Step.Sides)
	if r.Chance(c.by.coarse) {
		few := max(4, int(float64(side)*r.Between(0.35, 0.8)))
		c.crop.Crop(c.pixels, p, square, few)
		c.coarsen(few)
		c.crop.Crop(c.pixels, &c.planes, network.Square{Side: int64(few) * network.Unit}, side)
	} else {
		c.crop.Crop(c.pixels, p, square, side)
	}
	if !s.Unmirrored && r.Chance(0.5) {
		network.Mirror(c.pixels, side)
		v.by[0] = -v.by[0]
	}
	switch colour := r.Float64(); {
	case colour < c.by.grey:
		c.colour(0, [2]float64{})
	case r.Chance(c.by.colour):
		c.colour(r.Between(0.4, 1.5), [2]float64{r.Between(-8, 8), r.Between(-8, 8)})
	}
	if r.Chance(c.by.light) {
		c.light(numeric.Exp(r.Between(-0.7, 0.5)), r.Between(-24, 24))
	}
	if r.Chance(c.by.noise) {
		c.noise(r, int64(1+r.IntN(5)))
	}
	if r.Chance(c.by.hidden) {
		c.hide(r, side)
	}
	if r.Chance(c.by.edge) {
		c.edge(r, side, s.Step.Sides)
	}
}

// coarsen makes c.planes those of a crop of few pixels a side.
func (c *cropper) coarsen(few int) {
	n := few * few
	if len(c.coarse.Y) < n {
		c.coarse = image.YCbCr{Y: make([]byte, n), Cb: make([]byte, n), Cr: make([]byte, n), SubsampleRatio: image.YCbCrSubsampleRatio444}
	}
	c.coarse.YStride, c.coarse.CStride, c.coarse.Rect = few, few, image.Rect(0, 0, few, few)
	for i := range n {
		from := c.pixels[i*network.Pixel:]
		c.coarse.Y[i], c.coarse.Cb[i], c.coarse.Cr[i] = 2*from[0], 2*from[1], 2*from[2]
	}
	_ = c.planes.Set(context.Background(), &c.coarse) // nothing ends that
}

// change replaces the values of a channel: v becomes factor times v-64, plus 64 and
// shift.
func (c *cropper) change(channel int, factor, shift float64) {
	for v := range c.table {
		c.table[v] = byte(min(max(float64(factor*float64(v-inputCentre))+inputCentre+shift+0.5, 0), maxActivation))
	}
	for i := channel; i < len(c.pixels); i += network.Pixel {
		c.pixels[i] = c.table[c.pixels[i]&127]
	}
}

func (c *cropper) colour(saturation float64, tint [2]float64) {
	c.change(1, saturation, tint[0])
	c.change(2, saturation, tint[1])
}

func (c *cropper) light(contrast, shift float64) { c.change(0, contrast, shift) }

// noise adds noise of so many steps of the standard deviation to the brightness.
func (c *cropper) noise(r *splitmix.Source, steps int64) {
	for i := 0; i < len(c.pixels); i += network.Pixel {
		v := int64(c.pixels[i]) + r.Bell()*steps/splitmix.BellUnit
		c.pixels[i] = byte(min(max(v, 0), maxActivation))
	}
}

// hide fills a rectangle of up to half of the side with one colour.
func (c *cropper) hide(r *splitmix.Source, side int) {
	w, h := 1+r.IntN(side/2), 1+r.IntN(side/2)
	x, y := r.IntN(side-w+1), r.IntN(side-h+1)
	colour := [network.Pixel]byte{byte(r.IntN(128)), byte(32 + r.IntN(64)), byte(32 + r.IntN(64))}
	for row := y; row < y+h; row++ {
		for k := x; k < x+w; k++ {
			copy(c.pixels[(row*side+k)*network.Pixel:], colour[:])
		}
	}
}

// edge makes the picture end at random places between the crop's edges and the box, which
// is a part of so many sides: at all four sides in half of the cases. Beyond its edge a
// picture's border is repeated.
func (c *cropper) edge(r *splitmix.Source, side int, sides float64) {
	around := int(float64(side) * (1 - 1/sides) / 2)
	if around < 1 {
		return
	}
	const row = network.Pixel
	line := side * row
	all := r.Chance(0.5)
	for k := range 4 {
		if !all && r.Chance(0.5) {
			continue
		}
		n := 1 + r.IntN(around)
		for i := range n {
			for j := range side {
				to, from := j*line+i*row, j*line+n*row // left
				switch k {
				case 1:
					to, from = (j+1)*line-(i+1)*row, (j+1)*line-(n+1)*row
				case 2:
					to, from = i*line+j*row, n*line+j*row
				case 3:
					to, from = (side-1-i)*line+j*row, (side-1-n)*line+j*row
				}
				copy(c.pixels[to:][:row], c.pixels[from:])
			}
		}
	}
}

// put writes the crop to the input of a network.
func (c *cropper) put(to []float32, n *numbers) {
	centre, factor := float32(inputCentre), float32(inputScale)
	if n.eight {
		centre, factor = 0, 1
	}
	for i := 0; len(to) > 0; i, to = i+network.Pixel, to[planes:] {
		p, v := c.pixels[i:i+planes], to[:planes]
		for k := range v {
			v[k] = (float32(p[k]) - centre) * factor
		}
	}
}
