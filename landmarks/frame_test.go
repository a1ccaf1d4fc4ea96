package landmarks

import (
	"image"
	"math"
	"testing"
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
	defer func() {
		if recover() == nil {
			t.Error("an empty box has a frame")
		}
	}()
	c.Frame(image.Rectangle{})
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
