package detector_test

import (
	"context"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/cpu"
	"haarlem/internal/engine"
	"haarlem/internal/must"
	"haarlem/models/frontalfaceopen"
)

// Pixel noise is weaker in images that are halved before they are scaled, so
// noisy faces look more like those in training.
func TestPrefilter(t *testing.T) {
	c := bareFace(t)
	plain := greyCopy(group())
	const times = 3
	rng := rand.New(rand.NewPCG(1, 1))
	b := plain.Rect
	g := image.NewGray(image.Rect(0, 0, b.Dx()*times, b.Dy()*times))
	for y := range g.Rect.Dy() {
		for x := range g.Rect.Dx() {
			v := int(plain.GrayAt(b.Min.X+x/times, b.Min.Y+y/times).Y) + rng.IntN(121) - 60
			g.Pix[y*g.Stride+x] = uint8(min(max(v, 0), 255))
		}
	}
	if testing.Short() {
		g = g.SubImage(image.Rect(300, 150, 1260, 900)).(*image.Gray)
	}
	found := map[float64]int{}
	for _, c.Search.PrefilterFrom = range []float64{0, 1.5} {
		for _, w := range windowsIn(t, c, g, detector.Options{MinSize: image.Pt(100, 100)}) {
			found[c.Search.PrefilterFrom]++
			if want := c.Search.PrefilterFrom > 0; want != (w.Halved > 0) || want && float64(w.Box.Dx())/float64(c.Width)/math.Exp2(float64(w.Halved)) > 1.6 {
				t.Errorf("%v: halved %d times", w.Box, w.Halved)
			}
		}
	}
	if found[1.5] < 2*found[0] || found[1.5] < 20 {
		t.Errorf("%d windows pass in noise, and %d that is halved: want many more", found[0], found[1.5])
	}
}

// With several angles no level is searched whole for its size. The cascade's own settings
// apply where the options have none, and only there.
func TestDenseFrom(t *testing.T) {
	c := must.Get(cascade.Open("testdata/parity/upright-stumps.xml"))
	visits := func(s *cascade.Search) int {
		return must.Get(detector.New(&detector.Options{Search: s}, c)).Engine().Visits(640, 480)
	}
	all, some := visits(nil), visits(&cascade.Search{InterLevel: 1})
	fewer := visits(&cascade.Search{InterLevel: 1, DenseFrom: 1.5})
	if !(some < fewer && fewer < all) {
		t.Fatalf("%d windows on levels searched whole, %d with those from 1.5 on, %d of %d on all", some, fewer, fewer, all)
	}
	atAngles := func(from float64) int {
		o := &detector.Options{Search: &cascade.Search{InterLevel: 1, DenseFrom: from}, Angles: []float64{0, 90}}
		return must.Get(detector.New(o, c)).Engine().Visits(640, 480)
	}
	if got, want := atAngles(1.5), atAngles(0); got != want || got >= some {
		t.Errorf("at several angles %d windows, want %d, fewer than %d", got, want, some)
	}
	c.Search.InterLevel, c.Search.DenseFrom = 1, 1.5
	for _, test := range []struct {
		search *cascade.Search
		want   int
	}{
		{nil, fewer},
		{with(c, func(s *cascade.Search) { s.DenseFrom = 0 }), some},
		{with(c, func(s *cascade.Search) { s.DenseFrom = 1 }), all},
		{&cascade.Search{InterLevel: 1}, some},
		{&cascade.Search{}, all},
	} {
		if got := visits(test.search); got != test.want {
			t.Errorf("%+v: %d windows, want %d", test.search, got, test.want)
		}
	}
}

// bareFace returns the cascade of frontalface-open with a stride of 2 and no other settings,
// without its network.
func bareFace(t *testing.T) *cascade.Cascade {
	t.Helper()
	c := must.Get(frontalfaceopen.Cascade())
	c.Search, c.Network = cascade.Search{Stride: 2}, nil
	return c
}

// windowsIn returns the windows of g that pass c.
func windowsIn(t *testing.T, c *cascade.Cascade, g *image.Gray, o detector.Options) []engine.Window {
	t.Helper()
	return must.Get(must.Get(detector.New(&o, c)).Engine().AppendWindows(context.Background(), nil, g))
}

