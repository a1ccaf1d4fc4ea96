package engine

import (
	"context"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/cpu"
	"haarlem/internal/drawn"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/internal/orient"
	"haarlem/internal/program"
)

// TestCandidatesAreOrdered: candidates are in order of level, row and column
// for any number of workers, since margins are added in that order.
func TestCandidatesAreOrdered(t *testing.T) {
	c := &cascade.Cascade{
		Kind: cascade.Haar, Width: 8, Height: 8,
		Features: []haar.Feature{{Rects: [3]haar.Rect{{W: 8, H: 8, Weight: -1}, {W: 4, H: 8, Weight: 2}}}},
		Weak:     []cascade.Weak{{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
		Exits:    []cascade.Exit{{After: 1, Threshold: 0, Restart: true}},
	}
	g := image.NewGray(image.Rect(0, 0, 400, 90))
	for i := range g.Pix {
		g.Pix[i] = byte(i * i >> 5)
	}
	for _, workers := range []int{1, 3} {
		e := must.Get(New(c, &Options{Workers: workers}))
		s := e.NewSearch()
		p, _ := luma.Of(g, nil)
		all := must.Get(s.Candidates(t.Context(), p))
		if len(all) < 1000 || len(s.runs[0].hits) != len(all) {
			t.Fatalf("%d candidates of %d hits, want many", len(all), len(s.runs[0].hits))
		}
		if !slices.IsSortedFunc(s.runs[0].hits, func(a, b hit) int {
			key := func(h hit) []int {
				x, y := s.runs[0].plan.levels[levelOf(h.at)].position(h.at)
				return []int{levelOf(h.at), y, x}
			}
			return slices.Compare(key(a), key(b))
		}) {
			t.Errorf("%d workers: candidates are out of order", workers)
		}
	}
}

// TestSizesInTurn: a search of images of changing sizes finds what a new one does, and
// takes the programs of its last plan for a width that differs little.
func TestSizesInTurn(t *testing.T) {
	c := uneven()
	c.Search = cascade.Search{Pad: 0.25}
	e := must.Get(New(c, nil))
	s := e.NewSearch()
	var last *plan
	for i, width := range []int{181, 178, 90, 174, 40} {
		p, _ := luma.Of(drawn.Picture("texture", width, 120-i, 3), nil)
		found := must.Get(s.Candidates(t.Context(), p))
		want := must.Get(e.NewSearch().Candidates(t.Context(), p))
		if len(want) == 0 || !slices.Equal(found, want) {
			t.Errorf("width %d: %d candidates, want the %d of a new search", width, len(found), len(want))
		}
		now := s.runs[0].plan
		if shared := last != nil && now.grids[0].prog == last.grids[0].prog; shared != (i == 1) {
			t.Errorf("width %d takes the last plan's program: %v", width, shared)
		}
		last = now
	}
}

// TestCellsOfWindows: cells have the windows of a level, each once, and a square of
// windows is one cell wherever it begins.
func TestCellsOfWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range 200 {
		l := level{positions: image.Pt(1+rng.IntN(40), 1+rng.IntN(40))}
		var a cellFinder
		width := a.begin(&l)
		want := map[image.Point]bool{}
		limit := 1
		for range 1 + n%5 {
			at := image.Pt(rng.IntN(l.positions.X), rng.IntN(l.positions.Y))
			part := image.Rectangle{Min: at, Max: at.Add(image.Pt(cellSide, cellSide))}.Intersect(image.Rectangle{Max: l.positions})
			every := ^uint64(0)
			if n%5 > 0 {
				every, limit = rng.Uint64(), 1<<cellSide
			}
			mark(a.windows, width, part, every)
			for y := part.Min.Y; y < part.Max.Y; y++ {
				for x := part.Min.X; x < part.Max.X; x++ {
					if every>>(y%cellSide*cellSide+x%cellSide)&1 != 0 {
						want[image.Pt(x, y)] = true
					}
				}
			}
		}
		cells := 0
		look := func(_ context.Context, all []cell) error {
			cells += len(all)
			for _, c := range all {
				for k := range cellSide * cellSide {
					p := image.Pt(int(c.x)+k%cellSide, int(c.y)+k/cellSide)
					if in := c.windows>>k&1 != 0; in && (c.level != 3 || !want[p]) {
						t.Fatalf("window %v of level %d is in a cell, and not wanted or twice", p, c.level)
					} else if in {
						delete(want, p)
					}
				}
			}
			return nil
		}
		must.Do(a.level(t.Context(), 3, width, look))
		must.Do(a.rest(t.Context(), look))
		if len(want) > 0 || cells > limit {
			t.Fatalf("of %v, %d windows are in no cell; %d cells", l.positions, len(want), cells)
		}
	}
}

// TestVisited compares with OpenCV's rule, window by window, over two strips.
func TestVisited(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		var alive, passed [2]uint64
		for i := range alive {
			alive[i], passed[i] = ^uint64(0), rng.Uint64()&rng.Uint64()
			switch rng.IntN(4) {
			case 0:
				alive[i] = rng.Uint64() | rng.Uint64()
			case 1:
				passed[i] &= rng.Uint64() & rng.Uint64()
			}
			passed[i] &= alive[i]
		}
		carry, skip := false, false
		for i := range alive {
			want := uint64(0)
			for k := range 64 {
				if skip {
					skip = false
					continue
				}
				if passed[i]>>k&1 != 0 {
					want |= 1 << k
				}
				skip = alive[i]>>k&1 != 0 && passed[i]>>k&1 == 0
			}
			if got := visited(alive[i], passed[i], &carry); got != want || carry != skip {
				t.Fatalf("strip %d of %x, %x: %x, carry %v, want %x, %v", i, alive, passed, got, carry, want, skip)
			}
		}
	}
}

