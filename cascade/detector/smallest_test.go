package detector_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

func opened(t *testing.T) *cascade.Cascade {
	t.Helper()
	return must.Get(cascade.Open("../../internal/eval/testdata/hundred.cascade"))
}

// A cascade's own factor between levels holds unless the options have one.
func TestScale(t *testing.T) {
	c, g := opened(t), greyCopy(groupPicture(t))
	search := func(scale float64) string {
		d := must.Get(detector.New(&detector.Options{Scale: scale, Ungrouped: true}, c))
		return fmt.Sprint(detectIn(t, d, g))
	}
	usual, wide := search(0), search(1.3)
	c.Search.Scale = 1.3
	if usual == wide || search(0) != wide || search(1.1) != usual {
		t.Error("Search.Scale is not the default of Options.Scale")
	}
	c.Search.Scale = 1
	if _, err := detector.New(nil, c); !errors.Is(err, cascade.ErrModel) {
		t.Errorf("a factor of 1: %v", err)
	}
}

// Smallest is the size of the smallest objects that a search finds.
func TestSmallest(t *testing.T) {
	c := opened(t) // 24x24
	for _, test := range []struct {
		o                detector.Options
		smallest, wanted int
		enlarge          float64
	}{
		{detector.Options{}, 24, 24, 1},
		{detector.Options{Enlarge: 2}, 12, 12, 2},
		{detector.Options{MinSize: image.Pt(24, 24)}, 24, 24, 1},
		{detector.Options{MinSize: image.Pt(60, 60)}, 62, 62, 1},
		{detector.Options{MinSize: image.Pt(60, 60), Enlarge: 2}, 62, 62, 1},
		{detector.Options{MinSize: image.Pt(23, 23)}, 24, 24, 1}, // no size lies there
		{detector.Options{MinSize: image.Pt(12, 12)}, 24, 12, 2},
		{detector.Options{MinSize: image.Pt(12, 20)}, 24, 20, 1.3},
		{detector.Options{MinSize: image.Pt(12, 12), Enlarge: 1.2}, 22, 12, 2},
		{detector.Options{MinSize: image.Pt(12, 12), Enlarge: 2}, 12, 12, 2},
		{detector.Options{MinSize: image.Pt(20, 20), Enlarge: 2}, 20, 20, 1.3},
		{detector.Options{MinSize: image.Pt(12, 12), Scale: 1.5}, 24, 16, 1.5},
		{detector.Options{MinSize: image.Pt(1, 1)}, 24, 3, 7.5},
	} {
		d := must.Get(detector.New(&test.o, c))
		smallest, wanted, enlarge := d.Smallest()
		if smallest != test.smallest || wanted != test.wanted || enlarge != test.enlarge {
			t.Errorf("%+v: smallest %d, wanted %d with %v; want %d, %d with %v", test.o, smallest, wanted, enlarge, test.smallest, test.wanted, test.enlarge)
		}
		if enlarge <= test.o.Enlarge || enlarge == 1 {
			// For a cascade that rejects nothing, every window is a candidate.
			all := *c
			all.Exits = []cascade.Exit{{After: len(c.Weak), Threshold: -1e9}}
			ds, err := newDetectorOf(t, &all, &detector.Options{
				Scale: test.o.Scale, MinSize: test.o.MinSize, Enlarge: test.o.Enlarge, MaxSize: image.Pt(70, 70), Ungrouped: true,
				Search: with(&all, func(s *cascade.Search) { s.Stride, s.Pad = 8, 0 }),
			}).Detect(context.Background(), groupPicture(t))
			if err != nil || len(ds) == 0 {
				t.Fatal(len(ds), err)
			}
			if lowest := slices.MinFunc(ds, func(a, b detector.Detection) int { return a.Box.Dx() - b.Box.Dx() }).Box.Dx(); lowest != smallest {
				t.Errorf("%+v: smallest %d, but a search finds some of %d", test.o, smallest, lowest)
			}
		}
	}
}

// Where no image is large enough, the result is arbitrary, but the call
// returns.
func TestSmallestOfNone(t *testing.T) {
	d := must.Get(detector.New(&detector.Options{MinSize: image.Pt(1, math.MaxInt)}, opened(t)))
	if smallest, wanted, enlarge := d.Smallest(); smallest < 1<<30 || wanted != smallest || enlarge != 1 {
		t.Errorf("smallest %d, wanted %d with %v", smallest, wanted, enlarge)
	}
}
