package detector_test

import (
	"errors"
	"image"
	"math"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// MinCandidates and MinScore are the cascade's, unless the options override
// them, and are kept in files.
func TestNeedsOfCascade(t *testing.T) {
	c := must.Get(cascade.Open("testdata/parity/upright-stumps.xml"))
	g := picture{"faces", 640, 480, 5}.draw()
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
