package resample

import (
	"image"
	"testing"
)

func ramp(w, h int) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			g.Pix[y*g.Stride+x] = byte(3*x + 2*y)
		}
	}
	return g
}

func TestPart(t *testing.T) {
	g := ramp(40, 30)
	same := Part(g, 0, 0, 40, 30, 40, 30)
	for i := range g.Pix {
		if same.Pix[i] != g.Pix[i] {
			t.Fatalf("pixel %d: %d, want %d: the same size changes nothing", i, same.Pix[i], g.Pix[i])
		}
	}
	// A slope stays one, away from the border, however it is scaled.
	for _, c := range []struct{ w, h int }{{20, 15}, {13, 10}, {80, 60}, {97, 71}} {
		s := Part(g, 0, 0, 40, 30, c.w, c.h)
		for y := c.h / 4; y < c.h*3/4; y++ {
			for x := c.w / 4; x < c.w*3/4; x++ {
				px, py := (float64(x)+0.5)*40/float64(c.w)-0.5, (float64(y)+0.5)*30/float64(c.h)-0.5
				want := 3*px + 2*py
				if got := float64(s.Pix[y*s.Stride+x]); got < want-1 || got > want+1 {
					t.Fatalf("%dx%d at %d,%d: %v, want %v", c.w, c.h, x, y, got, want)
				}
			}
		}
	}
	// Beyond the border the edge's pixels repeat.
	if s := Part(g, -50, -50, -10, -10, 5, 5); s.Pix[0] != g.Pix[0] || s.Pix[24] != g.Pix[0] {
		t.Errorf("left of all: %v, want %d", s.Pix, g.Pix[0])
	}
	if s := Part(g, 60, 60, 70, 70, 20, 20); s.Pix[0] != g.Pix[len(g.Pix)-1] {
		t.Errorf("right of all: %v", s.Pix[:5])
	}
}
