package detector_test

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/haar"
	"haarlem/internal/cpu"
	"haarlem/internal/drawn"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/must"
)

// The goldens in testdata/parity are what OpenCV 4.6 found: a NAME.txt for
// each NAME.xml. Both are made by
//
//	go test -tags gocv -run TestParityGoldens ./cascade/detector -update-parity
//
// The cascades are random (parity_random_test.go), not trained. Each stage passes
// a fair share of the windows, and thresholds often equal the score of some
// window, which is where detectors differ.

// goldens are the shapes of the golden cascades.
var goldens = []struct {
	name  string
	shape shape
}{
	{"upright-stumps", shape{kind: cascade.Haar, width: 20, height: 20, stages: 4, weak: 5, nodes: 1, stddev: 10}},
	{"tilted-stumps", shape{kind: cascade.Haar, width: 24, height: 24, stages: 4, weak: 5, nodes: 1, tilted: 60, stddev: 10}},
	{"upright-two-nodes", shape{kind: cascade.Haar, width: 20, height: 20, stages: 4, weak: 4, nodes: 2, stddev: 10}},
	{"tilted-deep-trees", shape{kind: cascade.Haar, width: 25, height: 15, stages: 4, weak: 4, nodes: 7, tilted: 50, stddev: 10}},
	{"small-window", shape{kind: cascade.Haar, width: 5, height: 4, stages: 5, weak: 5, nodes: 1, tilted: 30, stddev: 10}},
	{"wide-window", shape{kind: cascade.Haar, width: 47, height: 12, stages: 5, weak: 4, nodes: 3, stddev: 10}},
	{"lbp-stumps", shape{kind: cascade.LBP, width: 24, height: 24, stages: 5, weak: 5, nodes: 1, stddev: 10}},
	{"lbp-trees", shape{kind: cascade.LBP, width: 18, height: 31, stages: 5, weak: 4, nodes: 5, stddev: 10}},
}

// goldenPictures and goldenSearches are the searches of each golden cascade.
var goldenPictures = []picture{
	{"texture", 160, 120, 1},
	{"faces", 131, 97, 2},
	{"noise", 64, 65, 3},
	{"strokes", 97, 53, 4},
	{"faint", 120, 80, 5},
}

var goldenSearches = []search{
	{scale: 1.1},
	{scale: 1.1, neighbors: 3},
	{scale: 1.3, neighbors: 1, min: image.Pt(30, 24)},
	{scale: 2, max: image.Pt(60, 60)},
}

// goldenFolder is the folder of the goldens.
const goldenFolder = "testdata/parity"

// updateGoldens is set by the flag -update-parity, which needs the tag gocv.
var updateGoldens func(t *testing.T)

// TestParityGoldens compares the reference and every way to run the detector
// with OpenCV's results in testdata/parity.
func TestParityGoldens(t *testing.T) {
	if updateGoldens != nil {
		updateGoldens(t)
	}
	pictures := map[picture]*image.Gray{}
	for _, p := range goldenPictures {
		pictures[p] = p.draw()
	}
	for _, golden := range goldens {
		c := must.Get(cascade.Open(filepath.Join(goldenFolder, golden.name+".xml")))
		results := readGolden(filepath.Join(goldenFolder, golden.name+".txt"))
		if want := len(goldenPictures) * len(goldenSearches); len(results) != want {
			t.Fatalf("%s: %d results, want %d", golden.name, len(results), want)
		}
		for i, r := range results {
			if testing.Short() && i%2 == 1 {
				continue
			}
			g := pictures[r.picture]
			where := fmt.Sprintf("%s on %s with %+v", golden.name, r.picture.name(), r.search)
			if diff := difference(referenceDetect(c, g, r.search), r.rects); diff != "" {
				t.Errorf("%s: reference: %s", where, diff)
			}
			everyWay(t, where, c, g, r.search, r.rects)
		}
	}
}