// TestWindowsOfReference: a real cascade's windows are those of the reference, with their
// margins, for any number of workers and on every CPU level: on any grid and off it, on
// levels between others, beyond the edge, halved, and with scores ahead. The picture is
// too large for one band, and several workers divide it in other ways than one does.
func TestWindowsOfReference(t *testing.T) {
	c := bareFace(t)
	exits := len(c.Exits)
	c.Exits[exits-1].Threshold += 2.5                          // few adjacent windows pass, and many off the grid do
	g := cut(greyCopy(group()), image.Rect(76, 190, 800, 400)) // through a face
	if testing.Short() {
		g = cut(g, image.Rect(0, 10, 300, 210))
	}
	larger := image.Pt(30, 30)
	ahead := cascade.ScaleBias{PerOctave: 1.3, From: 1.5, Max: 0.9}
	var off, beyond, halved, above, below int
	for _, test := range []struct {
		search
		bias      cascade.ScaleBias
		prefilter float64
	}{
		{search: search{scale: 1.3, stride: 2, pad: 0.25, refineX: 150}},
		{search: search{scale: 1.2, stride: 2, pad: 0.25, refineY: 150}, bias: ahead},
		{search: search{scale: 1.3, stride: 2, pad: 0.35, refineX: 30, refineY: 400}},
		{search: search{scale: 1.2, stride: 2, refineX: 400, refineY: 30}, prefilter: 1.3},
		{search: search{scale: 1.3, refineX: 600, refineY: exits}},
		{search: search{scale: 1.4, stride: 1, pad: 0.35, refineX: 30, refineY: 30}}, // off which grid there is nothing
		{search: search{scale: 1.2, stride: 3, pad: 0.35, refineX: 30, refineY: 30}},
		{search: search{scale: 1.2, stride: 5, pad: 0.35}, bias: ahead},
		{search: search{scale: 1.1, stride: 2, interLevel: 300, pad: 0.25, min: larger}, bias: ahead},
		{search: search{scale: 1.1, stride: 2, interLevel: 40, min: larger}, prefilter: 1.75},
		{search: search{scale: 1.05, stride: 2, interLevel: exits, min: larger}},
		{search: search{scale: 1.118, stride: 2, interLevel: 600, pad: 0.4, min: larger}}, // every second level is dense
		{search: search{scale: 1.119, stride: 2, interLevel: 600, min: larger}},           // all are
	} {
		c.Search.ScaleBias, c.Search.PrefilterFrom = test.bias, test.prefilter
		var want []engine.Window
		referenceVisits(c, g, test.search, func(f float32, x, y, stage int, margin float64) {
			if stage < exits {
				return
			}
			w := engine.Window{Margin: margin, Start: refStart(c, f), At: image.Pt(x, y)}
			w.Box = image.Rect(0, 0, refRound32(24*f), refRound32(24*f)).Add(image.Pt(refRound32(float32(x)*f), refRound32(float32(y)*f)))
			w.Size = image.Pt(refRound32(float32(g.Rect.Dx())/f), refRound32(float32(g.Rect.Dy())/f))
			for left := float64(f); test.prefilter > 0 && left >= test.prefilter; left /= 2 {
				w.Halved++
			}
			want = append(want, w)
		})
		for _, w := range want {
			for n, ok := range map[*int]bool{&off: test.stride == 2 && w.At.X%2 != 0, &beyond: w.At.X < 0, &halved: w.Halved > 1, &above: w.Start > 0, &below: w.Start < 0} {
				if ok {
					*n++
				}
			}
		}
		for _, level := range cpu.Available() {
			restore := &undo{T: t}
			cpu.ForTest(restore, level)
			for _, workers := range []int{1, 7} {
				got := must.Get(detectorFor(t, c, test.search, workers).Engine().AppendWindows(t.Context(), nil, g))
				if len(want) < 10 || !slices.Equal(got, want) {
					t.Errorf("%+v, %v, %d workers: %d windows, want %d of 10 and more", test, level, workers, len(got), len(want))
				}
			}
			restore.run()
		}
	}
	if min(off, beyond, halved, above) < 100 || below == 0 && !testing.Short() {
		t.Errorf("%d windows off their grid, %d beyond the edge, %d halved twice, %d ahead, %d behind: that proves little", off, beyond, halved, above, below)
	}
}

