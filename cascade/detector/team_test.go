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
)

func opened(t *testing.T) *cascade.Cascade {
	t.Helper()
	c, err := cascade.Open("../eval/testdata/hundred.cascade")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What a team says of the smallest objects is what searches find the smallest
// ones at.
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
		team, err := detector.New(&test.o, c)
		if err != nil {
			t.Fatal(err)
		}
		smallest, wanted, enlarge := team.Smallest()
		if smallest != test.smallest || wanted != test.wanted || enlarge != test.enlarge {
			t.Errorf("%+v: smallest %d, wanted %d with %v; want %d, %d with %v", test.o, smallest, wanted, enlarge, test.smallest, test.wanted, test.enlarge)
		}
		if enlarge <= test.o.Enlarge || enlarge == 1 {
			// Anything is a candidate for a cascade that rejects nothing.
			all := *c
			all.Exits = []cascade.Exit{{After: len(c.Weak), Threshold: -1e9}}
			ds, err := newDetectorOf(t, &all, &detector.Options{
				Scale: test.o.Scale, MinSize: test.o.MinSize, Enlarge: test.o.Enlarge, MaxSize: image.Pt(70, 70), Ungrouped: true,
				Search: with(&all, func(s *cascade.Search) { s.Stride, s.Pad = 8, 0 }),
			}).Detect(context.Background(), groupPicture(t))
			if err != nil || len(ds) == 0 {
				t.Fatal(len(ds), err)
			}
			if least := slices.MinFunc(ds, func(a, b detector.Detection) int { return a.Box.Dx() - b.Box.Dx() }).Box.Dx(); least != smallest {
				t.Errorf("%+v: smallest %d, but a search finds some of %d", test.o, smallest, least)
			}
		}
	}
}

// Where no picture is large enough the answer is some number, and there is one.
func TestSmallestOfNone(t *testing.T) {
	team, err := detector.New(&detector.Options{MinSize: image.Pt(1, math.MaxInt)}, opened(t))
	if err != nil {
		t.Fatal(err)
	}
	if smallest, wanted, enlarge := team.Smallest(); smallest < 1<<30 || wanted != smallest || enlarge != 1 {
		t.Errorf("smallest %d, wanted %d with %v", smallest, wanted, enlarge)
	}
}