// uneven returns a cascade whose features look different in each quarter turn.
func uneven() *cascade.Cascade {
	c := &cascade.Cascade{Kind: cascade.Haar, Width: 12, Height: 12, MinStdDev: 3, Search: cascade.Search{Stride: 2, RefineX: 1, RefineY: 1, InterLevel: 2, Pad: 0.25}}
	r := rand.New(rand.NewPCG(7, 1))
	for n := range 6 {
		w, h := int32(2+r.IntN(4)), int32(1+r.IntN(10))
		x, y := r.Int32N(12-2*w+1), r.Int32N(12-h+1)
		c.Features = append(c.Features, haar.Feature{Rects: [3]haar.Rect{{X: x, Y: y, W: 2 * w, H: h, Weight: -1}, {X: x, Y: y, W: w, H: h, Weight: 2}}})
		c.Weak = append(c.Weak, cascade.Weak{Nodes: []cascade.Node{{Feature: int32(n), Left: 0, Right: -1}}, Leaves: []float32{-1, 1}})
		c.Exits = append(c.Exits, cascade.Exit{After: n + 1, Threshold: -2})
	}
	c.Exits[len(c.Exits)-1].Threshold = 2
	return c
}

// turnedPicture turns a picture clockwise by quarters.
func turnedPicture(g *image.Gray, quarters int) *image.Gray {
	t := orient.Of([]int{1, 6, 3, 8}[quarters], g.Rect.Dx(), g.Rect.Dy())
	return &image.Gray{Pix: t.Plane(nil, g.Pix, g.Stride, 1), Stride: t.Width, Rect: image.Rect(0, 0, t.Width, t.Height)}
}

