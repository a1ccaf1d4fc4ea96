package cascade_test

import (
	"bufio"
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
	"haarlem/internal/cpu"
)

// The goldens in testdata/parity are what OpenCV 4.6 found: a NAME.txt for
// each NAME.xml. Both are made by
//
//	go test -tags gocv -run TestParityGoldens ./cascade/ -update-parity
//
// The cascades are drawn at random (parity_random_test.go) and have learnt
// nothing; each stage passes a fair share of the windows, and thresholds often
// equal the value of some window, which is where detectors come to differ.

// goldens are the shapes of the golden cascades.
var goldens = []struct {
	name  string
	shape shape
}{
	{"upright-stumps", shape{cascade.Haar, 20, 20, 4, 5, 1, 0}},
	{"tilted-stumps", shape{cascade.Haar, 24, 24, 4, 5, 1, 60}},
	{"upright-two-nodes", shape{cascade.Haar, 20, 20, 4, 4, 2, 0}},
	{"tilted-deep-trees", shape{cascade.Haar, 25, 15, 4, 4, 7, 50}},
	{"small-window", shape{cascade.Haar, 5, 4, 5, 5, 1, 30}},
	{"wide-window", shape{cascade.Haar, 47, 12, 5, 4, 3, 0}},
	{"lbp-stumps", shape{cascade.LBP, 24, 24, 5, 5, 1, 0}},
	{"lbp-trees", shape{cascade.LBP, 18, 31, 5, 4, 5, 0}},
}

// goldenPictures and goldenSearches are what each golden cascade is run on.
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

// goldenFolder is where goldens lie.
const goldenFolder = "testdata/parity"

// updateGoldens is set by the flag -update-parity, which needs the tag gocv.
var updateGoldens func(t *testing.T)

// TestParityGoldens compares the reference and every way to run the detector
// with OpenCV's results, as they lie in testdata/parity.
func TestParityGoldens(t *testing.T) {
	if updateGoldens != nil {
		updateGoldens(t)
	}
	for _, golden := range goldens {
		c, err := cascade.Open(filepath.Join(goldenFolder, golden.name+".xml"))
		if err != nil {
			t.Fatal(err)
		}
		results, err := readGolden(filepath.Join(goldenFolder, golden.name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if want := len(goldenPictures) * len(goldenSearches); len(results) != want {
			t.Fatalf("%s: %d results, want %d", golden.name, len(results), want)
		}
		for _, r := range results {
			g := r.picture.draw()
			where := fmt.Sprintf("%s on %s with %+v", golden.name, r.picture.name(), r.search)
			if diff := difference(referenceDetect(c, g, r.search), r.rects); diff != "" {
				t.Errorf("%s: reference: %s", where, diff)
			}
			everyWay(t, where, c, g, r.search, r.rects)
		}
	}
}

// TestAgainstReference runs random cascades over random pictures with random
// options: every way to run the detector must find what the reference finds.
func TestAgainstReference(t *testing.T) {
	runs, found := 40, 0
	if testing.Short() {
		runs = 10
	}
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 2))
		sh := randomShape(r)
		c := randomCascade(r, sh)
		for range 3 {
			p := randomPicture(r, sh)
			s := randomSearch(r, p.w, p.h)
			g := p.draw()
			want := referenceDetect(c, g, s)
			found += len(want)
			everyWay(t, fmt.Sprintf("seed %d: %+v on %s with %+v", seed, sh, p.name(), s), c, g, s, want)
		}
	}
	if found < 50*runs {
		t.Errorf("only %d rectangles in %d runs, so they prove little", found, runs)
	}
}

// A way is how the detector may run; none changes the result.
type way struct {
	level   cpu.Level
	workers int
}

// ways lists all of them.
func ways() []way {
	var v []way
	for _, l := range cpu.Available() {
		for _, n := range []int{1, 2, 5} {
			v = append(v, way{l, n})
		}
	}
	return v
}

// everyWay compares the detector with want in every way.
func everyWay(t *testing.T, where string, c *cascade.Cascade, g *image.Gray, s search, want []image.Rectangle) {
	t.Helper()
	for _, w := range ways() {
		if diff := difference(detect(t, c, g, s, w), want); diff != "" {
			t.Errorf("%s: %v, %d workers: %s", where, w.level, w.workers, diff)
		}
	}
}

// detect runs the detector under test.
func detect(t *testing.T, c *cascade.Cascade, g *image.Gray, s search, w way) (found []image.Rectangle) {
	t.Helper()
	restore := &undo{T: t}
	cpu.ForTest(restore, w.level)
	defer restore.run()
	d, err := cascade.NewDetector(c, &cascade.Options{
		Scale:        s.scale,
		MinSize:      s.min,
		MaxSize:      s.max,
		MinNeighbors: s.neighbors,
		Ungrouped:    s.neighbors == 0,
		Workers:      w.workers,
	})
	if err != nil {
		t.Fatal(err)
	}
	detections, err := d.AppendDetect(context.Background(), nil, g)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range detections {
		found = append(found, v.Box)
	}
	return found
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
func readGolden(path string) ([]result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var results []result
	left := 0 // rectangles still to come
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "#"):
		case left == 0:
			var r result
			p, s := &r.picture, &r.search
			if _, err := fmt.Sscanf(line, resultFormat, &p.kind, &p.w, &p.h, &p.seed, &s.scale, &s.min.X, &s.min.Y, &s.max.X, &s.max.Y, &s.neighbors, &left); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, n, err)
			}
			results = append(results, r)
		default:
			var x, y, w, h int
			if _, err := fmt.Sscanf(line, "%d %d %d %d", &x, &y, &w, &h); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, n, err)
			}
			last := &results[len(results)-1]
			last.rects = append(last.rects, image.Rect(x, y, x+w, y+h))
			left--
		}
	}
	if left != 0 {
		return nil, fmt.Errorf("%s: ends %d rectangles early", path, left)
	}
	return results, lines.Err()
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
