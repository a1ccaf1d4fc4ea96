package engine

import (
	"image"
	"math/rand/v2"
	"testing"

	"haarlem/internal/kernel/resize"
)

// The pixels of a window are those of the picture, halved as a whole and then scaled one by
// one, also beyond its edge, for windows of any width.
func TestCutWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 400 {
		g := image.NewGray(image.Rect(0, 0, 20+rng.IntN(300), 20+rng.IntN(60)))
		for i := range g.Pix {
			g.Pix[i] = byte(rng.IntN(256))
		}
		w := Window{Halved: rng.IntN(4), Size: image.Pt(1+rng.IntN(2*g.Rect.Dx()), 1+rng.IntN(2*g.Rect.Dy()))}
		w.At = image.Pt(rng.IntN(w.Size.X+30)-30, rng.IntN(w.Size.Y+30)-30)
		half := g
		for range w.Halved {
			s := half.Rect.Size()
			next := image.NewGray(image.Rect(0, 0, (s.X+1)/2, (s.Y+1)/2))
			for y := range next.Rect.Dy() {
				row := func(y int) []byte { return half.Pix[min(y, s.Y-1)*s.X:][:s.X] }
				resize.Halve(next.Pix[y*next.Stride:], row(2*y), row(2*y+1))
			}
			half = next
		}
		x, y := resize.NewScale(g.Rect.Dx(), w.Size.X).Halved(w.Halved), resize.NewScale(g.Rect.Dy(), w.Size.Y).Halved(w.Halved)
		got := image.NewGray(image.Rect(0, 0, 1+rng.IntN(100), 1+rng.IntN(40)))
		CutWindow(got, g, w)
		for i, v := range got.Pix {
			k, px := x.At(min(max(w.At.X+i%got.Stride, 0), w.Size.X-1))
			n, py := y.At(min(max(w.At.Y+i/got.Stride, 0), w.Size.Y-1))
			p := half.Pix[n*half.Stride+k:]
			if want := resize.Pixel(p[0], p[1], p[half.Stride], p[half.Stride+1], px, py); v != want {
				t.Fatalf("%+v of %v: pixel %d is %d, want %d", w, g.Rect, i, v, want)
			}
		}
	}
}
