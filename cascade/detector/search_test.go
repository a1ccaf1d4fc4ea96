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
	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// Pixel noise is weaker in images that are halved before they are scaled, so
// noisy faces look more like those in training.
func TestPrefilter(t *testing.T) {
	c, _ := bareFace(t)
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

// The pixels of a window are those that the detector used, also in images with
// an odd width or height.
func TestPrefilteredWindows(t *testing.T) {
	c, _ := bareFace(t)
	c.Search.PrefilterFrom = 1.3
	c.Exits, c.Weak = c.Exits[:30], c.Weak[:c.Exits[29].After]
	g := image.NewGray(image.Rect(3, 5, 3+301, 5+203))
	rng := rand.New(rand.NewPCG(2, 1))
	for i := range g.Pix {
		g.Pix[i] = uint8(rng.Uint32()>>25) + uint8(i%g.Stride/16*16%128)
	}
	windows := windowsIn(t, c, g, detector.Options{Scale: 1.3, Search: with(c, func(s *cascade.Search) { s.Pad = 0.2 })})
	times := map[int]int{}
	weak := must.Get(engine.NewOutputs(c))
	pixels := image.NewGray(image.Rect(0, 0, c.Width, c.Height))
	for _, w := range windows {
		times[w.Halved]++
		engine.CutWindow(pixels, g, w)
		outputs, _ := weak.Append(nil, pixels, 0)
		sum := 0.0
		for _, a := range outputs {
			sum += float64(a)
		}
		if margin := sum - float64(c.Exits[29].Threshold); margin != w.Margin {
			t.Fatalf("window %+v: margin %v of its pixels, want %v", w, margin, w.Margin)
		}
	}
	if len(times) < 3 {
		t.Errorf("windows by how often the picture was halved: %v", times)
	}
}

// Windows of levels that are not dense are those of a dense search of all levels with a
// stride of 1 that are nearest to a survivor of the grid on a neighbouring dense level.
func TestInterLevel(t *testing.T) {
	c, windows := bareFace(t)
	size := image.Pt(800, 320)
	if testing.Short() {
		size = image.Pt(320, 250)
	}
	for _, test := range []struct {
		scale             float64
		interLevel, every int
		pad               float64
	}{{1.1, len(c.Exits), 2, 0}, {1.1, 300, 2, 0.25}, {1.1, 40, 2, 0}, {1.05, len(c.Exits), 4, 0}, {1.118, 600, 2, 0.4}, {1.119, 600, 1, 0}, {1.3, 600, 1, 0}} {
		search := detector.Options{Scale: test.scale}
		c.Search.Pad = test.pad
		far := windows(begun(c, test.interLevel), search)

		// The size of a level tells its number.
		number, factors := map[image.Point]int{}, []float64{}
		for f := 1.0; math.Round(24*f) <= float64(min(size.X, size.Y)); f *= test.scale {
			number[image.Pt(int(math.RoundToEven(float64(size.X)/f)), int(math.RoundToEven(float64(size.Y)/f)))] = len(factors)
			factors = append(factors, float64(float32(f)))
		}
		type position struct {
			level int
			at    image.Point
		}
		near := map[position]bool{}
		for _, w := range far {
			k := number[w.Size]
			if k%test.every != 0 {
				continue
			}
			for i := max(k-test.every+1, 0); i < min(k+test.every, len(factors)); i++ {
				on := func(v int) int { return int(math.RoundToEven((float64(v)+12)*factors[k]/factors[i] - 12)) }
				for n := range 9 {
					near[position{i, image.Pt(on(w.At.X)+n%3-1, on(w.At.Y)+n/3-1)}] = true
				}
			}
		}
		want := slices.DeleteFunc(windows(c, search), func(w engine.Window) bool { return number[w.Size]%test.every != 0 })
		whole := len(want)
		all := search
		// Padding is a multiple of the stride, here of that of the other search too.
		all.Search = with(c, func(s *cascade.Search) { s.Stride, s.Pad = 1, float64(int(test.pad*24)/2*2)/24 })
		for _, w := range windows(c, all) {
			if k := number[w.Size]; k%test.every != 0 && near[position{k, w.At}] {
				want = append(want, w)
			}
		}
		if whole < 50 || test.every > 1 && len(want) < 2*whole {
			t.Fatalf("%+v: %d windows of %d levels pass, %d with those of inter-level search: too few to test anything", test, whole, len(factors), len(want))
		}
		inOrder := func(ws []engine.Window) []engine.Window {
			slices.SortFunc(ws, func(a, b engine.Window) int {
				if a.Size != b.Size {
					return b.Size.X - a.Size.X
				}
				if a.At.Y != b.At.Y {
					return a.At.Y - b.At.Y
				}
				return a.At.X - b.At.X
			})
			return ws
		}
		want = inOrder(want)
		o := search
		for _, o.Workers = range []int{1, 2, 7} {
			o.Search = with(c, func(s *cascade.Search) { s.InterLevel = test.interLevel })
			if got := windows(c, o); !slices.Equal(got, want) {
				t.Errorf("%+v with %d workers: %d windows, want %d", test, o.Workers, len(got), len(want))
			}

		}
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

// bareFace returns the cascade of frontalface with a stride of 2 and no other settings,
// without a verifier, and a function that returns the windows of a picture that pass a
// cascade.
func bareFace(t *testing.T) (*cascade.Cascade, func(*cascade.Cascade, detector.Options) []engine.Window) {
	t.Helper()
	c := must.Get(cascade.Open("../../models/frontalface/frontalface.cascade"))
	c.Search.Stride, c.Search.RefineX, c.Search.RefineY, c.Search.InterLevel, c.Search.DenseFrom, c.Search.Pad, c.Verifier = 2, 0, 0, 0, 0, 0, nil
	c.Search.ScaleBias, c.Search.PrefilterFrom = cascade.ScaleBias{}, 0
	part := image.Rect(0, 40, 800, 360)
	if testing.Short() {
		part = image.Rect(100, 50, 420, 300)
	}
	g := greyCopy(group()).SubImage(part).(*image.Gray)
	return c, func(c *cascade.Cascade, o detector.Options) []engine.Window {
		t.Helper()
		return windowsIn(t, c, g, o)
	}
}

// windowsIn returns the windows of g that pass c.
func windowsIn(t *testing.T, c *cascade.Cascade, g *image.Gray, o detector.Options) []engine.Window {
	t.Helper()
	return must.Get(must.Get(detector.New(&o, c)).Engine().AppendWindows(context.Background(), nil, g))
}

// begun returns the cascade of c's first exits.
func begun(c *cascade.Cascade, exits int) *cascade.Cascade {
	b := *c
	b.Exits = c.Exits[:exits]
	b.Weak = c.Weak[:b.Exits[exits-1].After]
	return &b
}

// Windows off the grid are those of a search with a stride of 1 that are beside a
// survivor of the grid, or above or below. The picture is too large for one band, and
// several workers divide it in other ways than one does.
func TestRefine(t *testing.T) {
	c, windows := bareFace(t)
	c.Search.Pad = 0.25
	// So that few adjacent windows pass, and many off the grid do.
	c.Exits = slices.Clone(c.Exits)
	c.Exits[len(c.Exits)-1].Threshold += 2.5
	far := func(exits int) []engine.Window { return windows(begun(c, exits), detector.Options{}) }
	plain, all := windows(c, detector.Options{}), windows(c, detector.Options{Search: with(c, func(s *cascade.Search) { s.Stride = 1 })})
	for _, refine := range [][2]int{{150, 0}, {0, 150}, {30, 400}, {400, 30}, {200, 200}, {900, len(c.Exits)}} {
		o := detector.Options{Search: with(c, func(s *cascade.Search) { s.RefineX, s.RefineY = refine[0], refine[1] })}
		type position struct{ size, at image.Point }
		visited := map[position]bool{}
		for _, w := range plain {
			visited[position{w.Size, w.At}] = true
		}
		if refine[0] > 0 {
			for _, w := range far(refine[0]) {
				visited[position{w.Size, w.At.Add(image.Pt(-1, 0))}] = true
				visited[position{w.Size, w.At.Add(image.Pt(1, 0))}] = true
			}
		}
		if refine[1] > 0 {
			for _, w := range far(refine[1]) {
				for dx := -1; dx <= 1; dx++ {
					visited[position{w.Size, w.At.Add(image.Pt(dx, -1))}] = true
					visited[position{w.Size, w.At.Add(image.Pt(dx, 1))}] = true
				}
			}
		}
		var want []engine.Window
		for _, w := range all {
			if visited[position{w.Size, w.At}] {
				want = append(want, w)
			}
		}
		if len(want) < 2*len(plain) || len(plain) == 0 {
			t.Fatalf("%+v: %d windows on the grid pass, %d with those off it: that proves little", o, len(plain), len(want))
		}
		for _, workers := range []int{1, 2, 7} {
			o.Workers = workers
			if got := windows(c, o); !slices.Equal(got, want) {
				t.Errorf("%+v: %d windows, want %d", o, len(got), len(want))
			}
		}
		o.Workers = 0

		// On other grids no windows off the grid are searched.
		for _, stride := range []int{1, 3} {
			other := *o.Search
			other.Stride = stride
			got := windows(c, detector.Options{Search: &other})
			if want := windows(c, detector.Options{Search: strideOf(c, stride)}); !slices.Equal(got, want) {
				t.Errorf("%+v: %d windows, %d of the grid", other, len(got), len(want))
			}
		}

	}
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

// Windows are the ungrouped detections. The outputs for the pixels of one add
// up to the margin that the search found.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	passed := 0
	for range 40 {
		c := randomCascade(rng, randomSoft(rng))
		g := noise(rng, image.Rect(0, 0, c.Width+rng.IntN(60), c.Height+rng.IntN(60)))
		for _, stride := range []int{1, 3} {
			d := must.Get(detector.New(&detector.Options{Ungrouped: true, Search: &cascade.Search{Stride: stride, Pad: rng.Float64() / 2}, Windows: detector.WindowsAll, Scale: 1.3}, c))
			found := must.Get(d.Detect(context.Background(), g))
			windows := must.Get(d.Engine().AppendWindows(context.Background(), nil, g))
			if len(windows) != len(found) {
				t.Fatalf("%d windows, %d detections", len(windows), len(found))
			}
			if n := d.Engine().Visits(g.Rect.Dx(), g.Rect.Dy()); n < len(windows) || n == 0 {
				t.Errorf("%d windows of %d", len(windows), n)
			}
			pixels, weak := image.NewGray(image.Rect(0, 0, c.Width, c.Height)), must.Get(engine.NewOutputs(c))
			passed += len(windows)
			for _, w := range windows {
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
	if passed == 0 {
		t.Error("no window passed any of the cascades")
	}
}

// A window without contrast has no outputs.
func TestOutputsOfFlat(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	c := randomCascade(rng, randomSoft(rng))
	for c.Kind != cascade.Haar {
		c = randomCascade(rng, randomSoft(rng))
	}
	if a, ok := must.Get(engine.NewOutputs(c)).Append(nil, image.NewGray(image.Rect(0, 0, c.Width, c.Height)), 0); ok || a != nil {
		t.Errorf("outputs %v, contrast %v, want none", a, ok)
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
