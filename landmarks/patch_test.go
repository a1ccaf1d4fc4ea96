package landmarks

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/luma"
)

// plane makes an image whose memory ends with the last pixel.
func plane(w, h int, at func(x, y float64) float64) luma.Plane {
	g := luma.Plane{Pix: make([]byte, w*h), Stride: w, Width: w, Height: h}
	for y := range h {
		for x := range w {
			g.Pix[y*w+x] = byte(min(max(math.Round(at(float64(x)+0.5, float64(y)+0.5)), 0), 255))
		}
	}
	return g
}

// A ramp stays a ramp for any rotation and size of the frame: each pixel of the
// patch is the image at its centre.
func TestPatchShowsFrame(t *testing.T) {
	ramp := func(x, y float64) float64 { return 20 + 0.5*x + 0.4*y }
	g := plane(200, 180, ramp)
	var p patch
	for _, size := range []float64{9, 30, 46, 60, 90, 105} {
		for _, degrees := range []float64{0, 17, -35, 90, 180} {
			f := Frame{X: 101.3, Y: 90.6, A: size}.Turned(degrees)
			p.set(&g, f, 32, 1.1)
			for j := range 32 {
				for i := range 32 {
					at := f.At((float64(i)+0.5)/32*1.1-0.55, (float64(j)+0.5)/32*1.1-0.55)
					if got, want := float64(p.pix[j*32+i]), ramp(at.X, at.Y); math.Abs(got-want) > 1.3 {
						t.Fatalf("size %v, %v degrees: pixel %d, %d is %v, want %.2f", size, degrees, i, j, got, want)
					}
				}
			}
		}
	}
}

// The border of the image is repeated outside, for frames of any size, and no
// pixel outside is read.
func TestPatchOutside(t *testing.T) {
	flat := plane(7, 5, func(float64, float64) float64 { return 99 })
	big := plane(70, 50, func(float64, float64) float64 { return 99 })
	one := plane(1, 1, func(float64, float64) float64 { return 99 })
	var p patch
	for _, g := range []luma.Plane{flat, big, one} {
		for _, f := range []Frame{
			{X: 3, Y: 3, A: 4}, {X: 0, Y: 0, A: 8}, {X: 7, Y: 5, A: 300}, {X: -1000, Y: 50, A: 20}, {X: 3, Y: 9000, A: 0.01},
			{X: 2, Y: 2, A: 3, B: 9}, {X: 35, Y: 25, A: 30, B: -60}, {X: 69, Y: 49, A: 100, B: 5},
		} {
			p.set(&g, f, 24, 1.5)
			for i, v := range p.pix {
				if v != 99 {
					t.Fatalf("%dx%d, %v: pixel %d is %d, want 99", g.Width, g.Height, f, i, v)
				}
			}
		}
	}
	left := plane(60, 60, func(x, _ float64) float64 { return math.Floor(x) })
	p.set(&left, Frame{X: 0, Y: 30, A: 16}, 16, 1)
	for i, want := range []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7} {
		if got := p.pix[5*16+i]; got != want {
			t.Errorf("pixel %d is %d, want %d", i, got, want)
		}
	}
}

// The patches of upright frames are those that any frame gets, bit for bit: inside the image,
// beyond its border, and upside down.
func TestPatchUpright(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var fast, slow patch
	kinds := [3]int{}
	for range 300 {
		g := plane(2+r.IntN(90), 1+r.IntN(70), func(float64, float64) float64 { return float64(r.IntN(256)) })
		f := Frame{X: r.Float64()*100 - 10, Y: r.Float64()*80 - 10, A: math.Exp(r.Float64()*6 - 1)}
		if r.IntN(8) == 0 {
			f.A = -f.A
		}
		side := 8 + r.IntN(40)
		fast.set(&g, f, side, 1.5)
		slow.set(&g, f, side, 1.5)
		k, n := walkOf(f, side, 1.5)
		if kinds[n]++; n == 1 {
			slow.interpolate(&g, k)
		} else {
			slow.average(&g, k)
		}
		if !bytes.Equal(fast.pix, slow.pix) {
			t.Fatalf("%d x %d pixels, %v, %d a side: %v, want %v", g.Width, g.Height, f, side, fast.pix, slow.pix)
		}
	}
	if kinds[1] < 50 || kinds[2] < 50 {
		t.Errorf("%d patches are interpolated, and %d averages", kinds[1], kinds[2])
	}
}

// Brightness and contrast do not change features.
func TestPatchNormalised(t *testing.T) {
	wave := func(x, y float64) float64 { return math.Sin(x/3) * math.Cos(y/4) }
	see := func(offset, gain float64) []byte {
		g := plane(40, 40, func(x, y float64) float64 { return offset + gain*wave(x, y) })
		var p patch
		p.set(&g, Frame{X: 20, Y: 20, A: 40}, 40, 1)
		p.normalise()
		out := make([]byte, len(p.pix))
		for i, v := range p.pix {
			out[i] = p.level[v]
		}
		return out
	}
	a := see(128, 100)
	for _, c := range [][2]float64{{60, 50}, {180, 70}, {30, 25}} {
		for i, v := range see(c[0], c[1]) {
			if d := int(v) - int(a[i]); d > 4 || d < -4 {
				t.Fatalf("offset and gain %v: pixel %d is %d, want about %d", c, i, v, a[i])
			}
		}
	}
	for i, v := range see(77, 0) {
		if v != 128 {
			t.Fatalf("pixel %d of a plain picture is %d, want 128", i, v)
		}
	}
}

func TestPatchRefuses(t *testing.T) {
	g := plane(4, 4, func(x, y float64) float64 { return x })
	for name, f := range map[string]Frame{
		"no side": {X: 1, Y: 1}, "NaN": {X: math.NaN(), A: 1}, "infinite": {A: math.Inf(1)}, "far": {X: 1e12, A: 1}, "huge": {A: 1e12},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: a frame that is none is taken", name)
				}
			}()
			new(patch).set(&g, f, 16, 1)
		}()
	}
}
