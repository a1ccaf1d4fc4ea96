package network

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/kerneltest"
)

var ratios = []image.YCbCrSubsampleRatio{
	image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
	image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
}

// repeat returns n, or less where tests should be short.
func repeat(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

// noise returns a picture of random values, or a part of it that begins anywhere.
func noise(rng *rand.Rand, w, h int, ratio image.YCbCrSubsampleRatio, part bool) *image.YCbCr {
	r := image.Rect(0, 0, w, h)
	if part {
		r = r.Add(image.Pt(rng.IntN(6), rng.IntN(6)))
	}
	m := image.NewYCbCr(image.Rect(0, 0, r.Max.X+rng.IntN(3), r.Max.Y+rng.IntN(3)), ratio)
	for _, p := range [][]byte{m.Y, m.Cb, m.Cr} {
		for i := range p {
			p[i] = byte(rng.Uint32())
		}
	}
	return m.SubImage(r).(*image.YCbCr)
}

// at returns the values of a pixel, of the border where it is outside.
func at(m image.Image, x, y int) [3]float64 {
	r := m.Bounds()
	x, y = min(max(r.Min.X+x, r.Min.X), r.Max.X-1), min(max(r.Min.Y+y, r.Min.Y), r.Max.Y-1)
	switch m := m.(type) {
	case *image.YCbCr:
		c := m.YCbCrAt(x, y)
		return [3]float64{float64(c.Y), float64(c.Cb), float64(c.Cr)}
	case *image.Gray:
		return [3]float64{float64(m.GrayAt(x, y).Y), 128, 128}
	}
	c := color.YCbCrModel.Convert(m.At(x, y)).(color.YCbCr)
	return [3]float64{float64(c.Y), float64(c.Cb), float64(c.Cr)}
}

// mean returns the mean of the rectangle, in pixels.
func mean(m image.Image, x0, y0, x1, y1 float64) (sum [3]float64) {
	for y := math.Floor(y0); y < y1; y++ {
		for x := math.Floor(x0); x < x1; x++ {
			area := (min(x+1, x1) - max(x, x0)) * (min(y+1, y1) - max(y, y0))
			for i, v := range at(m, int(x), int(y)) {
				sum[i] += v * area
			}
		}
	}
	for i := range sum {
		sum[i] /= (x1 - x0) * (y1 - y0)
	}
	return sum
}

// A crop is the mean of areas, or interpolates, of every type of picture, inside and
// outside, on every level.
func TestCrop(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		rng := kerneltest.Rand(t)
		var c Cropper
		var p Planes
		for range repeat(300) {
			w, h := 1+rng.IntN(70), 1+rng.IntN(70)
			var m image.Image = noise(rng, w, h, ratios[rng.IntN(len(ratios))], true)
			r := m.Bounds()
			switch rng.IntN(6) {
			case 0:
				g := image.NewGray(image.Rect(-3, 2, -3+w, 2+h))
				for i := range g.Pix {
					g.Pix[i] = byte(rng.Uint32())
				}
				m, r = g, image.Rectangle{}
			case 1:
				g := image.NewRGBA(image.Rect(1, -2, 1+w, -2+h))
				for i := range g.Pix {
					g.Pix[i] = byte(rng.Uint32()) | byte(i%4/3*255)
				}
				m, r = g, image.Rectangle{}
			}
			side := 1 + rng.IntN(20)
			s := Square{rng.Int64N(90*Unit) - 10*Unit, rng.Int64N(90*Unit) - 10*Unit, 1 + rng.Int64N(int64(7*side*Unit))}
			p.Set(context.Background(), m)
			got := make([]byte, side*side*Pixel)
			c.Crop(got, &p, s, side)
			for j := range side {
				for i := range side {
					for k := range 3 {
						// A pixel of the colours may be several of the picture.
						ux, uy, fx, fy := 1.0, 1.0, 0.0, 0.0
						if y, ok := m.(*image.YCbCr); ok && k > 0 {
							sx, sy := shifts(y.SubsampleRatio)
							ux, uy = float64(int(1)<<sx), float64(int(1)<<sy)
							fx, fy = float64(r.Min.X%(1<<sx)), float64(r.Min.Y%(1<<sy))
						}
						length := float64(s.Side) / Unit / float64(side)
						x := float64(s.X)/Unit + (float64(i)+0.5)*length
						y := float64(s.Y)/Unit + (float64(j)+0.5)*length
						want := areaOf(m, k, x, y, length, ux, uy, fx, fy) / 2
						// Sums of weights are rounded by 1/512: 7 of them each way, which
						// could be 3.5 in all, and is rarely more than 1.2. Then the half is cut.
						if v := float64(got[(j*side+i)*Pixel+k]); v < want-3 || v > want+2.5 {
							t.Fatalf("%T %dx%d, %+v to %d: plane %d at %d, %d: %v, want %v", m, w, h, s, side, k, i, j, v, want)
						}
					}
					if v := got[(j*side+i)*Pixel+3]; v != 0 {
						t.Fatalf("the fourth byte is %d", v)
					}
				}
			}
		}
	})
}

