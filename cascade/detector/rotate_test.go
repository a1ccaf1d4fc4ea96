package detector

import (
	"image"
	"math"
	"testing"

	"haarlem/internal/drawn"
	"haarlem/internal/luma"
	"haarlem/internal/must"
)

// TestTurnBox: a box that is turned by quarters is where the rotated image has it.
func TestTurnBox(t *testing.T) {
	size := image.Pt(37, 23)
	box := image.Rect(5, 3, 22, 20)
	for quarters := 1; quarters < 4; quarters++ {
		r := newTurn(float64(90*quarters), size.X, size.Y)
		at := turnBox(box, size, 4-quarters)
		if back := r.back(at); back != box {
			t.Errorf("%d quarters: %v is at %v of the rotated image, and from there at %v", quarters, box, at, back)
		}
		other := image.Rect(2, 1, 9, 7)
		there := turnBox(other, size, 4-quarters)
		if back := turnBox(there, image.Pt(r.width, r.height), quarters); back != other {
			t.Errorf("%d quarters: %v becomes %v and then %v", quarters, other, there, back)
		}
	}
}

// TestRotatedPicture: the rotated image is the image sampled bilinearly where it is
// inside, and its nearest pixel elsewhere.
func TestRotatedPicture(t *testing.T) {
	g, _ := luma.Of(drawn.Picture("noise", 41, 29, 2), nil)
	near := func(u float64) bool { return math.Abs(math.Abs(u-math.Floor(u))-0.5) < 0.01 }
	for _, degrees := range []float64{0.5, 30, 60, 89, 110, 200, 300} {
		r := newTurn(degrees, g.Width, g.Height)
		p, _ := must.Get2(r.apply(t.Context(), &g, nil))
		inner, outer := 0, 0
		for y := range p.Height {
			for x := range p.Width {
				u, v := r.source(float64(x)+0.5, float64(y)+0.5)
				u, v = u-0.5, v-0.5
				if u < 0.01 || v < 0.01 || u > float64(g.Width)-1.01 || v > float64(g.Height)-1.01 {
					if min(u, v) > -0.01 && u < float64(g.Width)-0.99 && v < float64(g.Height)-0.99 || near(u) || near(v) {
						continue // it may be inside, or between two pixels
					}
					i, j := min(max(int(math.Floor(u+0.5)), 0), g.Width-1), min(max(int(math.Floor(v+0.5)), 0), g.Height-1)
					if p.Row(y)[x] != g.Row(j)[i] {
						t.Fatalf("%v degrees: pixel (%d, %d) beyond the edge is %d, want %d", degrees, x, y, p.Row(y)[x], g.Row(j)[i])
					}
					outer++
					continue
				}
				inner++
				i, j := int(u), int(v)
				a, b := u-float64(i), v-float64(j)
				want := (1-b)*((1-a)*float64(g.Row(j)[i])+a*float64(g.Row(j)[i+1])) + b*((1-a)*float64(g.Row(j + 1)[i])+a*float64(g.Row(j + 1)[i+1]))
				if d := float64(p.Row(y)[x]) - want; d < -3 || d > 3 {
					t.Fatalf("%v degrees: pixel (%d, %d) is %d, want %.1f", degrees, x, y, p.Row(y)[x], want)
				}
			}
		}
		if inner < g.Width*g.Height*8/10 {
			t.Errorf("%v degrees: only %d pixels inside", degrees, inner)
		}
		if outer < (r.width*r.height-g.Width*g.Height)/2 {
			t.Errorf("%v degrees: only %d pixels outside", degrees, outer)
		}
	}
}
