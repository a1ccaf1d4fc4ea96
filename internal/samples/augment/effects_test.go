package augment

import (
	"bytes"
	"image"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/samples"
	"haarlem/internal/splitmix"
)

func TestParseJitter(t *testing.T) {
	for text, want := range map[string]Effects{
		"":                           {},
		"none":                       {},
		"default":                    Default,
		"press":                      OldPrint,
		"shift=0.05,scale=0.1":       {Shift: 0.05, Scale: 0.1},
		"all=1, hat=0.5":             {All: true, Hat: 0.5},
		Default.String():             Default,
		OldPrint.String() + ",all=1": func() Effects { j := OldPrint; j.All = true; return j }(),
		"default,gamma=3,cut=0":      func() Effects { j := Default; j.Gamma, j.Cut = 3, 0; return j }(),
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if again, err := Parse(got.String()); err != nil || again != got {
			t.Errorf("%q comes back as %v, %v", text, again, err)
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
