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
	"haarlem/internal/engine"
	"haarlem/internal/must"
	"haarlem/models/face"
	"haarlem/models/facefast"
)

// MinCandidates and MinScore are the cascade's, unless the options override
// them, and are kept in files.
func TestNeedsOfCascade(t *testing.T) {
	c := must.Get(cascade.Open("testdata/parity/upright-stumps.xml"))
	g := picture{"faces", 400, 300, 5}.draw()
	find := func(o detector.Options) []detector.Detection {
		d := must.Get(detector.New(&o, c))
		return detectIn(t, d, g)
	}
	three, all, seven := find(detector.Options{}), find(detector.Options{Search: with(c, func(s *cascade.Search) { s.MinCandidates = 1 })}), find(detector.Options{MinNeighbors: 7})
	if !(len(all) > len(three) && len(three) > len(seven) && len(seven) > 0) || !slices.EqualFunc(three, find(detector.Options{MinNeighbors: 3}), detector.Detection.Equal) {
		t.Fatalf("%d detections in all, %d with more than 3 neighbours, %d with more than 7: want different numbers", len(all), len(three), len(seven))
	}
	for candidates, want := range map[int][]detector.Detection{0: three, 1: all, 4: three, 8: seven} {
		c.Search.MinCandidates = candidates
		if got := find(detector.Options{}); !slices.EqualFunc(got, want, detector.Detection.Equal) {
			t.Errorf("MinCandidates %d: %d detections, want %d", candidates, len(got), len(want))
		}
		if got := find(detector.Options{MinNeighbors: 7}); !slices.EqualFunc(got, seven, detector.Detection.Equal) {
			t.Errorf("MinCandidates %d: %d detections with 7 in the options, want %d", candidates, len(got), len(seven))
		}
	}
	c.Search.MinCandidates = 1
	middle := all[len(all)/2].Score
	c.Search.MinScore = middle
	n := slices.IndexFunc(all, func(d detector.Detection) bool { return d.Score < middle })
	if got := find(detector.Options{}); n < 1 || !slices.EqualFunc(got, all[:n], detector.Detection.Equal) {
		t.Errorf("least score %v: %d detections, want %d", middle, len(got), n)
	}
	if got := find(detector.Options{Search: with(c, func(s *cascade.Search) { s.MinScore = 0 })}); !slices.EqualFunc(got, all, detector.Detection.Equal) {
		t.Errorf("least score %v, any in the options: %d detections, want %d", middle, len(got), len(all))
	}

	single := find(detector.Options{Ungrouped: true, Search: with(c, func(s *cascade.Search) { s.MinScore = 0 })})
	if got := find(detector.Options{Ungrouped: true}); !slices.EqualFunc(got, single, detector.Detection.Equal) || len(got) <= len(all) {
		t.Errorf("%d candidates by default, %d with any score, %d groups", len(got), len(single), len(all))
	}
}

// An invalid setting is the model's fault or the options', by where it stands.
func TestSearchOutOfBounds(t *testing.T) {
	c := must.Get(cascade.Open("testdata/parity/upright-stumps.xml"))
	for _, wrong := range []cascade.Search{
		{RefineX: -2}, {RefineY: len(c.Exits) + 1}, {InterLevel: len(c.Exits) + 1}, {InterLevel: 1, DenseFrom: math.NaN()},
		{Pad: -0.1}, {Pad: 0.6}, {PrefilterFrom: 1}, {MinCandidates: -1}, {MinScore: -0.5},
	} {
		if _, err := detector.New(&detector.Options{Search: &wrong}, c); !errors.Is(err, detector.ErrOptions) {
			t.Errorf("options %+v: %v", wrong, err)
		}
		m := *c
		m.Search = wrong
		if _, err := detector.New(nil, &m); !errors.Is(err, cascade.ErrModel) {
			t.Errorf("a model with %+v: %v", wrong, err)
		}
	}
}

// Where the score runs on, of two overlapping groups the one with the better
// score is reported, however many candidates it has.
func TestBestGroupStays(t *testing.T) {
	c := must.Get(cascade.Open("testdata/parity/upright-stumps.xml"))
	c.Exits = []cascade.Exit{{After: len(c.Weak)}} // no restart: a score that runs on
	d := must.Get(detector.New(&detector.Options{Search: &cascade.Search{MinCandidates: 1}}, c))
	window := func(x, y, side int, margin float64) engine.Window {
		return engine.Window{Box: image.Rect(x, y, x+side, y+side), Margin: margin}
	}
	var ws []engine.Window
	for i := range 9 { // many weak ones, large
		ws = append(ws, window(100+i%3, 100+i/3, 60, 1))
	}
	ws = append(ws, window(112, 112, 34, 5)) // one strong one inside
	ws = append(ws, window(300, 100, 40, 0.5))
	got := d.GroupsOf(ws, &image.Gray{Rect: image.Rect(0, 0, 400, 300)})
	if len(got) != 2 || got[0].Box != image.Rect(112, 112, 146, 146) || got[0].Score != 5 || got[1].Box != image.Rect(300, 100, 340, 140) {
		t.Errorf("%v, want the strong window and the isolated one", got)
	}
	ws[9].Margin = 1.5 // the 4-norm of nine ones is 1.73
	if got := d.GroupsOf(ws, &image.Gray{Rect: image.Rect(0, 0, 400, 300)}); len(got) != 2 || got[0].Neighbors != 9 || got[0].Score < 1.73 || got[0].Score > 1.74 {
		t.Errorf("%v, want the many windows first", got)
	}
}

