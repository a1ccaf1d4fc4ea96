package facemodel

import (
	"bytes"
	"context"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/samples"
)

// examples are faces drawn from the built-in model at known positions.
func examples(n int) []Example {
	rng := rand.New(rand.NewPCG(5, 5))
	out := make([]Example, n)
	for i := range out {
		f := Builtin().Draw(rng)
		g := image.NewGray(image.Rect(0, 0, 90, 90))
		for k := range g.Pix {
			g.Pix[k] = uint8(90 + k%90)
		}
		side := 40 + rng.IntN(15)
		at := image.Pt(15+rng.IntN(15), 22+rng.IntN(8))
		f.Paint(g, image.Rect(0, 0, side, side).Add(at))
		out[i].Grey = g
		for k, p := range f.Marks {
			out[i].Marks[k] = samples.Point{X: p.X*float64(side) + float64(at.X), Y: p.Y*float64(side) + float64(at.Y)}
		}
	}
	return out
}

func TestMake(t *testing.T) {
	all := examples(150)
	all[3].Marks[0], all[3].Marks[3] = all[3].Marks[3], all[3].Marks[0]        // no face
	all[4].Marks[2].X = math.NaN()                                             //
	all[5].Grey = image.NewGray(image.Rect(0, 0, 90, 90))                      // flat
	all[6].Grey = all[6].Grey.SubImage(image.Rect(0, 0, 40, 40)).(*image.Gray) // cut off
	for k := range all[7].Marks {                                              // small
		all[7].Marks[k].X /= 4
		all[7].Marks[k].Y /= 4
	}
	o := &MakeOptions{About: "drawn faces", Window: 16, Components: 20}
	m, report := must.Get2(Make(context.Background(), all, o))
	kept := report.Kept
	report.Kept = 0
	if want := (MakeReport{Used: 145, BadMarks: 2, Small: 1, CutOff: 1, Flat: 1}); *report != want {
		t.Errorf("%+v, want %+v", *report, want)
	}
	if kept < 0.7 || kept > 1 {
		t.Errorf("20 components keep %.2f of the variance", kept)
	}
	for i, p := range m.Marks() {
		want := Builtin().Marks()[i]
		if math.Hypot(p.X-want.X, p.Y-want.Y) > 0.02 {
			t.Errorf("mean mark %d is at %v, want about %v", i, p, want)
		}
	}
	// The mean face is that of the model that the faces come from.
	a, b := m.MeanFace().Window(24), Builtin().MeanFace().Window(24)
	var ab, aa, bb float64
	ma, _ := meanSD(a)
	mb, _ := meanSD(b)
	for i := range a.Pix {
		x, y := float64(a.Pix[i])-ma, float64(b.Pix[i])-mb
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if r := ab / math.Sqrt(aa*bb); r < 0.9 {
		t.Errorf("the mean faces correlate by %.2f only", r)
	}
	// It can be written, and workers have no effect.
	o.Workers = 3
	again, _, err := Make(context.Background(), all, o)
	if err != nil || !bytes.Equal(encode(t, m), encode(t, again)) {
		t.Error("three workers make another model", err)
	}
	if _, err := Read(bytes.NewReader(encode(t, m))); err != nil {
		t.Error(err)
	}
}

func TestMakeErrors(t *testing.T) {
	all := examples(21)
	all[0].Grey = image.NewGray(image.Rect(0, 0, 90, 90))
	all[1].Grey = image.NewGray(image.Rect(0, 0, 90, 90))
	_, _, err := Make(context.Background(), all, &MakeOptions{Window: 10})
	want := "facemodel: too few faces: 19 can be used, want 20 or more (0 with marks unlike a frontal face's, 0 too small, 0 cut off, 2 without contrast)"
	if !errors.Is(err, ErrExamples) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for want, o := range map[string]*MakeOptions{
		"facemodel: Window is 9, want 10 to 100":                       {Window: 9},
		"facemodel: Components is -1, want 1 to 1024":                  {Components: -1},
		"facemodel: About: a control character, want one line of text": {About: "two\nlines"},
	} {
		if _, _, err := Make(context.Background(), nil, o); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Make(ctx, examples(21), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Every window side gives a frame that files allow.
func TestFrames(t *testing.T) {
	for side := 10; side <= 100; side++ {
		if err := newFrame(side).checkFrame(); err != nil {
			t.Errorf("window %d: %v", side, err)
		}
	}
}
