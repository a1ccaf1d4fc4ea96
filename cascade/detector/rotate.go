package detector

import (
	"context"
	"encoding/binary"
	"image"
	"math"
	"slices"

	"haarlem/internal/engine"
	"haarlem/internal/luma"
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

// target is the inverse of source.
func (t *turn) target(x, y float64) (float64, float64) {
	x, y = x-t.cx, y-t.cy
	return float64(t.cos*x) + float64(t.sin*y) + t.tx, float64(t.cos*y) - float64(t.sin*x) + t.ty
}

// apply returns g rotated by bilinear interpolation, in buf. Outside g its border is
// repeated.
func (t *turn) apply(ctx context.Context, g *luma.Plane, buf []byte) (luma.Plane, []byte, error) {
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
				return luma.Plane{}, buf, err
			}
		}
		sx, sy := t.source(0.5, float64(y)+0.5)
		fx, fy := int64(math.Round((sx-0.5)*one)), int64(math.Round((sy-0.5)*one))
		row := buf[y*t.width:][:t.width]
		// The columns from which on, and up to which, all is inside.
		from, to := inside(fx, dx, int64(g.Width-1)<<16, 0, len(row))
		from, to = inside(fy, dy, int64(g.Height-1)<<16, from, to)
		outside(row[:from], g, fx, fy, dx, dy)
		outside(row[to:], g, fx+int64(to)*dx, fy+int64(to)*dy, dx, dy)
		x, y := fx+int64(from)*dx, fy+int64(from)*dy
		inner := row[from:to]
		pix, stride := g.Pix, g.Stride
		lower := pix[stride:]
		for i := range inner {
			k := int(y>>16)*stride + int(x>>16)
			above, below := uint64(binary.LittleEndian.Uint16(pix[k:])), uint64(binary.LittleEndian.Uint16(lower[k:]))
			a, b := uint64(x>>8&255), uint64(y>>8&255)
			// Both rows at once, in the halves of a word.
			both := above | below<<32
			left := both & 0xff_000000ff
			right := both >> 8 & 0xff_000000ff
			sums := left<<8 + a*(right-left)
			top, bottom := sums&0xffffffff, sums>>32
			inner[i] = byte((top<<8 + b*(bottom-top) + 1<<15) >> 16)
			x += dx
			y += dy
		}
	}
	return luma.Plane{Pix: buf, Stride: t.width, Width: t.width, Height: t.height}, buf, nil
}

// inside returns which of the numbers from first to last-1 are i with v+i*d from 0 up
// to less than most.
func inside(v, d, upper int64, first, last int) (from, to int) {
	up := func(a, b int64) int64 { // a/b rounded up, of a positive b
		if a <= 0 {
			return 0
		}
		return (a + b - 1) / b
	}
	low, high := int64(first), int64(last)
	switch {
	case d > 0:
		low, high = max(low, up(-v, d)), min(high, up(upper-v, d))
	case d < 0:
		low, high = max(low, up(v-upper+1, -d)), min(high, up(v+1, -d))
	case v < 0 || v >= upper:
		high = low
	}
	return int(min(low, int64(last))), int(max(min(high, int64(last)), min(low, int64(last))))
}

// outside sets a row to the pixels of g nearest to (x, y), in 1/65536 pixel, and on.
func outside(row []byte, g *luma.Plane, x, y, dx, dy int64) {
	const half = 1 << 15
	x, y = x+half, y+half
	wide, high := int64(g.Width)<<16, int64(g.Height)<<16
	// Between two of these cuts, each coordinate moves or is that of an edge.
	var cuts [5]int
	cuts[0], cuts[1] = inside(x, dx, wide, 0, len(row))
	cuts[2], cuts[3] = inside(y, dy, high, 0, len(row))
	cuts[4] = len(row)
	slices.Sort(cuts[:4])
	from := 0
	for _, to := range cuts {
		part := row[from:to]
		fx, fy := x+int64(from)*dx, y+int64(from)*dy
		from = to
		if len(part) == 0 {
			continue
		}
		across, down := fx >= 0 && fx < wide, fy >= 0 && fy < high
		u, v := int(min(max(fx, 0), wide-1)>>16), int(min(max(fy, 0), high-1)>>16)
		switch line := g.Row(v)[:g.Width]; {
		case across && down:
			for i := range part {
				part[i] = g.Pix[int(fy>>16)*g.Stride+int(fx>>16)]
				fx += dx
				fy += dy
			}
		case across:
			for i := range part {
				part[i] = line[fx>>16]
				fx += dx
			}
		case down:
			for i := range part {
				part[i] = g.Pix[int(fy>>16)*g.Stride+u]
				fy += dy
			}
		default:
			for i := range part {
				part[i] = line[u]
			}
		}
	}
}

// turnBox returns a box in an image of that size where it is after the image is turned
// clockwise by a number of quarters.
func turnBox(b image.Rectangle, size image.Point, quarters int) image.Rectangle {
	for range quarters % 4 {
		b = image.Rect(size.Y-b.Max.Y, b.Min.X, size.Y-b.Min.Y, b.Max.X)
		size.X, size.Y = size.Y, size.X
	}
	return b
}

// back maps a box of the rotated image to the upright box of the same centre and size
// in the original.
func (t *turn) back(box image.Rectangle) image.Rectangle {
	w, h := box.Dx(), box.Dy()
	x, y := t.source(float64(box.Min.X)+float64(w)/2, float64(box.Min.Y)+float64(h)/2)
	x0, y0 := engine.Round(x-float64(w)/2), engine.Round(y-float64(h)/2)
	return image.Rect(x0, y0, x0+w, y0+h)
}
