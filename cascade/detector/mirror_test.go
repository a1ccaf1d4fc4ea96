package detector_test

import (
	"context"
	"errors"
	"image"
	"math/rand/v2"
	"reflect"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

func mirrored(g *image.Gray) *image.Gray {
	out := image.NewGray(g.Rect)
	w := g.Rect.Dx()
	for y := range g.Rect.Dy() {
		for x := range w {
			out.Pix[y*out.Stride+x] = g.Pix[y*g.Stride+w-1-x]
		}
	}
	return out
}

// In a mirrored image, the mirrored cascade finds the mirrored windows with the
// same margins, and each weak classifier has the same output.
func TestMirror(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	kinds := map[cascade.Kind]int{}
	tilted, passed, none := 0, 0, 0
	for i := range 150 {
		s := randomShape(rng)
		if i%3 == 0 {
			s = randomSoft(rng)
		}
		c := randomCascade(rng, s)
		c.Verifier = randomVerifier(rng)
		m, err := c.Mirror()
		if err != nil {
			if !errors.Is(err, cascade.ErrMirror) || c.Kind != cascade.Haar {
				t.Fatal(err)
			}
			none++
			continue
		}
		must.Do(m.Check())
		kinds[c.Kind]++
		for k := range c.Features {
			if c.Features[k].Tilted {
				tilted++
			}
		}
		g := randomPicture(rng, s).draw()
		g = g.SubImage(g.Rect).(*image.Gray)
		// All windows of the unscaled level.
		o := &detector.Options{Search: &cascade.Search{Stride: 1}, Windows: detector.WindowsAll, MaxSize: image.Pt(c.Width, c.Height)}
		search := func(c *cascade.Cascade, g *image.Gray) map[image.Point]float64 {
			d := must.Get(detector.New(o, c))
			ws := must.Get(d.Engine().AppendWindows(context.Background(), nil, g))
			all := map[image.Point]float64{}
			for _, w := range ws {
				if w.Size == g.Rect.Size() {
					all[w.At] = w.Margin
				}
			}
			return all
		}
		straight := search(c, g)
		passed += len(straight)
		turned := map[image.Point]float64{}
		for at, margin := range search(m, mirrored(g)) {
			turned[image.Pt(g.Rect.Dx()-c.Width-at.X, at.Y)] = margin
		}
		if !reflect.DeepEqual(straight, turned) {
			t.Fatalf("cascade %d: %d windows, %d in the mirror", i, len(straight), len(turned))
		}
		// Outputs of weak classifiers do not depend on exits.
		weak1, weak2 := outputsOf(t, c), outputsOf(t, m)
		window1 := image.NewGray(image.Rect(0, 0, c.Width, c.Height))
		for range 5 {
			for k := range window1.Pix {
				window1.Pix[k] = byte(rng.IntN(256))
			}
			a, ok1 := weak1.Append(nil, window1, 0)
			b, ok2 := weak2.Append(nil, mirrored(window1), 0)
			if ok1 != ok2 || !reflect.DeepEqual(a, b) {
				t.Fatalf("cascade %d: a window is told %v, its mirror image %v", i, a, b)
			}
		}
		// Mirrored twice, it is unchanged.
		back, err := m.Mirror()
		if err != nil || !reflect.DeepEqual(back, c) {
			t.Fatalf("cascade %d: twice mirrored it is another (%v)", i, err)
		}
	}
	if kinds[cascade.Haar] < 20 || kinds[cascade.LBP] < 20 || tilted < 20 || passed < 1000 || none == 0 || none > 75 {
		t.Errorf("%v, %d tilted features, %d windows, %d without a mirror image: too little is tested", kinds, tilted, passed, none)
	}
}