// A team reports what its members find, each place once, by the best of them.
func TestTeam(t *testing.T) {
	c := opened(t)
	m, err := c.Mirror()
	if err != nil {
		t.Fatal(err)
	}
	g := greyCopy(groupPicture(t))
	o := &detector.Options{MinNeighbors: 2}
	var single [][]detector.Detection
	for _, v := range []*cascade.Cascade{c, m} {
		d, err := detector.New(o, v)
		if err != nil {
			t.Fatal(err)
		}
		found, err := d.Detect(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		single = append(single, found)
	}
	team, err := detector.New(o, c, m)
	if err != nil {
		t.Fatal(err)
	}
	found, err := team.Detect(context.Background(), groupPicture(t))
	if err != nil {
		t.Fatal(err)
	}
	covers := func(a, b image.Rectangle) bool {
		size := func(r image.Rectangle) int { return r.Dx() * r.Dy() }
		return 2*size(a.Intersect(b)) > min(size(a), size(b))
	}
	fromFirst, fromSecond := 0, 0
	for i, f := range found {
		if i > 0 && found[i-1].Score < f.Score {
			t.Errorf("detection %d, %v, is better than the one before", i, f)
		}
		first, second := slices.Contains(single[0], f), slices.Contains(single[1], f)
		if !first && !second {
			t.Errorf("%v is of neither member", f)
		}
		if first {
			fromFirst++
		} else {
			fromSecond++
		}
		// The first one is the better, and the drop is of another member's only.
		for _, k := range found[:i] {
			if covers(k.Box, f.Box) && slices.Contains(single[0], k) != first {
				t.Errorf("%v and %v are one place", k, f)
			}
		}
	}
	if fromFirst == 0 || fromSecond == 0 {
		t.Errorf("%d detections of one member and %d of the other: nothing is merged", fromFirst, fromSecond)
	}
	// What is left out is covered by something better.
	for _, f := range slices.Concat(single...) {
		if !slices.Contains(found, f) && !slices.ContainsFunc(found, func(k detector.Detection) bool { return k.Score >= f.Score && covers(k.Box, f.Box) }) {
			t.Errorf("%v is left out", f)
		}
	}
	again, err := team.AppendDetect(context.Background(), found[:1:1], g)
	if err != nil || !slices.Equal(again[1:], found) {
		t.Errorf("AppendDetect: %d detections behind the one that was there (%v), want %d", len(again)-1, err, len(found))
	}
	// A team of one is its member, and the order of members does not matter.
	one, err := detector.New(o, c)
	if err != nil {
		t.Fatal(err)
	}
	if alone, err := one.Detect(context.Background(), g); err != nil || !slices.Equal(alone, single[0]) {
		t.Errorf("a team of one finds %d, its member %d (%v)", len(alone), len(single[0]), err)
	}
	other, err := detector.New(o, m, c)
	if err != nil {
		t.Fatal(err)
	}
	if swapped, err := other.Detect(context.Background(), g); err != nil || !slices.Equal(swapped, found) {
		t.Errorf("in the other order the team finds %d, want %d (%v)", len(swapped), len(found), err)
	}
}

// Parts of a picture keep their coordinates, and a region is kept to.
func TestTeamPlaces(t *testing.T) {
	part := greyCopy(groupPicture(t)).SubImage(image.Rect(140, 160, 320, 300)).(*image.Gray)
	for _, region := range []image.Rectangle{{}, image.Rect(140, 170, 300, 290)} {
		o := &detector.Options{Region: region, Workers: 2}
		team, err := detector.New(o, opened(t))
		if err != nil {
			t.Fatal(err)
		}
		d, err := detector.New(o, opened(t))
		if err != nil {
			t.Fatal(err)
		}
		a, err1 := team.Detect(context.Background(), part)
		b, err2 := d.Detect(context.Background(), part)
		if err := errors.Join(err1, err2); err != nil || len(a) == 0 || !slices.Equal(a, b) {
			t.Errorf("region %v: %v, want %v (%v)", region, a, b, err)
		}
	}
}

func TestTeamAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	c := opened(t)
	m, err := c.Mirror()
	if err != nil {
		t.Fatal(err)
	}
	team, err := detector.New(&detector.Options{Workers: 1}, c, m)
	if err != nil {
		t.Fatal(err)
	}
	g := greyCopy(groupPicture(t)).SubImage(image.Rect(140, 160, 320, 300)).(*image.Gray)
	var dst []detector.Detection
	run := func() {
		if dst, err = team.AppendDetect(context.Background(), dst[:0], g); err != nil || len(dst) == 0 {
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

func TestTeamErrors(t *testing.T) {
	c, k := opened(t), opened(t)
	k.Calibration = &cascade.Calibration{Slope: 1}
	if _, err := detector.New(nil, c, k); !errors.Is(err, detector.ErrOptions) || !strings.Contains(err.Error(), "one is calibrated and one is not") {
		t.Errorf("one calibrated: %v", err)
	}
	if _, err := detector.New(nil, nil...); !errors.Is(err, detector.ErrOptions) {
		t.Errorf("nobody: %v", err)
	}
	if _, err := detector.New(&detector.Options{Scale: 0.5}, c); !errors.Is(err, detector.ErrOptions) {
		t.Errorf("bad options: %v", err)
	}
	team, err := detector.New(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if found, err := team.Detect(ctx, groupPicture(t)); !errors.Is(err, context.Canceled) || len(found) != 0 {
		t.Errorf("cancelled: %d, %v", len(found), err)
	}
}

func ExampleNew() {
	left, err := cascade.Open("../eval/testdata/hundred.cascade")
	if err != nil {
		panic(err)
	}
	right, err := left.Mirror()
	if err != nil {
		panic(err)
	}
	team, err := detector.New(nil, left, right)
	if err != nil {
		panic(err)
	}
	found, err := team.Detect(context.Background(), image.NewGray(image.Rect(0, 0, 640, 480)))
	if err != nil {
		panic(err)
	}
	fmt.Println(len(found), "found in an empty picture")
	// Output: 0 found in an empty picture
}