// TestAgainstReference runs random cascades on random images with random
// options: every way to run the detector must find what the reference finds.
func TestAgainstReference(t *testing.T) {
	runs, found, ahead, swept, halved := 40, 0, 0, 0, 0
	if testing.Short() {
		runs = 10
	}
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 2))
		sh := randomShape(r)
		switch seed % 4 {
		case 0:
			sh = randomSoft(r)
		case 2:
			sh = randomSwept(r)
		}
		c := randomCascade(r, sh)
		own := rand.New(rand.NewPCG(seed, 4)) // of its own, so that InterLevel leaves the draws of r unchanged
		for i := range 4 {
			p := randomPicture(r, sh)
			s := randomSearch(r, p.w, p.h)
			if i >= 2 {
				s.stride = r.IntN(min(sh.width, sh.height, 5) + 1)
				s.windows = detector.WindowRule(r.IntN(3))
				s.pad = r.Float64() / 2
				s.interLevel = own.IntN(3) / 2 * len(c.Exits)
			}
			if i == 3 {
				s.stride, s.refineX, s.refineY = 2, r.IntN(1+len(c.Exits)), r.IntN(1+len(c.Exits))
				s.interLevel = own.IntN(1 + len(c.Exits))
				s.denseFrom = max(0, 3*own.Float64()-1)
				s.enlarge = 1 + r.Float64()/2
			}
			c.Search.ScaleBias = cascade.ScaleBias{}
			if i%2 == 1 && runsOn(c) {
				c.Search.ScaleBias = randomScaleBias(own, c)
				ahead++
			}
			c.Search.PrefilterFrom = 0
			if i%2 == 1 && own.IntN(3) > 0 {
				c.Search.PrefilterFrom = 1.001 + 2*own.Float64()*own.Float64()
			}
			g := p.draw()
			want := referenceDetect(c, g, s)
			found += len(want)
			if c.Search.PrefilterFrom != 0 {
				halved += len(want)
			}
			if d := detectorFor(t, c, s, 1); d.Swept(p.w, p.h) > 1 {
				swept++
			}
			everyWay(t, fmt.Sprintf("seed %d: %+v, %+v, halve %v, on %s with %+v", seed, sh, c.Search.ScaleBias, c.Search.PrefilterFrom, p.name(), s), c, g, s, want)
		}
	}
	if halved < 10*runs {
		t.Errorf("only %d rectangles in %d runs are of cascades that halve", halved, runs)
	}
	if found < 50*runs {
		t.Errorf("only %d rectangles in %d runs, so they prove little", found, runs)
	}
	if ahead < runs/4 {
		t.Errorf("only %d searches with scale biases in %d runs", ahead, runs)
	}
	if lanes.FastSweep() && swept < runs/4 {
		t.Errorf("strips are swept in only %d searches of %d runs", swept, runs)
	}
}

// TestTreeSizes runs trees of every size up to more nodes than lanes have
// slots, so that every distribution of trees over slots occurs.
func TestTreeSizes(t *testing.T) {
	found := 0
	for nodes := 1; nodes <= 68; nodes++ {
		r := rand.New(rand.NewPCG(uint64(nodes), 3))
		sh := shape{kind: cascade.Haar, width: 12, height: 12, stages: 2, weak: 4, nodes: nodes, exact: true, stddev: 10}
		if nodes%2 == 0 {
			sh.kind = cascade.LBP
		}
		c := randomCascade(r, sh)
		p := picture{"texture", 60, 50, uint64(nodes)}
		s := search{scale: 1.4}
		want := referenceDetect(c, p.draw(), s)
		found += len(want)
		everyWay(t, fmt.Sprintf("%d nodes", nodes), c, p.draw(), s, want)
	}
	if found < 1000 {
		t.Errorf("only %d rectangles", found)
	}
}

