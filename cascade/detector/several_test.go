package detector_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
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

// A detector of several cascades reports what each of them finds, each object
// once, with the best score.
func TestSeveral(t *testing.T) {
	c := opened(t)
	m := must.Get(c.Mirror())
	g := greyCopy(groupPicture(t))
	o := &detector.Options{MinNeighbors: 2}
	var single [][]detector.Detection
	for _, v := range []*cascade.Cascade{c, m} {
		d := must.Get(detector.New(o, v))
		found := must.Get(d.Detect(context.Background(), g))
		single = append(single, found)
	}
	d := must.Get(detector.New(o, c, m))
	found := must.Get(d.Detect(context.Background(), groupPicture(t)))
	covers := func(a, b image.Rectangle) bool {
		size := func(r image.Rectangle) int { return r.Dx() * r.Dy() }
		return 2*size(a.Intersect(b)) > min(size(a), size(b))
	}
	fromFirst, fromSecond := 0, 0
	for i, f := range found {
		if i > 0 && found[i-1].Score < f.Score {
			t.Errorf("detection %d, %v, is better than the one before", i, f)
		}
		first, second := slices.ContainsFunc(single[0], f.Equal), slices.ContainsFunc(single[1], f.Equal)
		if !first && !second {
			t.Errorf("%v is of neither member", f)
		}
		if first {
			fromFirst++
		} else {
			fromSecond++
		}
		// Only a better detection of another cascade drops one.
		for _, k := range found[:i] {
			if covers(k.Box, f.Box) && slices.ContainsFunc(single[0], k.Equal) != first {
				t.Errorf("%v and %v are the same object", k, f)
			}
		}
	}
	if fromFirst == 0 || fromSecond == 0 {
		t.Errorf("%d detections of one member and %d of the other: nothing is merged", fromFirst, fromSecond)
	}
	// A dropped detection overlaps a better one.
	for _, f := range slices.Concat(single...) {
		if !slices.ContainsFunc(found, f.Equal) && !slices.ContainsFunc(found, func(k detector.Detection) bool { return k.Score >= f.Score && covers(k.Box, f.Box) }) {
			t.Errorf("%v is left out", f)
		}
	}
	again, err := d.AppendDetect(context.Background(), found[:1:1], g)
	if err != nil || !slices.EqualFunc(again[1:], found, detector.Detection.Equal) {
		t.Errorf("AppendDetect: %d detections behind the one that was there (%v), want %d", len(again)-1, err, len(found))
	}
	// The order of cascades does not matter.
	one := must.Get(detector.New(o, c))
	if alone, err := one.Detect(context.Background(), g); err != nil || !slices.EqualFunc(alone, single[0], detector.Detection.Equal) {
		t.Errorf("one cascade finds %d, and %d before (%v)", len(alone), len(single[0]), err)
	}
	other := must.Get(detector.New(o, m, c))
	if swapped, err := other.Detect(context.Background(), g); err != nil || !slices.EqualFunc(swapped, found, detector.Detection.Equal) {
		t.Errorf("in the other order there are %d, want %d (%v)", len(swapped), len(found), err)
	}
}

// Parts of an image keep their coordinates, and only the region is searched.
func TestSeveralRegion(t *testing.T) {
	c := opened(t)
	m := must.Get(c.Mirror())
	whole := greyCopy(groupPicture(t))
	part := whole.SubImage(image.Rect(140, 160, 320, 300)).(*image.Gray)
	for _, region := range []image.Rectangle{{}, image.Rect(140, 170, 300, 290)} {
		found := func(g *image.Gray, region image.Rectangle) []detector.Detection {
			d := must.Get(detector.New(&detector.Options{Region: region, Workers: 2}, c, m))
			return detectIn(t, d, g)
		}
		searched := part.Rect
		if !region.Empty() {
			searched = region
		}
		if a, b := found(part, region), found(whole, searched); len(a) == 0 || !slices.EqualFunc(a, b, detector.Detection.Equal) {
			t.Errorf("region %v: %v, want %v", region, a, b)
		}
	}
}

func TestSeveralAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	c := opened(t)
	m, err := c.Mirror()
	if err != nil {
		t.Fatal(err)
	}
	d := must.Get(detector.New(&detector.Options{Workers: 1}, c, m))
	g := greyCopy(groupPicture(t)).SubImage(image.Rect(140, 160, 320, 300)).(*image.Gray)
	var dst []detector.Detection
	run := func() {
		if dst, err = d.AppendDetect(context.Background(), dst[:0], g); err != nil || len(dst) == 0 {
			t.Fatal(len(dst), err)
		}
	}
	for range 3 {
		run()
	}
	if n := testing.AllocsPerRun(10, run); n != 0 {
		t.Errorf("%v allocations a call, want none", n)
	}
}

func TestSeveralErrors(t *testing.T) {
	c, k := opened(t), opened(t)
	k.Calibration = &cascade.Calibration{Slope: 1}
	if _, err := detector.New(nil, c, k); !errors.Is(err, detector.ErrOptions) || !strings.Contains(err.Error(), "one is calibrated and one is not") {
		t.Errorf("one calibrated: %v", err)
	}
	if _, err := detector.New(nil, nil...); !errors.Is(err, detector.ErrOptions) {
		t.Errorf("no cascades: %v", err)
	}
	if _, err := detector.New(&detector.Options{Scale: 0.5}, c); !errors.Is(err, detector.ErrOptions) {
		t.Errorf("bad options: %v", err)
	}
	d := must.Get(detector.New(nil, c))
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if found, err := d.Detect(ctx, groupPicture(t)); !errors.Is(err, context.Canceled) || len(found) != 0 {
		t.Errorf("cancelled: %d, %v", len(found), err)
	}
}

func ExampleNew() {
	left, err := cascade.Open("../../internal/eval/testdata/hundred.cascade")
	if err != nil {
		panic(err)
	}
	right, err := left.Mirror()
	if err != nil {
		panic(err)
	}
	d, err := detector.New(nil, left, right)
	if err != nil {
		panic(err)
	}
	found, err := d.Detect(context.Background(), image.NewGray(image.Rect(0, 0, 640, 480)))
	if err != nil {
		panic(err)
	}
	fmt.Println(len(found), "found in an empty picture")
	// Output: 0 found in an empty picture
}
