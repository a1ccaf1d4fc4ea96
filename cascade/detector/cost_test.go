package detector_test

import (
	"context"
	"errors"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// referenceCost counts the work of referenceDetect.
func referenceCost(c *cascade.Cascade, g *image.Gray, s search) (engine.Cost, []int) {
	var n engine.Cost
	passed := make([]int, len(c.Exits))
	referenceVisits(c, g, s, func(_ float32, _, _, stage int, _ float64) {
		n.Windows++
		if stage < 0 {
			return
		}
		n.Contrast++
		for e := range stage {
			passed[e]++
		}
		n.Weak += c.Exits[min(stage, len(c.Exits)-1)].After
		if stage == len(c.Exits) {
			n.Candidates++
		}
	})
	return n, passed
}

// TestCost compares the counts with the reference's, for cascades and searches
// of all kinds.
func TestCost(t *testing.T) {
	var all engine.Cost
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 11))
		sh := randomShape(r)
		if seed%2 == 0 {
			sh = randomSoft(r)
		}
		c := randomCascade(r, sh)
		p := randomPicture(r, sh)
		s := randomSearch(r, p.w, p.h)
		s.windows = detector.WindowRule(r.IntN(3))
		s.refineX, s.refineY, s.interLevel = r.IntN(len(c.Exits)+1), r.IntN(len(c.Exits)+1), r.IntN(len(c.Exits)+1)
		s.denseFrom = max(0, 3*r.Float64()-1)
		s.pad = max(r.Float64()-0.5, 0)
		s.enlarge = 1 + float64(r.IntN(3))/2
		if runsOn(c) {
			c.Search.ScaleBias = randomScaleBias(r, c)
		}
		g := p.draw()
		d := must.Get(detector.New(&detector.Options{Scale: s.scale, MinSize: s.min, MaxSize: s.max, Enlarge: s.enlarge, Search: s.settings(c), Windows: s.windows}, c))
		got, passed := must.Get2(d.Engine().Cost(context.Background(), g))
		want, wantPassed := referenceCost(c, g, s)
		if got != want || !slices.Equal(passed, wantPassed) {
			t.Errorf("seed %d: %+v on %s with %+v: %+v, %v, want %+v, %v", seed, sh, p.name(), s, got, passed, want, wantPassed)
		}
		s.neighbors = 0
		if n := len(referenceDetect(c, g, s)); got.Candidates < n { // some may lie outside the image
			t.Errorf("seed %d: %d candidates, and %d rectangles", seed, got.Candidates, n)
		}
		all.Windows += got.Windows
		all.Contrast += got.Contrast
		all.Candidates += got.Candidates
	}
	if all.Candidates == 0 || all.Contrast == all.Windows {
		t.Errorf("%+v in all, so some counts prove nothing", all)
	}
}

func TestCostOfNothing(t *testing.T) {
	d := must.Get(detector.New(nil, barCascade()))
	for _, g := range []*image.Gray{{}, image.NewGray(image.Rect(0, 0, 1, 50)), image.NewGray(image.Rect(0, 0, 60, 60))} {
		n, _, err := d.Engine().Cost(context.Background(), g)
		if err != nil || n.Contrast != 0 || n.Weak != 0 || n.PerWindow() != 0 {
			t.Errorf("%v: %+v, %v; want no window with contrast", g.Rect, n, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := d.Engine().Cost(ctx, image.NewGray(image.Rect(0, 0, 60, 60))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