// TestSumLimits runs single features whose cells are just small enough, or just
// too large, for sums of 7, 8, 15 or 16 bits, on saturated images where whole
// cells are black or white.
func TestSumLimits(t *testing.T) {
	weights := func(f haar.Feature, w ...float32) haar.Feature {
		for i, v := range w {
			f.Rects[i].Weight = v
		}
		return f
	}
	found := 0
	for i, cell := range []image.Point{
		{8, 8}, {13, 5}, {16, 8}, {43, 3}, {13, 10}, {32, 4}, {11, 12}, {17, 15}, {16, 16}, {43, 6}, {20, 13}, {40, 40},
	} {
		w, h := int32(cell.X), int32(cell.Y)
		rect := func(x, y, nx, ny int32) haar.Rect { return haar.Rect{X: x * w, Y: y * h, W: nx * w, H: ny * h} }
		for j, f := range []haar.Feature{
			weights(haar.Feature{Rects: [3]haar.Rect{rect(0, 0, 2, 1), rect(1, 0, 1, 1)}}, -1, 2),
			weights(haar.Feature{Rects: [3]haar.Rect{rect(0, 0, 1, 2), rect(0, 0, 1, 1)}}, -1, 2),
			weights(haar.Feature{Rects: [3]haar.Rect{rect(0, 0, 3, 1), rect(1, 0, 1, 1)}}, -1, 3),
			weights(haar.Feature{Rects: [3]haar.Rect{rect(0, 0, 2, 2), rect(0, 0, 1, 1), rect(1, 1, 1, 1)}}, -1, 2, 2),
			weights(haar.Feature{Rects: [3]haar.Rect{rect(0, 0, 1, 1), rect(1, 0, 1, 1)}}, -1, 1),
			weights(haar.Feature{Rects: [3]haar.Rect{rect(0, 0, 3, 3), rect(1, 1, 1, 1)}}, -1, 9),
		} {
			if testing.Short() && (i+j)%2 == 1 {
				continue
			}
			c := &cascade.Cascade{
				Kind: cascade.Haar, MinStdDev: 10, Width: 3 * cell.X, Height: 3 * cell.Y,
				Features: []haar.Feature{f},
				Weak:     []cascade.Weak{{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
				Exits:    []cascade.Exit{{After: 1, Restart: true}},
			}
			p := picture{"blocks", c.Width + 120, c.Height + 50, uint64(3+i%2) + 5*uint64(j)}
			g := p.draw()
			var values []float32
			for l, y := newRefLevel(g, 1, 0, false, 0, 0), 0; y < 50; y++ {
				for x := range 120 {
					if gate := refGate(c, l, x, y); gate.open {
						values = append(values, refHaar(&f, l, x, y, gate.inv))
					}
				}
			}
			slices.Sort(values)
			for _, quarter := range []int{1, 3} { // so many quarters of the windows have lower values
				c.Weak[0].Nodes[0].Threshold = values[quarter*len(values)/4]
				s := search{scale: 1.6}
				want := referenceDetect(c, g, s)
				found += len(want)
				everyWay(t, fmt.Sprintf("feature %d of cells %v, quarter %d", j, cell, quarter), c, g, s, want)
			}
		}
	}
	lowest := 10000
	if testing.Short() {
		lowest /= 2
	}
	if found < lowest {
		t.Errorf("only %d rectangles", found)
	}
}

// TestSubImage puts images into larger ones, away from the origin: the
// surroundings must not matter, and boxes are in the image's own coordinates.
func TestSubImage(t *testing.T) {
	found := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 4))
		sh := randomShape(r)
		c := randomCascade(r, sh)
		p := randomPicture(r, sh)
		small := p.draw()
		origin := image.Pt(r.IntN(50)-20, r.IntN(50)-20)
		around := picture{"noise", p.w + 30, p.h + 25, seed}.draw()
		around.Rect = around.Rect.Add(origin.Sub(image.Pt(1+r.IntN(29), 1+r.IntN(24))))
		sub := around.SubImage(small.Rect.Add(origin)).(*image.Gray)
		for y := range p.h {
			copy(sub.Pix[y*sub.Stride:][:p.w], small.Pix[y*small.Stride:])
		}
		s := search{scale: 1.2}
		var want []image.Rectangle
		for _, q := range referenceDetect(c, small, s) {
			want = append(want, q.Add(origin))
		}
		found += len(want)
		everyWay(t, fmt.Sprintf("seed %d", seed), c, sub, s, want)
	}
	if found < 500 {
		t.Errorf("only %d rectangles", found)
	}
}

