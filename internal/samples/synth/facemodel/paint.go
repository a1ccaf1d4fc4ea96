package facemodel

import (
	"image"
	"math"

	"haarlem/internal/samples"
)

// Paint draws f over dst, with its window at the box, which must be square. It
// is clipped at the image. Paint panics if the box is not square or empty.
func (f *Face) Paint(dst *image.Gray, box image.Rectangle) {
	if box.Dx() != box.Dy() || box.Empty() {
		panic("facemodel: Paint: the box " + box.String() + " is no square")
	}
	m := f.model
	side := float64(box.Dx())
	unit := m.window.Dx() // texture pixels a window
	toMean := newWarp(f.Marks, m.meanMarks())

	// Small faces are painted with several points per pixel.
	points := min((unit+box.Dx()-1)/box.Dx()+1, 8)
	if box.Dx() >= unit {
		points = 1
	}
	// (cos, sin) of twice the angle whose tangent is Tilt, without either.
	t2 := float64(f.Tilt * f.Tilt)
	cos, sin := (1-t2)/(1+t2), 2*f.Tilt/(1+t2)

	// The distance of the texture's corners from the window's centre, in
	// windows, at any rotation.
	reach := 0.0
	for _, d := range []int{m.window.Min.Y, m.height - m.window.Max.Y, m.window.Min.X} {
		reach = max(reach, float64(d)/float64(unit))
	}
	around := int(math.Ceil((reach+0.5)*1.5*side - side/2))
	area := box.Inset(-around).Intersect(dst.Rect)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		row := dst.Pix[dst.PixOffset(area.Min.X, y):][:area.Dx()]
		for x := range row {
			var cover, sum int
			for j := range points {
				for i := range points {
					px := (float64(area.Min.X+x-box.Min.X)+(float64(i)+0.5)/float64(points))/side - 0.5
					py := (float64(y-box.Min.Y)+(float64(j)+0.5)/float64(points))/side - 0.5
					p := samples.Point{
						X: float64(cos*px) + float64(sin*py) + 0.5,
						Y: float64(cos*py) - float64(sin*px) + 0.5,
					}
					p = toMean.at(p)
					// In 1/256 of a texture pixel.
					tx := int(math.Floor(float64(p.X*float64(256*unit))+0.5)) + 256*m.window.Min.X
					ty := int(math.Floor(float64(p.Y*float64(256*unit))+0.5)) + 256*m.window.Min.Y
					c := m.oval.fade(tx>>4, ty>>4)
					if c == 0 {
						continue
					}
					level := f.Mean<<8 + f.Contrast*m.sample(f.texture, tx-128, ty-128)>>4
					cover += c
					sum += c * min(max(level, 0), 255<<8)
				}
			}
			if cover > 0 {
				all := 256 * points * points
				row[x] = uint8((sum + (int(row[x])<<8)*(all-cover) + all<<7) / (all << 8))
			}
		}
	}
}

// cubic are the weights of the Catmull-Rom spline for positions between pixels,
// in 1/1024. Keys, "Cubic convolution interpolation for digital image
// processing" (1981), equation 15.
var cubic = func() (table [256][4]int) {
	const full = 1 << 10
	for i := range table {
		t := i
		t2, t3 := t*t, t*t*t
		round := func(v int) int { return (v + 1<<14) >> 15 } // from 2^25 to 2^10
		w := &table[i]
		w[0] = round(-t3 + 2*256*t2 - 65536*t)
		w[2] = round(-3*t3 + 4*256*t2 + 65536*t)
		w[3] = round(t3 - 256*t2)
		w[1] = full - w[0] - w[2] - w[3]
	}
	return table
}()

// sample interpolates a texture at a position in 1/256 of a pixel.
func (m *Model) sample(texture []int32, x, y int) int {
	wx, wy := &cubic[x&255], &cubic[y&255]
	sum := 0
	for j, b := range wy {
		row := texture[min(max(y>>8+j-1, 0), m.height-1)*m.width:][:m.width]
		s := 0
		for i, a := range wx {
			s += a * int(row[min(max(x>>8+i-1, 0), m.width-1)])
		}
		sum += b * (s >> 10)
	}
	return sum >> 10
}