// Enlarge has bounds, and so has what it makes of a picture. TestSmallest holds what it
// finds, and TestAgainstReference where.
func TestEnlarge(t *testing.T) {
	c := opened(t)
	for _, bad := range []float64{0.5, -1, 8.5, math.NaN(), math.Inf(1)} {
		if _, err := detector.New(&detector.Options{Enlarge: bad}, c); !errors.Is(err, detector.ErrOptions) {
			t.Errorf("Enlarge %v: %v", bad, err)
		}
	}
	// The limit is on the size of the enlarged image. This one takes no memory.
	huge := &image.Gray{Rect: image.Rect(0, 0, 1<<15, 1<<13)}
	huge.Pix = make([]byte, 1<<15)
	d := must.Get(detector.New(&detector.Options{Enlarge: 4}, c))
	if _, err := d.AppendDetect(context.Background(), nil, huge); !errors.Is(err, detector.ErrImageTooLarge) {
		t.Errorf("4 times %v: %v", huge.Rect, err)
	}
	if _, _, err := d.Engine().Cost(context.Background(), huge); !errors.Is(err, detector.ErrImageTooLarge) {
		t.Errorf("the cost of 4 times %v: %v", huge.Rect, err)
	}
}

// A face of which nearly a third is cut off is found with Pad only, and the box
// ends at the edge. Options override the cascade's own setting.
func TestPadFace(t *testing.T) {
	g := greyCopy(group())
	c := must.Get(facefast.Router())
	face := slices.MinFunc(detectIn(t, newDetector(t, nil), g), func(a, b detector.Detection) int { return a.Box.Min.X - b.Box.Min.X }).Box
	g = g.SubImage(image.Rect(face.Min.X+face.Dx()*3/10, 0, g.Rect.Max.X, g.Rect.Max.Y)).(*image.Gray)
	for _, test := range []struct {
		model, option float64 // an option below 0 is none
		angles        []float64
		want          bool
	}{
		{0, -1, nil, false},
		{0, 0.35, nil, true},
		{0.35, -1, nil, true},
		{0.35, 0, nil, false},
		{0.05, 0.35, nil, true},
		{0, 0.35, []float64{8}, true},
		{0, 0.35, []float64{0, 8}, true},
	} {
		c.Search.Pad = test.model
		o := &detector.Options{Angles: test.angles}
		if test.option >= 0 {
			o.Search = with(c, func(s *cascade.Search) { s.Pad = test.option })
		}
		found := detectIn(t, must.Get(detector.New(o, c)), g)
		atEdge := 0
		for _, d := range found {
			if !d.Box.In(g.Rect) {
				t.Errorf("%+v: %v goes beyond %v", test, d.Box, g.Rect)
			}
			// All of the face's height, and the rest of its width.
			if b := d.Box; b.Min.X == g.Rect.Min.X && b.Overlaps(face.Inset(face.Dx()/4)) && 10*b.Dx() < 9*b.Dy() {
				atEdge++
			}
		}
		if (atEdge == 1) != test.want || atEdge > 1 {
			t.Errorf("%+v: %d faces at the edge in %v", test, atEdge, found)
		}
	}
}

func opened(t *testing.T) *cascade.Cascade {
	t.Helper()
	return must.Get(cascade.Open("../../internal/eval/testdata/hundred.cascade"))
}

// A cascade's own factor between levels holds unless the options have one.
func TestScale(t *testing.T) {
	c, g := opened(t), greyCopy(group())
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
	part := greyCopy(group()).SubImage(image.Rect(100, 50, 300, 200))
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
			ds, err := must.Get(detector.New(&detector.Options{
				Scale: test.o.Scale, MinSize: test.o.MinSize, Enlarge: test.o.Enlarge, MaxSize: image.Pt(70, 70), Ungrouped: true,
				Search: with(&all, func(s *cascade.Search) { s.Stride, s.Pad = 8, 0 }),
			}, &all)).Detect(context.Background(), part)
			if err != nil || len(ds) == 0 {
				t.Fatal(len(ds), err)
			}
			if lowest := slices.MinFunc(ds, func(a, b detector.Detection) int { return a.Box.Dx() - b.Box.Dx() }).Box.Dx(); lowest != smallest {
				t.Errorf("%+v: smallest %d, but a search finds some of %d", test.o, smallest, lowest)
			}
		}
	}
}

// With a network, which corrects boxes, levels are far apart, and begin with MinSize.
func TestSmallestWithNetwork(t *testing.T) {
	c := must.Get(face.Cascade())                                             // 16x16
	c.Weak, c.Exits = c.Weak[:1], []cascade.Exit{{After: 1, Threshold: -1e9}} // every window is a candidate
	g := greyCopy(group()).SubImage(image.Rect(100, 50, 200, 150)).(*image.Gray)
	for _, test := range []struct {
		min, smallest, wanted int
		enlarge, wantEnlarge  float64
	}{{0, 16, 16, 1, 1}, {0, 8, 8, 2, 2}, {60, 60, 60, 2, 1}, {12, 16, 12, 1, 1.4}, {12, 12, 12, 2, 1.4}, {1, 16, 2, 1, 8}} {
		o := detector.Options{MinSize: image.Pt(test.min, test.min), Enlarge: test.enlarge}
		d := must.Get(detector.New(&o, c))
		if smallest, wanted, enlarge := d.Smallest(); smallest != test.smallest || wanted != test.wanted || enlarge != test.wantEnlarge {
			t.Errorf("%+v: smallest %d, wanted %d with %v", test, smallest, wanted, enlarge)
		}
		if ws := windowsIn(t, c, g, o); len(ws) == 0 || ws[0].Box.Dx() != test.smallest {
			t.Errorf("%+v: %d windows, and not from that size on", test, len(ws))
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