// A way is how the detector is run; none changes the result.
type way struct {
	level   cpu.Level
	workers int
	stops   []int // see Detector.StopAfter; nil: the usual ones
	swept   int   // see Detector.SweepThrough; 0: the usual
}

// ways lists all of them.
func ways() []way {
	var v []way
	for _, l := range cpu.Available() {
		v = append(v, way{l, 1, nil, 0}, way{l, 2, []int{0, 2, 5}, 1}, way{l, 5, nil, 9})
	}
	return v
}

// everyWay compares the boxes of the detector with want in every way. Their
// order, scores and counts must be the same in all ways.
func everyWay(t *testing.T, where string, c *cascade.Cascade, g *image.Gray, s search, want []image.Rectangle) {
	t.Helper()
	var first []detector.Detection
	for i, w := range ways() {
		found := detect(t, c, g, s, w)
		if i > 0 && slices.EqualFunc(found, first, detector.Detection.Equal) {
			continue
		}
		if diff := difference(boxes(found), want); diff != "" {
			t.Errorf("%s: %v, %d workers: %s", where, w.level, w.workers, diff)
		}
		if i == 0 {
			first = found
		} else {
			t.Errorf("%s: %v, %d workers: order, scores or counts differ from those of %+v", where, w.level, w.workers, ways()[0])
		}
	}
}

func boxes(found []detector.Detection) []image.Rectangle {
	var b []image.Rectangle
	for _, v := range found {
		b = append(b, v.Box)
	}
	return b
}

// detect runs the detector under test.
func detect(t *testing.T, c *cascade.Cascade, g *image.Gray, s search, w way) []detector.Detection {
	t.Helper()
	restore := &undo{T: t}
	cpu.ForTest(restore, w.level)
	defer restore.run()
	d := detectorFor(t, c, s, w.workers)
	if w.stops != nil {
		d.Engine().StopAfter(w.stops...)
	}
	if w.swept != 0 {
		d.Engine().SweepThrough(w.swept)
	}
	return must.Get(d.AppendDetect(context.Background(), nil, g))
}

// settings are c's, overridden by s.
func (s *search) settings(c *cascade.Cascade) *cascade.Search {
	return with(c, func(v *cascade.Search) {
		v.Stride, v.RefineX, v.RefineY, v.InterLevel, v.Pad = s.stride, s.refineX, s.refineY, s.interLevel, s.pad
		if s.interLevel > 0 {
			v.DenseFrom = s.denseFrom
		}
	})
}

// detectorFor returns the detector for a search.
func detectorFor(t *testing.T, c *cascade.Cascade, s search, workers int) *detector.Detector {
	t.Helper()
	d := must.Get(detector.New(&detector.Options{
		Scale:        s.scale,
		MinSize:      s.min,
		MaxSize:      s.max,
		MinNeighbors: s.neighbors,
		Ungrouped:    s.neighbors == 0,
		Enlarge:      s.enlarge,
		Search:       s.settings(c),
		Windows:      s.windows,
		Workers:      workers,
	}, c))
	return d
}

// undo is a test whose cleanups run early.
type undo struct {
	*testing.T
	todo []func()
}

func (u *undo) Cleanup(f func()) { u.todo = append(u.todo, f) }

func (u *undo) run() {
	for _, f := range slices.Backward(u.todo) {
		f()
	}
}

// result is one search of a golden file.
type result struct {
	picture picture
	search  search
	rects   []image.Rectangle
}

