package cascade_test

import (
	"image"
	"math"
	"testing"

	"haarlem/cascade"
)

func TestFraming(t *testing.T) {
	f := cascade.Framing{Right: 0.1, Down: -0.2, Width: 1.5, Height: 2}
	box := image.Rect(100, 200, 140, 260) // 40 by 60, centre 120, 230
	for degrees, want := range map[float64]image.Rectangle{
		0:   image.Rect(94, 158, 154, 278),  // centre 124, 218
		90:  image.Rect(102, 174, 162, 294), // centre 132, 234
		180: image.Rect(86, 182, 146, 302),  // centre 116, 242
		-90: image.Rect(78, 166, 138, 286),  // centre 108, 226
	} {
		if got := f.Of(box, degrees); got != want {
			t.Errorf("at %v degrees: %v, want %v", degrees, got, want)
		}
	}
	if got := (cascade.Framing{}).Of(box, 30); got != box {
		t.Errorf("the zero value makes %v of %v", got, box)
	}
}

// A framing and its inverse change nothing, and Then applies both.
func TestFramingInverse(t *testing.T) {
	f := cascade.Framing{Right: 0.1, Down: -0.2, Width: 1.5, Height: 2}
	g := cascade.Framing{Right: -0.3, Down: 0.05, Width: 0.8, Height: 0.7}
	near := func(a, b cascade.Framing) bool {
		return math.Abs(a.Right-b.Right)+math.Abs(a.Down-b.Down)+math.Abs(a.Width-b.Width)+math.Abs(a.Height-b.Height) < 1e-12
	}
	none := cascade.Framing{Width: 1, Height: 1}
	if got := f.Then(f.Inverse()); !near(got, none) {
		t.Errorf("f and its inverse: %+v", got)
	}
	if got := f.Then(g).Then(g.Inverse()); !near(got, f) {
		t.Errorf("f, g and the inverse of g: %+v, want %+v", got, f)
	}
	if f.Then(cascade.Framing{}) != f || (cascade.Framing{}).Then(f) != f || (cascade.Framing{}).Inverse() != (cascade.Framing{}) {
		t.Error("the zero value changes something")
	}
	box := image.Rect(1000, 2000, 3000, 5000)
	if got, want := f.Then(g).Of(box, 0), g.Of(f.Of(box, 0), 0); got != want {
		t.Errorf("both at once: %v, one after the other: %v", got, want)
	}
}