// areaOf returns the mean that Crop should make of plane k around x, y.
func areaOf(m image.Image, k int, x, y, length, ux, uy, fx, fy float64) float64 {
	// In pixels of the plane.
	halfX, halfY := max(length/ux, 1)/2, max(length/uy, 1)/2
	x, y = (x+fx)/ux, (y+fy)/uy
	if ux == 1 && uy == 1 {
		return mean(m, x-halfX, y-halfY, x+halfX, y+halfY)[k]
	}
	c := m.(*image.YCbCr)
	r := c.Rect
	w := (r.Max.X-1)/int(ux) - r.Min.X/int(ux) + 1
	h := (r.Max.Y-1)/int(uy) - r.Min.Y/int(uy) + 1
	g := image.NewGray(image.Rect(0, 0, w, h))
	pix := [][]byte{nil, c.Cb, c.Cr}[k]
	for j := range h {
		copy(g.Pix[j*w:][:w], pix[c.COffset(r.Min.X, r.Min.Y)+j*c.CStride:])
	}
	return mean(g, x-halfX, y-halfY, x+halfX, y+halfY)[0]
}

// A crop of as many pixels as it covers is a copy at half of the values.
func TestCropCopies(t *testing.T) {
	rng := kerneltest.Rand(t)
	m := noise(rng, 50, 40, image.YCbCrSubsampleRatio444, false)
	var c Cropper
	var p Planes
	p.Set(context.Background(), m)
	got := make([]byte, 24*24*Pixel)
	c.Crop(got, &p, Square{-3 * Unit, 20 * Unit, 24 * Unit}, 24)
	for j := range 24 {
		for i := range 24 {
			for k, v := range at(m, i-3, j+20) {
				if v := byte(v) >> 1; got[(j*24+i)*Pixel+k] != v {
					t.Fatalf("plane %d at %d, %d: %d, want %d", k, i, j, got[(j*24+i)*Pixel+k], v)
				}
			}
		}
	}
}

// Crops of any squares at all, near and far, end, and every level makes the same.
func TestCropAnySquare(t *testing.T) {
	rng := kerneltest.Rand(t)
	var c Cropper
	var p Planes
	for n := range repeat(500) {
		p.Set(context.Background(), noise(rng, 1+rng.IntN(300), 1+rng.IntN(300), ratios[rng.IntN(len(ratios))], true))
		bits := rng.IntN(45)
		if n < 2 {
			bits = 44
		}
		any := func() int64 { return rng.Int64N(2<<bits+1) - 1<<bits }
		s := Square{any(), any(), 1 + rng.Int64N(1<<rng.IntN(min(bits, 30)+1))}
		side := 1 + rng.IntN(MaxCrop)
		var want []byte
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			got := make([]byte, side*side*Pixel)
			c.Crop(got, &p, s, side)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%+v to %d: %v differs from %v", s, side, level, cpu.PureGo)
			}
		}
	}
}