// TestQuarters: an engine for turned objects finds in a turned picture what the engine
// itself finds in the picture, with the same margins; alone and in a search of several,
// which finds what each finds alone. On one level, since the grids of others begin at
// another edge.
func TestQuarters(t *testing.T) {
	for _, workers := range []int{1, 3} {
		e := must.Get(New(uneven(), &Options{Workers: workers, MaxSize: image.Pt(12, 12)}))
		all := []*Engine{e}
		for n := 1; n < 4; n++ {
			all = append(all, e.Quarter(n))
		}
		several := NewSearch(all...)
		g := drawn.Picture("texture", 100, 80, 3)
		p, _ := luma.Of(g, nil)
		want := must.Get(e.NewSearch().Candidates(t.Context(), p))
		if len(want) < 200 || len(want) > 4000 {
			t.Fatalf("%d candidates: too few or too many to say much", len(want))
		}
		for n, q := range all {
			p, _ := luma.Of(turnedPicture(g, n), nil)
			alone := must.Get(q.NewSearch().Candidates(t.Context(), p))
			must.Do(several.Search(t.Context(), p, nil))
			found := must.Get(several.Found(t.Context(), n))
			if !slices.Equal(found, alone) {
				t.Errorf("%d quarters, %d workers: %d candidates in a search of several, %d alone", n, workers, len(found), len(alone))
			}
			margins := map[image.Rectangle]float64{}
			for _, c := range found {
				margins[c.Box] = c.Margin
			}
			missing := 0
			for _, c := range want {
				b, size := c.Box, g.Rect.Size()
				for range n {
					b = image.Rect(size.Y-b.Max.Y, b.Min.X, size.Y-b.Min.Y, b.Max.X)
					size.X, size.Y = size.Y, size.X
				}
				if m, ok := margins[b]; !ok || m != c.Margin {
					missing++
				}
			}
			if missing > 0 || len(found) != len(want) {
				t.Errorf("%d quarters, %d workers: %d candidates, want %d, of which %d are missing", n, workers, len(found), len(want), missing)
			}
		}
	}
}

// TestNoQuarters: a window that is not square, tilted features and OpenCV's rule of
// windows have no turned engine.
func TestNoQuarters(t *testing.T) {
	oblong, tilted, rule := uneven(), uneven(), uneven()
	oblong.Height = 14
	tilted.Features[3] = haar.Feature{Tilted: true, Rects: [3]haar.Rect{{X: 5, Y: 1, W: 2, H: 2, Weight: -1}, {X: 5, Y: 1, W: 1, H: 2, Weight: 2}}}
	for name, test := range map[string]struct {
		c *cascade.Cascade
		o Options
	}{"oblong": {oblong, Options{}}, "tilted": {tilted, Options{}}, "OpenCV's rule": {rule, Options{Windows: WindowsOpenCV}}} {
		e := must.Get(New(test.c, &test.o))
		if e.Quarter(1) != nil {
			t.Errorf("%s: it can be turned", name)
		}
	}
}

// TestFrame: a search within a frame finds of all candidates those whose centres lie in
// the turned rectangle, as far from its edge as a window must.
func TestFrame(t *testing.T) {
	c := uneven()
	c.Search = cascade.Search{Stride: 2, Pad: 0.25}
	e := must.Get(New(c, &Options{Workers: 2}))
	p, _ := luma.Of(drawn.Picture("texture", 200, 180, 4), nil)
	s := e.NewSearch()
	all := must.Get(s.Candidates(t.Context(), p))
	all = slices.Clone(all)
	for _, degrees := range []float64{30, 60, 100, 200, 350} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		frame := &Frame{Cos: cos, Sin: sin, Size: image.Pt(120, 90)}
		must.Do(s.Search(t.Context(), p, frame))
		found := must.Get(s.Found(t.Context(), 0))
		within := map[Candidate]bool{}
		for _, c := range found {
			within[c] = true
		}
		for _, c := range all {
			x, y := float64(c.Box.Min.X+c.Box.Max.X)/2-100, float64(c.Box.Min.Y+c.Box.Max.Y)/2-90
			u, v := cos*x-sin*y, sin*x+cos*y
			away := float64(c.Box.Dx()) / 3 // the window has 12 pixels, of which 2 may lie beyond the edge
			inside := min(60-away-math.Abs(u), 45-away-math.Abs(v))
			// Candidates are in whole pixels.
			if inside > 2 && !within[c] || inside < -2 && within[c] {
				t.Errorf("%v degrees: %v is found: %v, but it is %.1f pixels inside", degrees, c.Box, within[c], inside)
			}
		}
		if len(found) < 100 || len(found) > len(all)/2 {
			t.Errorf("%v degrees: %d of %d candidates", degrees, len(found), len(all))
		}
	}
}