// cut is a part of a picture, with its corner at (0, 0).
func cut(g *image.Gray, r image.Rectangle) *image.Gray {
	part := g.SubImage(r).(*image.Gray)
	part.Rect = part.Rect.Sub(r.Min)
	return part
}

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

// Windows are the ungrouped detections. The outputs for the pixels of one, in pictures
// that are halved too, add up to the margin that the search found; without contrast there
// are none.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	passed, halved, flat := 0, 0, 0
	for i := range 40 {
		c := randomCascade(rng, randomSoft(rng))
		if i%2 == 1 {
			c.Search.PrefilterFrom = 1.3
		}
		g := noise(rng, image.Rect(0, 0, c.Width+rng.IntN(60), c.Height+rng.IntN(60)))
		for _, stride := range []int{1, 3} {
			d := must.Get(detector.New(&detector.Options{Ungrouped: true, Search: &cascade.Search{Stride: stride, Pad: rng.Float64() / 2, PrefilterFrom: c.Search.PrefilterFrom}, Windows: detector.WindowsAll, Scale: 1.3}, c))
			found := must.Get(d.Detect(context.Background(), g))
			windows := must.Get(d.Engine().AppendWindows(context.Background(), nil, g))
			if len(windows) != len(found) {
				t.Fatalf("%d windows, %d detections", len(windows), len(found))
			}
			if n := d.Engine().Visits(g.Rect.Dx(), g.Rect.Dy()); n < len(windows) || n == 0 {
				t.Errorf("%d windows of %d", len(windows), n)
			}
			pixels, weak := image.NewGray(image.Rect(0, 0, c.Width, c.Height)), must.Get(engine.NewOutputs(c))
			if a, ok := weak.Append(nil, pixels, 0); c.Kind == cascade.Haar {
				if flat++; ok || a != nil {
					t.Errorf("outputs %v of black, contrast %v, want none", a, ok)
				}
			}
			passed += len(windows)
			for _, w := range windows {
				halved += w.Halved
				engine.CutWindow(pixels, g, w)
				outputs, ok := weak.Append(nil, pixels, 0)
				if !ok || len(outputs) != len(c.Weak) {
					t.Fatalf("%d outputs of %d weak classifiers, contrast %v", len(outputs), len(c.Weak), ok)
				}
				margin, from := 0.0, 0
				score := 0.0
				for _, x := range c.Exits {
					for _, a := range outputs[from:x.After] {
						score += float64(a)
					}
					from = x.After
					margin = score - float64(x.Threshold)
					if margin < 0 {
						t.Fatalf("window %+v does not pass the exit after %d", w, x.After)
					}
					if x.Restart {
						score = 0
					}
				}
				if margin != w.Margin {
					t.Fatalf("window %+v: margin %v of its pixels, want %v", w, margin, w.Margin)
				}
			}
		}
	}
	if min(passed, halved, flat) < 10 {
		t.Errorf("%d windows passed, halved %d times; %d were flat", passed, halved, flat)
	}
}

// Windows and groups are the two halves of a detection.
func TestWindowsThenGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	total := 0
	for i := range 40 {
		c := randomCascade(rng, randomSoft(rng))
		all := noise(rng, image.Rect(5, 7, 5+c.Width+rng.IntN(60), 7+c.Height+rng.IntN(60)))
		d := must.Get(detector.New(&detector.Options{MinNeighbors: 1 + i%3, Scale: 1.2}, c))
		want := must.Get(d.AppendDetect(context.Background(), nil, all))
		ws := must.Get(d.Engine().AppendWindows(context.Background(), nil, all))
		if got := d.GroupsOf(ws, all); !slices.EqualFunc(got, want, detector.Detection.Equal) {
			t.Fatalf("groups %v, want %v", got, want)
		}
		total += len(want)
	}
	if total < 20 {
		t.Errorf("%d detections: nothing is tested", total)
	}
}