// resultFormat is the line that starts a result.
const resultFormat = "picture %s %dx%d seed %d, scale %g min %dx%d max %dx%d neighbors %d: %d"

// writeGolden writes results as text, with a head of comment lines.
func writeGolden(path, head string, results []result) error {
	var b strings.Builder
	for line := range strings.Lines(head) {
		b.WriteString("# " + line)
	}
	for _, r := range results {
		p, s := r.picture, r.search
		fmt.Fprintf(&b, resultFormat+"\n", p.kind, p.w, p.h, p.seed, s.scale, s.min.X, s.min.Y, s.max.X, s.max.Y, s.neighbors, len(r.rects))
		for _, q := range sortRects(r.rects) {
			fmt.Fprintln(&b, q.Min.X, q.Min.Y, q.Dx(), q.Dy())
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

// readGolden reads what [writeGolden] wrote.
func readGolden(path string) (results []result) {
	left := 0 // rectangles still to come
	for line := range strings.Lines(string(must.Get(os.ReadFile(path)))) {
		switch {
		case strings.HasPrefix(line, "#"):
		case left == 0:
			var r result
			p, s := &r.picture, &r.search
			must.Get(fmt.Sscanf(line, resultFormat, &p.kind, &p.w, &p.h, &p.seed, &s.scale, &s.min.X, &s.min.Y, &s.max.X, &s.max.Y, &s.neighbors, &left))
			results = append(results, r)
		default:
			var x, y, w, h int
			must.Get(fmt.Sscan(line, &x, &y, &w, &h))
			last := &results[len(results)-1]
			last.rects = append(last.rects, image.Rect(x, y, x+w, y+h))
			left--
		}
	}
	return results
}

// sortRects orders rectangles by left, top, width, height.
func sortRects(rs []image.Rectangle) []image.Rectangle {
	return slices.SortedFunc(slices.Values(rs), func(a, b image.Rectangle) int {
		return cmp.Or(cmp.Compare(a.Min.X, b.Min.X), cmp.Compare(a.Min.Y, b.Min.Y), cmp.Compare(a.Dx(), b.Dx()), cmp.Compare(a.Dy(), b.Dy()))
	})
}

// difference compares two sets of rectangles in any order, each with its
// multiplicity. It returns "" if they are equal.
func difference(got, want []image.Rectangle) string {
	count := map[image.Rectangle]int{}
	for _, r := range got {
		count[r]++
	}
	for _, r := range want {
		count[r]--
	}
	var extra, missing []image.Rectangle
	for r, n := range count {
		for range n {
			extra = append(extra, r)
		}
		for range -n {
			missing = append(missing, r)
		}
	}
	if len(extra)+len(missing) == 0 {
		return ""
	}
	list := func(rs []image.Rectangle) string {
		var b strings.Builder
		for i, r := range sortRects(rs) {
			if i == 4 {
				b.WriteString(" ...")
				break
			}
			fmt.Fprintf(&b, " (%d,%d %dx%d)", r.Min.X, r.Min.Y, r.Dx(), r.Dy())
		}
		return b.String()
	}
	return fmt.Sprintf("got %d rectangles, want %d; %d too many%s; %d missing%s",
		len(got), len(want), len(extra), list(extra), len(missing), list(missing))
}

// picture is the recipe of a grey test picture. It is drawn with integers
// only, so that every machine sees the same pixels.
type picture struct {
	kind string
	w, h int
	seed uint64
}

// name says what the picture is, as "texture-321x241-7".
func (p picture) name() string { return fmt.Sprintf("%s-%dx%d-%d", p.kind, p.w, p.h, p.seed) }

// pictureKinds are the things that [drawn.Picture] can draw.
var pictureKinds = []string{"noise", "ramp", "checks", "blocks", "faint", "texture", "faces", "strokes"}

// draw makes the picture.
func (p picture) draw() *image.Gray { return drawn.Picture(p.kind, p.w, p.h, p.seed) }
