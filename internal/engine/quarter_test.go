package engine

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/drawn"
	"haarlem/internal/luma"
	"haarlem/internal/must"
)

// uneven returns a cascade whose features look different in each quarter turn.
func uneven() *cascade.Cascade {
	c := &cascade.Cascade{Kind: cascade.Haar, Width: 12, Height: 12, MinStdDev: 3, Search: cascade.Search{Stride: 2, RefineX: 1, RefineY: 1, InterLevel: 2, Pad: 0.25}}
	r := rand.New(rand.NewPCG(7, 1))
	for n := range 6 {
		w, h := int32(2+r.IntN(4)), int32(1+r.IntN(10))
		x, y := r.Int32N(12-2*w+1), r.Int32N(12-h+1)
		c.Features = append(c.Features, haar.Feature{Rects: [3]haar.Rect{{X: x, Y: y, W: 2 * w, H: h, Weight: -1}, {X: x, Y: y, W: w, H: h, Weight: 2}}})
		c.Weak = append(c.Weak, cascade.Weak{Nodes: []cascade.Node{{Feature: int32(n), Left: 0, Right: -1}}, Leaves: []float32{-1, 1}})
		c.Exits = append(c.Exits, cascade.Exit{After: n + 1, Threshold: -2})
	}
	c.Exits[len(c.Exits)-1].Threshold = 2
	return c
}

// turnedPicture turns a picture clockwise by quarters.
func turnedPicture(g *image.Gray, quarters int) *image.Gray {
	for range quarters {
		w, h := g.Rect.Dx(), g.Rect.Dy()
		t := image.NewGray(image.Rect(0, 0, h, w))
		for y := range h {
			for x := range w {
				t.Pix[x*t.Stride+h-1-y] = g.Pix[y*g.Stride+x]
			}
		}
		g = t
	}
	return g
}

// TestQuarters: an engine for turned objects finds in a turned picture what the engine
// itself finds in the picture, with the same margins; alone and in a search of several,
// which finds what each finds alone. On one level, since the grids of others begin at
// another edge.
func TestQuarters(t *testing.T) {
	for _, workers := range []int{1, 3} {
		e := must.Get(New(uneven(), &Options{Workers: workers, MaxSize: image.Pt(12, 12)}))
		all := []*Engine{e}
		for n := 1; n < 4; n++ {
			all = append(all, e.Quarter(n))
		}
		several := NewSearch(all...)
		g := drawn.Picture("texture", 100, 80, 3)
		p, _ := luma.Of(g, nil)
		want := must.Get(e.NewSearch().Candidates(t.Context(), p))
		if len(want) < 200 || len(want) > 4000 {
			t.Fatalf("%d candidates: too few or too many to say much", len(want))
		}
		for n, q := range all {
			p, _ := luma.Of(turnedPicture(g, n), nil)
			alone := must.Get(q.NewSearch().Candidates(t.Context(), p))
			must.Do(several.Search(t.Context(), p, nil))
			found := must.Get(several.Found(t.Context(), n))
			if !slices.Equal(found, alone) {
				t.Errorf("%d quarters, %d workers: %d candidates in a search of several, %d alone", n, workers, len(found), len(alone))
			}
			margins := map[image.Rectangle]float64{}
			for _, c := range found {
				margins[c.Box] = c.Margin
			}
			missing := 0
			for _, c := range want {
				b, size := c.Box, g.Rect.Size()
				for range n {
					b = image.Rect(size.Y-b.Max.Y, b.Min.X, size.Y-b.Min.Y, b.Max.X)
					size.X, size.Y = size.Y, size.X
				}
				if m, ok := margins[b]; !ok || m != c.Margin {
					missing++
				}
			}
			if missing > 0 || len(found) != len(want) {
				t.Errorf("%d quarters, %d workers: %d candidates, want %d, of which %d are missing", n, workers, len(found), len(want), missing)
			}
		}
	}
}

// TestNoQuarters: a window that is not square, tilted features and OpenCV's rule of
// windows have no turned engine.
func TestNoQuarters(t *testing.T) {
	oblong, tilted, rule := uneven(), uneven(), uneven()
	oblong.Height = 14
	tilted.Features[3] = haar.Feature{Tilted: true, Rects: [3]haar.Rect{{X: 5, Y: 1, W: 2, H: 2, Weight: -1}, {X: 5, Y: 1, W: 1, H: 2, Weight: 2}}}
	for name, test := range map[string]struct {
		c *cascade.Cascade
		o Options
	}{"oblong": {oblong, Options{}}, "tilted": {tilted, Options{}}, "OpenCV's rule": {rule, Options{Windows: WindowsOpenCV}}} {
		e := must.Get(New(test.c, &test.o))
		if e.Quarter(1) != nil {
			t.Errorf("%s: it can be turned", name)
		}
	}
}

// TestFrame: a search within a frame finds of all candidates those whose centres lie in
// the turned rectangle, as far from its edge as a window must.
func TestFrame(t *testing.T) {
	c := uneven()
	c.Search = cascade.Search{Stride: 2, Pad: 0.25}
	e := must.Get(New(c, &Options{Workers: 2}))
	p, _ := luma.Of(drawn.Picture("texture", 200, 180, 4), nil)
	s := e.NewSearch()
	all := must.Get(s.Candidates(t.Context(), p))
	all = slices.Clone(all)
	for _, degrees := range []float64{30, 60, 100, 200, 350} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		frame := &Frame{Cos: cos, Sin: sin, Size: image.Pt(120, 90)}
		must.Do(s.Search(t.Context(), p, frame))
		found := must.Get(s.Found(t.Context(), 0))
		within := map[Candidate]bool{}
		for _, c := range found {
			within[c] = true
		}
		for _, c := range all {
			x, y := float64(c.Box.Min.X+c.Box.Max.X)/2-100, float64(c.Box.Min.Y+c.Box.Max.Y)/2-90
			u, v := cos*x-sin*y, sin*x+cos*y
			away := float64(c.Box.Dx()) / 3 // the window has 12 pixels, of which 2 may lie beyond the edge
			inside := min(60-away-math.Abs(u), 45-away-math.Abs(v))
			// Candidates are in whole pixels.
			if inside > 2 && !within[c] || inside < -2 && within[c] {
				t.Errorf("%v degrees: %v is found: %v, but it is %.1f pixels inside", degrees, c.Box, within[c], inside)
			}
		}
		if len(found) < 100 || len(found) > len(all)/2 {
			t.Errorf("%v degrees: %d of %d candidates", degrees, len(found), len(all))
		}
	}
}