// TestNear: a search near places finds what a dense search finds there, with the same
// margins: windows of about a place's size with centres near its own; each engine near its
// own places, whatever the number of workers.
func TestNear(t *testing.T) {
	g := drawn.Picture("texture", 170, 130, 3)
	p, _ := luma.Of(g, nil)
	for _, search := range []cascade.Search{{Stride: 1}, {Stride: 2, Pad: 0.25}, {Pad: 0.25, PrefilterFrom: 2}} {
		c := uneven()
		c.Search = search
		rng := rand.New(rand.NewPCG(5, 6))
		var places [2][]Place
		for n := range places {
			for range 6 {
				places[n] = append(places[n], Place{X: 170 * rng.Float64(), Y: 130 * rng.Float64(), Side: 10 + 40*rng.Float64()})
			}
		}
		places[0] = append(places[0], Place{X: -1e6, Y: 1e6, Side: 20}, Place{X: 50, Y: 50}, Place{X: math.NaN(), Y: 50, Side: math.NaN()})
		for _, workers := range []int{1, 3} {
			dense := newTwo(t, c, &Options{Workers: workers})
			must.Do(dense.Search(t.Context(), p, nil))
			near := newTwo(t, c, &Options{Workers: workers, OnlyNear: true})
			for range 2 { // memory is used again
				must.Do(near.Near(t.Context(), p, places[:]))
			}
			for n, r := range dense.runs {
				var want []hit
				for _, h := range r.hits {
					l := &r.plan.levels[levelOf(h.at)]
					x, y := l.position(h.at)
					u, v := (float64(x-l.edge.X)+6)*float64(l.factor), (float64(y-l.edge.Y)+6)*float64(l.factor)
					if slices.ContainsFunc(places[n], func(p Place) bool {
						size := float64(l.size.X) / p.Side
						return max(math.Abs(u-p.X), math.Abs(v-p.Y)) <= nearShift*p.Side && max(size, 1/size) <= nearSide
					}) {
						want = append(want, h)
					}
				}
				if got := near.runs[n].hits; len(want) < 5 || !slices.Equal(got, want) {
					t.Errorf("%+v, %d workers, engine %d: %d windows, want %d", search, workers, n, len(got), len(want))
				}
			}
		}
	}
}

// newTwo returns a search with a cascade and its quarter turn.
func newTwo(t *testing.T, c *cascade.Cascade, o *Options) *Search {
	t.Helper()
	e := must.Get(New(c, o))
	return NewSearch(e, e.Quarter(1))
}

// TestNearNothing: images without levels, and no places, have no candidates.
func TestNearNothing(t *testing.T) {
	e := must.Get(New(uneven(), &Options{OnlyNear: true}))
	s := NewSearch(e)
	for _, size := range []image.Point{{5, 5}, {60, 60}} {
		p, _ := luma.Of(drawn.Picture("noise", size.X, size.Y, 1), nil)
		places := [][]Place{{{X: 3, Y: 3, Side: 12}}}
		if size.X > 5 {
			places[0] = nil
		}
		must.Do(s.Near(t.Context(), p, places))
		if found, err := s.Found(t.Context(), 0); err != nil || len(found) > 0 {
			t.Errorf("%v: %v, %v", size, found, err)
		}
	}
}

// TestGreedy: of stages of equal cost, those that reject most come first, given
// what the ones before reject.
func TestGreedy(t *testing.T) {
	p := new(program.Program)
	for range 6 {
		p.Segments = append(p.Segments, lanes.Segment{N: 5})
		p.Ends = append(p.Ends, len(p.Segments))
	}
	o := ordering{
		first: []uint16{0b1111_1111, 0b1111},
		passed: [][]uint16{
			nil,                      // the first stage
			{0b1111_1110, 0b1111},    // rejects one window
			{0b1111_0000, 0b0001},    // seven
			{0b1111_0000, 0b1111},    // four that the one before rejects
			{0b0000_1111, 0b1111},    // the other four
			{0b0000_0000, 0b0000_00}, // the last
		},
	}
	if got, want := o.greedy(p), []int{0, 2, 4, 1, 3, 5}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	// A stage that costs ten times as much must wait.
	p.Segments[2].N = 50
	o.first = []uint16{0b1111_1111, 0b1111}
	if got, want := o.greedy(p), []int{0, 3, 4, 2, 1, 5}; !slices.Equal(got, want) {
		t.Errorf("with a costly stage 2: order %v, want %v", got, want)
	}
}