// turned returns p, rotated clockwise by a quarter, and mirrored if flip.
func turned(m *image.YCbCr, flip bool) *image.YCbCr {
	r := m.Rect
	t := image.NewYCbCr(image.Rect(0, 0, r.Dy(), r.Dx()), m.SubsampleRatio)
	turn := func(to, from []byte, toStride, fromStride, w, h int) {
		for y := range h {
			for x := range w {
				column := h - 1 - y
				if flip {
					column = y
				}
				to[x*toStride+column] = from[y*fromStride+x]
			}
		}
	}
	turn(t.Y, m.Y, t.YStride, m.YStride, r.Dx(), r.Dy())
	sx, sy := shifts(m.SubsampleRatio)
	w, h := (r.Dx()+1<<sx-1)>>sx, (r.Dy()+1<<sy-1)>>sy
	turn(t.Cb, m.Cb, t.CStride, m.CStride, w, h)
	turn(t.Cr, m.Cr, t.CStride, m.CStride, w, h)
	return t
}

// Crops of mirrored and rotated pictures are mirrored and rotated crops.
func TestCropTurns(t *testing.T) {
	rng := kerneltest.Rand(t)
	var c Cropper
	var p Planes
	for range repeat(1000) {
		m := noise(rng, 2*(1+rng.IntN(60)), 2*(1+rng.IntN(60)), ratios[2*rng.IntN(2)], false)
		m = m.SubImage(m.Rect.Intersect(image.Rect(0, 0, m.Rect.Dx()&^1, m.Rect.Dy()&^1))).(*image.YCbCr)
		side := 1 + rng.IntN(30)
		s := Square{rng.Int64N(90*Unit) - 10*Unit, rng.Int64N(90*Unit) - 10*Unit, 1 + rng.Int64N(int64(20*side*Unit))}
		if rng.IntN(2) == 0 { // where ties are
			s.X, s.Y, s.Side = s.X&^(Unit/2-1), s.Y&^(Unit/2-1), (s.Side+Unit)&^(Unit-1)
		}
		crop := func(m *image.YCbCr, s Square) []byte {
			p.Set(context.Background(), m)
			got := make([]byte, side*side*Pixel)
			c.Crop(got, &p, s, side)
			return got
		}
		want := crop(m, s)
		for _, flip := range []bool{false, true} {
			of := Square{int64(m.Rect.Dy())*Unit - s.Y - s.Side, s.X, s.Side}
			if flip {
				of.X = s.Y
			}
			got := crop(turned(m, flip), of)
			for y := range side {
				for x := range side {
					column := side - 1 - y
					if flip {
						column = y
					}
					a, b := want[(y*side+x)*Pixel:][:Pixel], got[(x*side+column)*Pixel:][:Pixel]
					if !bytes.Equal(a, b) {
						t.Fatalf("%v, %+v to %d, mirrored %v: %v at %d, %d, want %v", m.Rect, s, side, flip, b, x, y, a)
					}
				}
			}
		}
	}
}

// Squares of more than seven pixels per pixel have the mean of their area, nearly.
func TestCropLarge(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 1000, 1000))
	for i := range m.Pix {
		m.Pix[i] = byte(255 * (i%1000 + i/1000) / 2000)
	}
	var c Cropper
	var p Planes
	p.Set(context.Background(), m)
	for _, side := range []int{8, 24, 48} {
		got := make([]byte, side*side*Pixel)
		c.Crop(got, &p, Square{0, 0, 1000 * Unit}, side)
		for i := range side * side {
			want := 127.5 * float64(i%side+i/side+1) / float64(2*side)
			if v := got[i*Pixel : i*Pixel+4]; math.Abs(float64(v[0])-want) > 1.5 || v[1] != 64 || v[2] != 64 || v[3] != 0 {
				t.Fatalf("pixel %d of %d a side: %v, want %v", i, side, v, want)
			}
		}
	}
}

func TestAround(t *testing.T) {
	for _, c := range []struct {
		box   image.Rectangle
		sides float64
		want  Square
	}{
		{image.Rect(10, 20, 30, 40), 1, Square{10 * Unit, 20 * Unit, 20 * Unit}},
		{image.Rect(10, 20, 30, 40), 1.5, Square{5 * Unit, 15 * Unit, 30 * Unit}},
		{image.Rect(0, 0, 10, 20), 1, Square{-2.5 * Unit, 2.5 * Unit, 15 * Unit}},
		{image.Rect(1<<30, 0, 1<<30+24, 24), 1, Square{1 << 30 * Unit, 0, 24 * Unit}}, // beyond 32 bits
	} {
		if got := Around(c.box, c.sides); got != c.want {
			t.Errorf("%v, %v: %v, want %v", c.box, c.sides, got, c.want)
		}
	}
}

