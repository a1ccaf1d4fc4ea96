package detector

import (
	"context"
	"image"
	"math"

	"haarlem/integral"
	"haarlem/internal/engine"
)

// A turn is a rotation of an image that makes objects at an angle upright.
type turn struct {
	cos, sin      float64
	width, height int // of the rotated image, which holds all of the original
	cx, cy        float64
	tx, ty        float64 // centres of the image and of the rotated one
}

func newTurn(degrees float64, width, height int) turn {
	// Quarter turns are exact.
	sin, cos := math.Sincos(degrees * (math.Pi / 180))
	switch degrees {
	case 90, -270:
		sin, cos = 1, 0
	case 180, -180:
		sin, cos = 0, -1
	case 270, -90:
		sin, cos = -1, 0
	}
	t := turn{cos: cos, sin: sin}
	w, h := float64(width), float64(height)
	t.width = int(math.Ceil(math.Abs(w*cos) + math.Abs(h*sin) - 1e-9))
	t.height = int(math.Ceil(math.Abs(w*sin) + math.Abs(h*cos) - 1e-9))
	t.cx, t.cy = w/2, h/2
	t.tx, t.ty = float64(t.width)/2, float64(t.height)/2
	return t
}

// signed returns an angle below 360 degrees as one from -180 up to 180.
func signed(degrees float64) float64 {
	switch {
	case degrees >= 180:
		return degrees - 360
	case degrees < -180:
		return degrees + 360
	}
	return degrees
}

// source maps the point (x, y) of the rotated image to the original.
func (t *turn) source(x, y float64) (float64, float64) {
	x, y = x-t.tx, y-t.ty
	return float64(t.cos*x) - float64(t.sin*y) + t.cx, float64(t.sin*x) + float64(t.cos*y) + t.cy
}

// apply returns g rotated by bilinear interpolation, in buf. Outside g its border is
// repeated.
func (t *turn) apply(ctx context.Context, g *integral.Grey, buf []byte) (integral.Grey, []byte, error) {
	n := t.width * t.height
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	const one = 1 << 16
	dx, dy := int64(math.Round(t.cos*one)), int64(math.Round(t.sin*one))
	rows := max(greyBand/max(t.width, 1), 1)
	for y := range t.height {
		if y%rows == 0 {
			if err := ctx.Err(); err != nil {
				return integral.Grey{}, buf, err
			}
		}
		sx, sy := t.source(0.5, float64(y)+0.5)
		fx, fy := int64(math.Round((sx-0.5)*one)), int64(math.Round((sy-0.5)*one))
		row := buf[y*t.width:][:t.width]
		for x := range row {
			row[x] = sample(g, fx, fy)
			fx += dx
			fy += dy
		}
	}
	return integral.Grey{Pix: buf, Stride: t.width, Width: t.width, Height: t.height}, buf, nil
}

// sample returns the grey level at (x, y), in 1/65536 pixel.
func sample(g *integral.Grey, x, y int64) byte {
	if uint64(x) < uint64(g.Width-1)<<16 && uint64(y) < uint64(g.Height-1)<<16 {
		i := int(y>>16)*g.Stride + int(x>>16)
		pix := g.Pix[i : i+g.Stride+2]
		a, b := uint32(x>>8&255), uint32(y>>8&255)
		t := (256-a)*uint32(pix[0]) + a*uint32(pix[1])
		u := (256-a)*uint32(pix[g.Stride]) + a*uint32(pix[g.Stride+1])
		return byte(((256-b)*t + b*u + 1<<15) >> 16)
	}
	x = min(max(x, 0), int64(g.Width-1)<<16)
	y = min(max(y, 0), int64(g.Height-1)<<16)
	i, j := int(x>>16), int(y>>16)
	a, b := uint32(x>>8&255), uint32(y>>8&255)
	top := g.Pix[j*g.Stride:]
	bottom := top
	if j+1 < g.Height {
		bottom = g.Pix[(j+1)*g.Stride:]
	}
	k := min(i+1, g.Width-1)
	t := (256-a)*uint32(top[i]) + a*uint32(top[k])
	u := (256-a)*uint32(bottom[i]) + a*uint32(bottom[k])
	return byte(((256-b)*t + b*u + 1<<15) >> 16)
}

// back maps a box of the rotated image to the upright box of the same centre and size
// in the original.
func (t *turn) back(box image.Rectangle) image.Rectangle {
	w, h := box.Dx(), box.Dy()
	x, y := t.source(float64(box.Min.X)+float64(w)/2, float64(box.Min.Y)+float64(h)/2)
	x0, y0 := engine.Round(x-float64(w)/2), engine.Round(y-float64(h)/2)
	return image.Rect(x0, y0, x0+w, y0+h)
}