// TestStageOrder: classical stages are reordered, except the first and the
// last; where the score runs on, nothing is.
func TestStageOrder(t *testing.T) {
	if !lanes.Vectors() {
		t.Skip("no vectors")
	}
	c := stages(7)
	d := must.Get(New(c, nil))
	order := must.Get(d.stageOrder(t.Context()))
	if len(order) != 7 || order[0] != 0 || order[6] != 6 {
		t.Fatalf("order %v", order)
	}
	if slices.IsSorted(order) {
		t.Errorf("order %v: the weakest stage should have moved", order)
	}
	if slices.Sort(order); !slices.Equal(order, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("not each stage once: %v", order)
	}
	level := cpu.Current()
	cpu.ForTest(t, cpu.PureGo)
	if d, _ := New(c, nil); must.Get(d.stageOrder(t.Context())) != nil {
		t.Error("an order without vectors")
	}
	cpu.ForTest(t, level)
	for n, want := range map[int]bool{64: true, 65: false} { // with more stages, finding an order takes too long
		if d, _ := New(stages(n), nil); (must.Get(d.stageOrder(t.Context())) != nil) != want {
			t.Errorf("%d stages: an order: %v, want %v", n, !want, want)
		}
	}
	c.Exits[3].Restart = false
	if d, _ := New(c, nil); must.Get(d.stageOrder(t.Context())) != nil {
		t.Error("an order where the score runs on")
	}
}

// TestAnyOrder: results do not depend on the order.
func TestAnyOrder(t *testing.T) {
	c := stages(7)
	g := must.Get(drawLeaves(t.Context(), 1000, 700))
	img := &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: image.Rect(0, 0, g.Width, g.Height)}
	var want []Window
	for i, order := range [][]int{nil, {0, 5, 4, 3, 2, 1, 6}, {0, 3, 1, 5, 2, 4, 6}} {
		d := must.Get(New(c, nil))
		asked := false
		d.order.make = func(context.Context) ([]int, error) { asked = true; return order, nil }
		got := must.Get(d.AppendWindows(t.Context(), nil, img))
		if !asked {
			t.Fatalf("a picture of %d windows and more is not worth an order", orderWindows)
		}
		if i == 0 {
			want = got
		}
		if len(got) < 1000 || !slices.Equal(got, want) {
			t.Errorf("order %v: %d found, %d in the model's order, or other scores", order, len(got), len(want))
		}
	}
	d, _ := New(c, nil)
	d.order.make = func(context.Context) ([]int, error) {
		t.Error("an order for a small picture")
		return nil, nil
	}
	must.Get(d.AppendWindows(t.Context(), nil, img.SubImage(image.Rect(0, 0, 100, 100)).(*image.Gray)))
}

// stages returns a cascade of n stages of one stump each that require ever
// stronger edges, so that later ones pass less.
func stages(n int) *cascade.Cascade {
	c := &cascade.Cascade{Kind: cascade.Haar, Width: 20, Height: 20}
	for i := range n {
		c.Features = append(c.Features, haar.Feature{Rects: [3]haar.Rect{{W: 20, H: 20, Weight: -1}, {W: 10, H: 20, Weight: 2}}})
		c.Weak = append(c.Weak, cascade.Weak{
			Nodes:  []cascade.Node{{Feature: int32(i), Threshold: 0.6 * float32(i) / float32(n), Left: 0, Right: -1}},
			Leaves: []float32{-1, 1},
		})
		c.Exits = append(c.Exits, cascade.Exit{After: i + 1, Threshold: 0, Restart: true})
	}
	return c
}
