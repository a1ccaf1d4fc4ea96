package augment

import (
	"bytes"
	"image"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/samples"
)

// stripes is a light picture with dark stripes, eight pixels wide.
func stripes(w, h int) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	for i := range g.Pix {
		g.Pix[i] = 180
		if x := i % g.Stride; x%40 >= 16 && x%40 < 24 {
			g.Pix[i] = 90
		}
	}
	return g
}

// In a drawing stripes are lines, darker than the paper between them; uniform
// areas are paper.
func TestInk(t *testing.T) {
	var s Degrader
	for seed := range uint64(40) {
		g := stripes(160, 120)
		must.Do(s.Degrade(g, image.Rect(40, 20, 120, 100), &Effects{Ink: 1}, seed))
		// A stripe, or its edges, and the middle between two.
		line, paper := min(g.GrayAt(60, 60).Y, g.GrayAt(56, 60).Y), g.GrayAt(80, 60).Y
		if paper < 180 || int(line) > int(paper)-40 {
			t.Errorf("seed %d: lines of %d on paper of %d", seed, line, paper)
		}
		even := image.NewGray(g.Rect)
		for i := range even.Pix {
			even.Pix[i] = 60
		}
		must.Do(s.Degrade(even, g.Rect, &Effects{Ink: 1}, seed))
		for i, v := range even.Pix {
			if v != even.Pix[0] || v < 190 {
				t.Fatalf("seed %d: pixel %d of an even picture is %d, the first %d", seed, i, v, even.Pix[0])
			}
		}
	}
}

// The same seed gives the same image, whatever the degrader did before; no
// effects change nothing; effects scale with the box.
func TestDegrade(t *testing.T) {
	box := image.Rect(30, 30, 70, 70)
	j := Effects{Light: 0.5, Blur: 0.1, Halftone: 0.5, Noise: 20, JPEG: 0.5}
	degraded := func(s *Degrader, j Effects, box image.Rectangle, seed uint64) []byte {
		// Part of a larger image, whose rest must not change.
		whole := stripes(200, 140)
		part := whole.SubImage(image.Rect(20, 10, 180, 130)).(*image.Gray)
		must.Do(s.Degrade(part, box, &j, seed))
		plain := stripes(200, 140)
		for y := range 140 {
			for x := range 200 {
				if p := image.Pt(x, y); !p.In(part.Rect) && whole.GrayAt(x, y) != plain.GrayAt(x, y) {
					t.Fatalf("%v, beside the picture, changed", p)
				}
			}
		}
		return whole.Pix
	}
	var used Degrader
	for seed := range uint64(20) {
		got := degraded(&used, j, box, seed)
		if !bytes.Equal(got, degraded(new(Degrader), j, box, seed)) {
			t.Errorf("seed %d: another picture after other pictures", seed)
		}
		if bytes.Equal(got, degraded(&used, j, box, seed+1)) || bytes.Equal(got, stripes(200, 140).Pix) {
			t.Errorf("seed %d gives the picture of the next one, or degrades nothing", seed)
		}
		if !bytes.Equal(degraded(&used, Effects{}, box, seed), stripes(200, 140).Pix) {
			t.Errorf("seed %d: no effects change the picture", seed)
		}
		// Twice the box, twice the radius.
		spread := func(box image.Rectangle) int {
			pix := degraded(&used, Effects{Blur: 0.3}, box, seed)
			return int(pix[70*200+80]) - int(pix[70*200+60])
		}
		if small, large := spread(image.Rect(60, 50, 70, 60)), spread(image.Rect(60, 30, 120, 90)); small < large {
			t.Errorf("seed %d: stripes keep a contrast of %d with a small box and of %d with a large one", seed, small, large)
		}
	}
}

// The box decides what is legible, and the whole image is from that try.
func TestDegradeLegible(t *testing.T) {
	photos := drawnPhotos(t, 6)
	poor := func(legible float64) (n int) {
		var s Degrader
		var m renderer
		for i := range photos {
			g := must.Get(samples.ReadGrey(photos[i].File))
			box := photos[i].Objects[0].Box
			before := bytes.Clone(g.Pix)
			for seed := range uint64(10) {
				copy(g.Pix, before)
				cut := func(slot int) []int64 {
					part := g.SubImage(box).(*image.Gray)
					return m.detail(slot, &image.Gray{Pix: part.Pix, Stride: part.Stride, Rect: image.Rect(0, 0, box.Dx(), box.Dy())})
				}
				clean := cut(0)
				j := Effects{Noise: 100, Halftone: 0.5, Blur: 0.1, Shadow: 0.5, JPEG: 0.5, Legible: legible}
				must.Do(s.Degrade(g, box, &j, seed))
				if correlation(clean, cut(1)) < 0.6 {
					n++
				}
			}
		}
		return n
	}
	if without, with := poor(0), poor(0.6); without < 10 || with*5 > without {
		t.Errorf("%d of 60 faces beyond recognition, and %d with Legible", without, with)
	}
}

func TestDegradeErrors(t *testing.T) {
	var s Degrader
	g := stripes(50, 50)
	plain := bytes.Clone(g.Pix)
	for want, c := range map[string]struct {
		box image.Rectangle
		j   Effects
	}{
		"augment: jitter: ink is 2, want 0 to 1": {g.Rect, Effects{Ink: 2}},
		"augment: the jitter sets rotate, which is for windows: whole pictures are degraded by light, film, print and file only": {g.Rect, Effects{Rotate: 5}},
		"augment: the jitter sets hat, which is for windows: whole pictures are degraded by light, film, print and file only":    {g.Rect, Effects{Hat: 1}},
		"augment: the jitter sets all, which is for windows":                                                                     {g.Rect, Effects{All: true}},
		"augment: the box lies outside the picture":                                                                              {image.Rect(-9, 0, 0, 90), Effects{}},
	} {
		if err := s.Degrade(g, c.box, &c.j, 1); err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if !bytes.Equal(g.Pix, plain) {
		t.Error("the picture changed")
	}
	// Small boxes and images are no errors, with any effects.
	largest := Effects{Light: 1, Shadow: 1, Brightness: 20, Contrast: 0.5, Gamma: 3, Blur: 0.5, Motion: 1, Grain: 1, Ink: 1, Halftone: 1, Posterise: 1, Faint: 1, Noise: 20, JPEG: 1, Legible: 0.9}
	for side := 1; side < 9; side++ {
		for seed := range uint64(10) {
			if err := s.Degrade(stripes(side, 9-side), image.Rect(-3, 0, 1, 50), &largest, seed); err != nil {
				t.Error(err)
			}
		}
	}
	for _, f := range effects {
		var j Effects
		*f.of(&j) = f.top
		placed := strings.Contains(" shift scale stretch rotate turn nod zoom glasses sunglasses hat beard dark cut ", " "+f.name+" ")
		if err := j.CheckDegradation(); (err != nil) != placed {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}
