package augment

import (
	"bytes"
	"hash/fnv"
	"image"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
	"haarlem/internal/splitmix"
)

func TestParseJitter(t *testing.T) {
	for text, want := range map[string]Effects{
		"":                      {},
		"none":                  {},
		"default":               Default,
		"press":                 OldPrint,
		"shift=0.05,scale=0.1":  {Shift: 0.05, Scale: 0.1},
		"all=1, hat=0.5":        {All: true, Hat: 0.5},
		"press,all=1":           func() Effects { j := OldPrint; j.All = true; return j }(),
		"default,gamma=3,cut=0": func() Effects { j := Default; j.Gamma, j.Cut = 3, 0; return j }(),
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"shift":           `jitter "shift": "shift" is not understood, want none, default or press at the beginning, then name=number with commas between them`,
		"hat=0.1,press":   `jitter "hat=0.1,press": "press" is not understood, want none, default or press at the beginning, then name=number with commas between them`,
		"hat=much":        `jitter "hat=much": hat is "much", want a number`,
		"hat=NaN":         `jitter "hat=NaN": hat is NaN, want 0 to 1`,
		"hat=1.5":         `jitter "hat=1.5": hat is 1.5, want 0 to 1`,
		"hat=0.1,hat=0.2": `jitter "hat=0.1,hat=0.2": hat is given twice`,
		"all=2":           `jitter "all=2": all is "2", want 0 or 1`,
		"zoom=0.5":        `jitter "zoom=0.5": zoom is 0.5, want 0 or at least 1`,
		"gamma=0.5":       `jitter "gamma=0.5": gamma is 0.5, want 0 or at least 1`,
		"moustache=1":     `jitter "moustache=1": nothing is called "moustache", want one of all, ` + strings.Join(effectNames(), ", "),
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

// Each field has a name, and each changes windows when set alone.
func TestEveryFieldDoesSomething(t *testing.T) {
	photos := drawnPhotos(t, 3)
	make := func(j Effects) []Window {
		return mustMake(t, photos, &MakeOptions{Variants: 4, Effects: j, Template: samples.FrontalFace})
	}
	plain := make(Effects{})
	for _, f := range effects {
		j := Effects{}
		switch f.name {
		case "motion", "legible": // change what others do
			j.Blur, j.Noise = 0.1, 100
			base := make(j)
			*f.of(&j) = f.top
			if got := make(j); sum(got) == sum(base) {
				t.Errorf("%s=%v changes nothing", f.name, f.top)
			}
			continue
		}
		*f.of(&j) = min(f.top, map[string]float64{"rotate": 10, "scale": 0.1, "shift": 0.1, "stretch": 0.1, "zoom": 2.6}[f.name]+boolTo(f.top <= 1)+boolTo(f.top > 1)*5)
		got := make(j)
		changed := 0
		for i := range got {
			same := bytes.Equal(got[i].Grey.Pix, plain[i].Grey.Pix)
			if got[i].Variant == 0 && !same {
				t.Errorf("%s changes variant 0, which is the plain one", f.name)
			}
			if !same {
				changed++
			}
		}
		if changed < 8 { // of 9 that may change; contrast may come out as nearly 1
			t.Errorf("%v changes %d windows of 9", j, changed)
		}
		j.All = true
		if got := make(j); bytes.Equal(got[0].Grey.Pix, plain[0].Grey.Pix) {
			t.Errorf("%v leaves variant 0", j)
		}
	}
}

func boolTo(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// A hardly legible window is degraded again: with the same effects, fewer
// windows are beyond recognition.
func TestLegible(t *testing.T) {
	photos := drawnPhotos(t, 10)
	poor := func(legible float64) (n int) {
		j := Effects{Noise: 100, Halftone: 0.5, Blur: 0.1, Shadow: 0.5, JPEG: 0.5, Grain: 0.5, Legible: legible}
		w := mustMake(t, photos, &MakeOptions{Variants: 9, Effects: j, Template: samples.FrontalFace})
		var m renderer
		for i := range w {
			clean := slices.Clone(m.detail(0, w[i/9*9].Grey))
			if correlation(clean, m.detail(1, w[i].Grey)) < 0.6 {
				n++
			}
		}
		return n
	}
	without, with := poor(0), poor(0.6)
	if without < 10 || with*5 > without {
		t.Errorf("%d windows of 80 beyond recognition, and %d with Legible", without, with)
	}
}

func TestCorrelation(t *testing.T) {
	a := []int64{1, -2, 3, 0}
	for want, b := range map[float64][]int64{1: {2, -4, 6, 0}, -1: {-1, 2, -3, 0}, 0: {0, 0, 0, 0}} {
		if got := correlation(a, b); got < want-1e-12 || got > want+1e-12 {
			t.Errorf("%v and %v: %v, want %v", a, b, got, want)
		}
	}
}

// A box filter keeps constant areas, and the sum of what is away from the
// edges.
func TestBox(t *testing.T) {
	for _, radius := range []int64{8, 100, 256, 300, 1000} {
		pix, line := make([]int32, 41), make([]int32, 41)
		for i := range pix {
			pix[i] = 5000
		}
		box(pix, 1, line, radius)
		for i, v := range pix {
			if v != 5000 {
				t.Fatalf("radius %d: pixel %d of an even line became %d", radius, i, v)
			}
		}
		clear(pix)
		pix[20] = 100000
		box(pix, 1, line, radius)
		var sum, moment int64
		for i, v := range pix {
			sum += int64(v)
			moment += int64(v) * int64(i-20)
		}
		if sum < 99960 || sum > 100000 || moment != 0 {
			t.Errorf("radius %d: sum %d, moment %d, want 100000 but for rounding, and 0", radius, sum, moment)
		}
		if whole := 100000 * 256 / (512*(radius>>8) + 256 + 2*(radius&255)); int64(pix[20]) != whole {
			t.Errorf("radius %d: the middle is %d, want %d", radius, pix[20], whole)
		}
	}
}

// With steps of 1 the transform and its inverse differ by a pixel's rounding;
// with large ones only the mean is left.
func TestSquare(t *testing.T) {
	d := splitmix.New(1, "")
	var fine, coarse [64]int64
	for i := range fine {
		fine[i], coarse[i] = 1, 1<<20
	}
	coarse[0] = 1
	for range 100 {
		pix := make([]byte, 64)
		total := 0
		for i := range pix {
			pix[i] = byte(d.IntN(256))
			total += int(pix[i])
		}
		got := bytes.Clone(pix)
		square(got, 8, 8, 0, 0, &fine)
		for i := range pix {
			if e := int(got[i]) - int(pix[i]); e < -3 || e > 3 {
				t.Fatalf("%d became %d", pix[i], got[i])
			}
		}
		square(pix, 8, 8, 0, 0, &coarse)
		for _, v := range pix {
			if e := int(v) - total/64; e < -1 || e > 1 {
				t.Fatalf("%d is left, want the mean %d", v, total/64)
			}
		}
	}
}

// A block that extends over the edges changes only its part of the image.
func TestSquareAtTheEdges(t *testing.T) {
	var steps [64]int64
	for i := range steps {
		steps[i] = 60
	}
	d := splitmix.New(1, "")
	for _, at := range []image.Point{{-5, -3}, {7, 6}, {-7, 9}} {
		pix := make([]byte, 12*11)
		for i := range pix {
			pix[i] = byte(d.IntN(256))
		}
		got := bytes.Clone(pix)
		square(got, 12, 11, at.X, at.Y, &steps)
		for i := range pix {
			in := image.Pt(i%12, i/12).In(image.Rect(0, 0, 8, 8).Add(at))
			if !in && got[i] != pix[i] {
				t.Errorf("%v: pixel %d,%d changed", at, i%12, i/12)
			}
		}
		if bytes.Equal(got, pix) {
			t.Errorf("%v: nothing changed", at)
		}
	}
}

func TestFolded(t *testing.T) {
	for i, want := range map[int]int{-1: 0, -2: 1, 0: 0, 2: 2, 3: 2, 5: 0, 6: 0, 8: 2, -6: 0, -7: 0} {
		if got := folded(i, 3); got != want {
			t.Errorf("%d of 3 is %d, want %d", i, got, want)
		}
	}
	if folded(-9, 1) != 0 || folded(9, 1) != 0 {
		t.Error("a row of one pixel has only that")
	}
}

// A dark face is darker, and its background unchanged; an object that is no
// face is unchanged.
func TestDark(t *testing.T) {
	file := picturetest.Save(filepath.Join(t.TempDir(), "even.png"), picturetest.Even(120, 120, 200))
	var marks []samples.Point
	for _, m := range samples.FrontalFace.Marks {
		marks = append(marks, samples.Point{X: 20 + 80*m.X, Y: 20 + 80*m.Y})
	}
	photos := []samples.Photo{{File: file, Objects: []samples.Object{{Marks: marks}}}}
	for _, w := range mustMake(t, photos, &MakeOptions{Variants: 20, Effects: Effects{Dark: 1, All: true}, Template: samples.FrontalFace}) {
		side := w.Grey.Rect.Dx()
		for _, p := range []image.Point{{0, 0}, {side - 1, 0}, {0, side - 1}, {side - 1, side - 1}} {
			if v := w.Grey.GrayAt(p.X, p.Y).Y; v < 190 || v > 200 { // a soft edge comes close
				t.Errorf("variant %d: %d behind the face, at %v, want 200", w.Variant, v, p)
			}
		}
		eye, mouth := w.Grey.GrayAt(side*3/10, side*4/10).Y, w.Grey.GrayAt(side/2, side*8/10).Y
		if eye < 55 || eye > 145 || mouth != eye {
			t.Errorf("variant %d: %d at the eye, %d at the mouth, want one level from 55 to 145", w.Variant, eye, mouth)
		}
	}
	photos[0].Objects[0] = samples.Object{Box: image.Rect(20, 20, 100, 100)}
	for _, w := range mustMake(t, photos, &MakeOptions{Variants: 3, Effects: Effects{Dark: 1, All: true}}) {
		for i, v := range w.Grey.Pix {
			if v != 200 {
				t.Fatalf("pixel %d of what is no face is %d", i, v)
			}
		}
	}
}

// The bytes are the same on every machine and from version to version.
func TestPrintedBytes(t *testing.T) {
	h := fnv.New64a()
	for seed := range uint64(20) {
		g := picturetest.Ramp(61, 43)
		printed(g, rand.New(rand.NewPCG(seed, 2)))
		h.Write(g.Pix)
	}
	if got, want := h.Sum64(), uint64(0x9ef335208871d30c); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

func TestPrintAndScanKeepsPictures(t *testing.T) {
	g := picturetest.Ramp(70, 50)
	for seed := range uint64(40) {
		s := image.NewGray(g.Rect)
		copy(s.Pix, g.Pix)
		PrintAndScan(s, rand.New(rand.NewPCG(seed, 2)))
		// The gradient remains: the bottom right is brighter than the top left.
		mean := func(r image.Rectangle) int {
			sum := 0
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					sum += int(s.GrayAt(x, y).Y)
				}
			}
			return sum / (r.Dx() * r.Dy())
		}
		if a, b := mean(image.Rect(0, 0, 20, 20)), mean(image.Rect(50, 30, 70, 50)); b < a+10 {
			t.Errorf("seed %d: from %d to %d", seed, a, b)
		}
	}
}

func TestSinCos(t *testing.T) {
	for x := -8.0; x < 8; x += 0.01 {
		s, c := sinCos(x)
		if math.Abs(s-math.Sin(x)) > 2e-15 || math.Abs(c-math.Cos(x)) > 2e-15 {
			t.Fatalf("%v: %v %v, want %v %v", x, s, c, math.Sin(x), math.Cos(x))
		}
	}
	if waves[0] != 1024 || waves[64] != 0 || waves[128] != -1024 || waves[192] != 0 {
		t.Error(waves)
	}
}

// stripes is a light picture with dark stripes, eight pixels wide.
func stripes(w, h int) *image.Gray {
	return picturetest.Grey(w, h, func(x, _ int) uint8 {
		if x%40 >= 16 && x%40 < 24 {
			return 90
		}
		return 180
	})
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
		even := picturetest.Even(160, 120, 60)
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