// Pictures of all types that show the same have the same planes.
func TestPlanes(t *testing.T) {
	rng := kerneltest.Rand(t)
	m := noise(rng, 31, 17, image.YCbCrSubsampleRatio420, true)
	opaque := &image.NYCbCrA{YCbCr: *m, A: bytes.Repeat([]byte{255}, 2000), AStride: 50}
	rgba, nrgba := image.NewRGBA(m.Rect), image.NewNRGBA(m.Rect)
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			rgba.Set(x, y, m.At(x, y))
			nrgba.Set(x, y, m.At(x, y))
		}
	}
	crop := func(m image.Image) []byte {
		var c Cropper
		var p Planes
		p.Set(context.Background(), m)
		got := make([]byte, 20*20*Pixel)
		c.Crop(got, &p, Square{100, 200, 15 * Unit}, 20)
		return got
	}
	if !bytes.Equal(crop(m), crop(opaque)) {
		t.Error("an opaque NYCbCrA differs from YCbCr")
	}
	if !bytes.Equal(crop(rgba), crop(nrgba)) {
		t.Error("NRGBA differs from RGBA")
	}
	type other struct{ image.Image } // without RGBA64At
	if !bytes.Equal(crop(rgba), crop(other{rgba})) {
		t.Error("another type differs from RGBA")
	}
	for i := 3; i < len(nrgba.Pix); i += 4 {
		nrgba.Pix[i] = byte(min(rng.IntN(512), 255)) // half of them opaque
	}
	if !bytes.Equal(crop(nrgba), crop(other{nrgba})) {
		t.Error("another type differs from a transparent NRGBA")
	}
	before := &image.YCbCr{Y: m.Y, Cb: m.Cb, Cr: m.Cr, YStride: m.YStride, CStride: m.CStride, Rect: image.Rect(-5, -3, 4, 4)}
	crop(before)
}

func TestCropRefuses(t *testing.T) {
	var p Planes
	p.Set(context.Background(), image.NewGray(image.Rect(0, 0, 10, 10)))
	crop := func(s Square, side, room int) func() {
		return func() { new(Cropper).Crop(make([]byte, room), &p, s, side) }
	}
	for name, f := range map[string]func(){
		"no side":         crop(Square{0, 0, 100}, 0, 100),
		"a large crop":    crop(Square{0, 0, 100}, MaxCrop+1, 1<<16),
		"no room":         crop(Square{0, 0, 100}, 5, 99),
		"an empty square": crop(Square{0, 0, 0}, 5, 100),
		"a far one":       crop(Square{1<<44 + 1, 0, 100}, 5, 100),
		"a far one above": crop(Square{0, -1<<44 - 1, 100}, 5, 100),
		"a large one":     crop(Square{0, 0, 1<<30 + 1}, 5, 100),
		"no picture":      func() { p.Set(context.Background(), image.NewGray(image.Rectangle{})) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestCropAllocatesNothing(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	var c Cropper
	var p Planes
	dst := make([]byte, 48*48*Pixel)
	if n := testing.AllocsPerRun(10, func() {
		p.Set(context.Background(), m)
		c.Crop(dst, &p, Square{0, 0, 190 * Unit}, 48)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCrop(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	m := noise(rng, 1000, 800, image.YCbCrSubsampleRatio420, false)
	for _, level := range cpu.Available() {
		for _, c := range []struct {
			name         string
			square, side int
		}{{"20to24", 20, 24}, {"60to24", 60, 24}, {"300to24", 300, 24}, {"40to48", 40, 48}, {"120to48", 120, 48}} {
			b.Run(level.String()+"/"+c.name, func(b *testing.B) {
				cpu.ForTest(b, level)
				var p Planes
				p.Set(context.Background(), m)
				var cropper Cropper
				dst := make([]byte, c.side*c.side*Pixel)
				for b.Loop() {
					cropper.Crop(dst, &p, Square{100*Unit + 77, 101*Unit + 99, int64(c.square) * Unit}, c.side)
				}
			})
		}
	}
}
