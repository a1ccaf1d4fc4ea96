package landmarks

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/luma"
	"haarlem/internal/must"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestFrameTurned(t *testing.T) {
	f := Frame{X: 10, Y: 20, A: 4}
	for _, degrees := range []float64{0, 30, -35, 45, 90, -90, 135, 180, 225, 270, 359, -181, 725} {
		g := f.Turned(degrees)
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		near(t, "A", g.A, 4*cos, 1e-12)
		near(t, "B", g.B, 4*sin, 1e-12)
		near(t, "side", g.Side(), 4, 1e-12)
		p := g.At(0.25, -0.125)
		x, y := g.Of(p)
		near(t, "x", x, 0.25, 1e-12)
		near(t, "y", y, -0.125, 1e-12)
	}
	// Clockwise: the right side is now at the bottom.
	if p := f.Turned(90).At(0.5, 0); math.Hypot(p.X-10, p.Y-22) > 1e-12 {
		t.Errorf("half a side to the right of a frame turned by 90 degrees is %v, want 10, 22", p)
	}
}

// Four points at the corners of a rectangle: the longer side counts, whatever
// its direction.
func TestFrameOf(t *testing.T) {
	for _, degrees := range []float64{0, 20, 90, -130} {
		r := Frame{X: 7, Y: -3, A: 1}.Turned(degrees)
		var points []Point
		for _, c := range [][2]float64{{-3, -1}, {3, -1}, {3, 1}, {-3, 1}} {
			points = append(points, r.At(c[0], c[1]))
		}
		f := FrameOf(points)
		near(t, "X", f.X, 7, 1e-12)
		near(t, "Y", f.Y, -3, 1e-12)
		near(t, "A", f.A, 4*3, 1e-12)
		near(t, "B", f.B, 0, 0)
		// Turned about its longer axis the object keeps its frame.
		for i, c := range [][2]float64{{-3, -0.2}, {3, -0.2}, {3, 0.2}, {-3, 0.2}} {
			points[i] = r.At(c[0], c[1])
		}
		near(t, "A of a narrow one", FrameOf(points).A, 12, 1e-12)
	}
	if f := FrameOf([]Point{{X: 2, Y: 3}, {X: 2, Y: 3}}); f != (Frame{X: 2, Y: 3}) {
		t.Errorf("the frame of one place is %v", f)
	}
}

func TestConvention(t *testing.T) {
	c := Convention{Right: 0.1, Down: -0.2, Side: 0.5}
	f := c.Frame(image.Rect(100, 50, 140, 140)) // 40 x 90: 60 squared
	if want := (Frame{X: 124, Y: 77, A: 30}); f != want {
		t.Errorf("got %v, want %v", f, want)
	}
	if must.Recover(func() { c.Frame(image.Rectangle{}) }) == nil {
		t.Error("an empty box has a frame")
	}
}

// A frame that is rotated about a point has its own points rotated about it.
func TestFrameAbout(t *testing.T) {
	f := Frame{X: 20, Y: 30, A: 8, B: 3}
	for _, degrees := range []float64{0, 30, 90, -120, 180} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		g := f.about(14, 33, degrees)
		for _, at := range [][2]float64{{0, 0}, {0.5, -0.25}} {
			p, q := f.At(at[0], at[1]), g.At(at[0], at[1])
			x, y := 14+cos*(p.X-14)-sin*(p.Y-33), 33+sin*(p.X-14)+cos*(p.Y-33)
			if math.Hypot(q.X-x, q.Y-y) > 1e-9 {
				t.Errorf("%v degrees: %v is at %v, want %v, %v", degrees, at, q, x, y)
			}
		}
	}
}

// In the frame of Upright the eyes are level, and their midpoint is where it is
// in the box.
func TestUpright(t *testing.T) {
	box := image.Rect(10, 20, 110, 120)
	for _, degrees := range []float64{0, 20, -35, 100} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		l, r := Point{X: 55 - 20*cos, Y: 60 - 20*sin}, Point{X: 55 + 20*cos, Y: 60 + 20*sin}
		f := Upright(box, l, r)
		near(t, "side", f.Side(), 100, 1e-9)
		lx, ly := f.Of(l)
		rx, ry := f.Of(r)
		near(t, "left x", lx, -0.25, 1e-9)
		near(t, "right x", rx, 0.15, 1e-9)
		near(t, "left y", ly, -0.1, 1e-9)
		near(t, "right y", ry, -0.1, 1e-9)
	}
	if f := Upright(box, Point{X: 50, Y: 50}, Point{X: 50, Y: 50}); f != (Frame{X: 60, Y: 70, A: 100}) {
		t.Errorf("eyes at one place turn the box: %v", f)
	}
}

// A crop at the size of the box is the box, and a rotated or smaller one has
// the right colours in the right positions.
func TestCrop(t *testing.T) {
	img := image.NewNRGBA(image.Rect(5, 7, 65, 67))
	for y := 7; y < 67; y++ {
		for x := 5; x < 65; x++ {
			img.SetNRGBA(x, y, color.NRGBA{uint8(4 * (x - 5)), uint8(4 * (y - 7)), 9, 255})
		}
	}
	out := Crop(img, Upright(image.Rect(10, 10, 30, 30), Point{}, Point{}), 20)
	for y := range 20 {
		for x := range 20 {
			// Frames are relative to the image's own upper left corner.
			if got, want := out.RGBAAt(x, y), (color.RGBA{uint8(4 * (x + 10)), uint8(4 * (y + 10)), 9, 255}); got != want {
				t.Fatalf("pixel %d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
	for _, degrees := range []float64{15, -90} {
		f := Frame{X: 30, Y: 28, A: 30}.Turned(degrees)
		out := Crop(img, f, 10)
		for y := range 10 {
			for x := range 10 {
				at := f.At((float64(x)+0.5)/10-0.5, (float64(y)+0.5)/10-0.5)
				got := out.RGBAAt(x, y)
				near(t, "red", float64(got.R), 4*(at.X-0.5), 1)
				near(t, "green", float64(got.G), 4*(at.Y-0.5), 1)
			}
		}
	}
	// Far outside, the corner is repeated.
	if got := Crop(img, Frame{X: -500, Y: -500, A: 10}, 2).RGBAAt(1, 1); got != (color.RGBA{0, 0, 9, 255}) {
		t.Errorf("outside is %v", got)
	}
}

func TestDraw(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 40, 30))
	Draw(img, []Point{{X: 10.5, Y: 10.5}, {X: 39.9, Y: 0.1}, {X: -100, Y: 5}, {X: math.NaN(), Y: 3}}, 60)
	for at, want := range map[image.Point]color.RGBA{
		{10, 10}: dotColour, {39, 0}: dotColour, // the second in the corner
		{11, 11}: rimColour, {20, 20}: {},
	} {
		if got := img.RGBAAt(at.X, at.Y); got != want {
			t.Errorf("at %v there is %v, want %v", at, got, want)
		}
	}
	if got := img.RGBAAt(12, 10); got != rimColour && got != (color.RGBA{}) {
		t.Errorf("beside a dot is %v", got)
	}
}

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

// uneven is a picture of levels that change everywhere.
func uneven() luma.Plane {
	return plane(64, 64, func(x, y float64) float64 { return math.Mod(x*y, 256) })
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
	var p patch
	for _, size := range []image.Point{{7, 5}, {70, 50}, {1, 1}} {
		g := plane(size.X, size.Y, func(float64, float64) float64 { return 99 })
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
		if must.Recover(func() { new(patch).set(&g, f, 16, 1) }) == nil {
			t.Errorf("%s: a frame that is none is taken", name)
		}
	}
}
