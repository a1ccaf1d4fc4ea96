package inspect

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/integral"
	"haarlem/internal/must"
	"haarlem/internal/tiles"
)

// TestWeights compares drawings with the detector's sums: the weight of a pixel
// is the feature's sum over an image in which only that pixel is lit.
func TestWeights(t *testing.T) {
	const w, h = 9, 8
	r := rand.New(rand.NewPCG(1, 2))
	ix := haar.NewIndex(haar.All, w, h)
	var lit [w * h]integral.Tables
	for i := range lit {
		g := image.NewGray(image.Rect(0, 0, w, h))
		g.Pix[i/w*g.Stride+i%w] = 1
		must.Do(lit[i].Make(g, integral.Tilted))
	}
	tilted := 0
	for range 300 {
		f := ix.At(r.IntN(ix.Len()))
		offsets := tiles.Compile(&f, lit[0].Stride)
		if f.Tilted {
			tilted++
		}
		weights := Weights(&f, w, h)
		for i := range lit {
			table := lit[i].Sums
			if f.Tilted {
				table = lit[i].Tilts
			}
			if want := offsets.Sum(table, 0); weights[i] != want {
				t.Fatalf("%+v: pixel %d,%d counts %v, want %v", f, i%w, i/w, weights[i], want)
			}
		}
	}
	if tilted < 20 {
		t.Errorf("only %d tilted features are used", tilted)
	}
}

func names(s *Summary) string {
	var all []string
	for _, f := range s.Features {
		all = append(all, f.Name)
	}
	return strings.Join(all, ", ")
}

func rect(x, y, w, h int32, weight float32) haar.Rect {
	return haar.Rect{X: x, Y: y, W: w, H: h, Weight: weight}
}

func TestShapeNames(t *testing.T) {
	seen := map[string]bool{}
	for f := range haar.All.Features(12, 12) {
		name := ShapeName(&f)
		if strings.HasSuffix(name, "rectangles") {
			t.Fatalf("%+v of OpenCV's shapes has no name of its own", f)
		}
		seen[name] = true
	}
	for _, name := range shapeNames[:10] {
		if !seen[name] {
			t.Errorf("no feature is called %q", name)
		}
	}
	odd := haar.Feature{Rects: [3]haar.Rect{rect(0, 0, 3, 3, -1), rect(5, 5, 2, 2, 1)}}
	if got := ShapeName(&odd); got != "two rectangles" {
		t.Errorf("rectangles far apart are called %q", got)
	}
}

// small is a cascade of a stump, a tree and a histogram that prefers windows
// whose upper half is dark.
func small() *cascade.Cascade {
	down := haar.Feature{Rects: [3]haar.Rect{rect(0, 0, 8, 8, -1), rect(0, 4, 8, 4, 2)}}
	across := haar.Feature{Rects: [3]haar.Rect{rect(1, 1, 6, 4, -1), rect(3, 1, 2, 4, 3)}}
	return &cascade.Cascade{
		Name: "small", Kind: cascade.Haar, Width: 8, Height: 8, MinStdDev: 2,
		Features: []haar.Feature{down, across},
		Weak: []cascade.Weak{
			{Nodes: []cascade.Node{{Feature: 0, Left: 0, Right: -1}}, Leaves: []float32{-1, 0.5}},
			{Nodes: []cascade.Node{{Feature: 0, Left: 0, Right: 1}, {Feature: 1, Left: -1, Right: -2}}, Leaves: []float32{-0.25, 0, 0.25}},
			{Feature: 0, Low: -1, Scale: 4, Leaves: []float32{-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5}},
		},
		Exits: []cascade.Exit{{After: 1, Threshold: -0.5}, {After: 3, Threshold: 1}},
	}
}

func TestDescribe(t *testing.T) {
	c := small()
	s := must.Get(Describe(c))
	b := must.Bytes(c.Encode)
	if s.NoOpenCV == "" || s.OpenCVBytes != 0 {
		t.Errorf("OpenCV has no histograms, and yet %d bytes", s.OpenCVBytes)
	}
	s.NoOpenCV = ""
	want := &Summary{
		Name: "small", Kind: "haar", Width: 8, Height: 8, Shape: "chain", MinStdDev: 2,
		Weak: 3, Stumps: 1, Trees: 1, Histograms: 1, Nodes: 3,
		Features: []Shape{{"edge down", 1}, {"line across", 1}},
		LeafMin:  -2, LeafMax: 1.5,
		Exits: []Exit{{After: 1, Weak: 1, Threshold: -0.5, Low: -1, High: 0.5}, {After: 3, Weak: 2, Threshold: 1, Low: -3.25, High: 2.25}},
		Bytes: len(b),
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v\nwant %+v", s, want)
	}
	c.Exits[0].Restart, c.Exits[1].Restart = true, true
	if s, err := Describe(c); err != nil || s.Shape != "staged" || s.Exits[1].Low != -2.25 {
		t.Errorf("with restarts: %+v, %v", s, err)
	}
	c.Weak[0].Nodes[0].Feature = 7
	if _, err := Describe(c); err == nil {
		t.Error("a cascade with a feature that is not there was described")
	}
}

func TestSheet(t *testing.T) {
	c := small()
	img := Sheet(c, 0, 3, nil)
	// Four tests, two of them of the tree; a window's pixel is 12 large.
	if got, want := img.Rect.Size(), image.Pt(4*(96+gap)+gap, 96+lineSpace+2*barHeight+2*gap); got != want {
		t.Fatalf("%v, want %v", got, want)
	}
	// The first feature is light below and dark above.
	upper, lower := img.RGBAAt(gap+50, gap+20), img.RGBAAt(gap+50, gap+70)
	if upper != mix(110, lowers) || lower != mix(110, raises) {
		t.Errorf("above %v, below %v", upper, lower)
	}
	// Beside the second node's feature the base is visible.
	base := image.NewGray(image.Rect(0, 0, 8, 8))
	base.Pix[7*8+7] = 200
	img = Sheet(c, 1, 2, base)
	if got := img.RGBAAt(gap+96+gap+90, gap+90); got != (color.RGBA{200, 200, 200, 255}) {
		t.Errorf("the base's corner is %v", got)
	}
	// The histogram's bars go down on the left and up on the right.
	img = Sheet(c, 2, 3, nil)
	middle := gap + 96 + lineSpace + barHeight
	if l, r := img.RGBAAt(gap+5, middle+3), img.RGBAAt(gap+90, middle-3); l != negative || r != positive {
		t.Errorf("bars %v and %v", l, r)
	}
	if !bytes.Equal(Sheet(c, 0, 3, nil).Pix, Sheet(small(), 0, 3, nil).Pix) {
		t.Error("equal cascades have sheets that differ")
	}
}

func TestMaps(t *testing.T) {
	c := small()
	// All weak classifiers prefer light below.
	g := Template(c)
	up, down := g.GrayAt(1, 1).Y, g.GrayAt(1, g.Rect.Dy()-2).Y
	if up >= 100 || down <= 155 {
		t.Errorf("the template is %d above and %d below", up, down)
	}
	cover := Coverage(c, nil)
	if cover.Rect != g.Rect {
		t.Errorf("maps of %v and %v", cover.Rect, g.Rect)
	}
	// The second feature adds to the middle of the upper half, not to the
	// border.
	z := g.Rect.Dx() / 8
	if rim, in := cover.RGBAAt(1, 1), cover.RGBAAt(3*z+1, 2*z+1); in.R <= rim.R {
		t.Errorf("rim %v, middle %v", rim, in)
	}
}

func TestLBP(t *testing.T) {
	c := &cascade.Cascade{
		Kind: cascade.LBP, Width: 9, Height: 9, Cells: []image.Rectangle{image.Rect(0, 0, 3, 3), image.Rect(1, 1, 2, 2)},
		Weak:  []cascade.Weak{{Nodes: []cascade.Node{{Feature: 0, Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
		Exits: []cascade.Exit{{After: 1, Restart: true}},
	}
	s := must.Get(Describe(c))
	if s.Kind != "lbp" || names(s) != shapeLBP || s.Unused != 1 || s.OpenCVBytes == 0 {
		t.Errorf("%+v", s)
	}
	if Template(c) != nil {
		t.Error("patterns have no template")
	}
	img := Sheet(c, 0, 1, nil)
	if got, want := img.RGBAAt(gap+48, gap+48), mix(110, raises); got != want {
		t.Errorf("the middle cell is %v, want %v", got, want)
	}
	if got, want := img.RGBAAt(gap+13, gap+13), mix(110, lowers); got != want {
		t.Errorf("the corner is %v, want %v", got, want)
	}
}

func TestSheetBase(t *testing.T) {
	if got, want := must.Recover(func() { Sheet(small(), 0, 1, image.NewGray(image.Rect(0, 0, 3, 3))) }), "inspect: a base of 3x3 pixels for a cascade of 8x8"; got != want {
		t.Errorf("panic %v, want %v", got, want)
	}
}

// A description counts all of a chain of verifiers.
func TestDescribeVerifiers(t *testing.T) {
	tree := cascade.Weak{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{1, 2}}
	some := []cascade.Weak{tree, tree}
	v := &cascade.Verifier{
		Sides: 1.5, Weight: 3, Context: 2.5, Mirror: true, Trees: some, Boxes: &cascade.Boxes{Left: some, Bottom: some[:1]},
		Next: &cascade.Verifier{Sides: 1.4, Weight: 3, Trees: some[:1]},
	}
	const want = "2 trees of 2 nodes verify each detection, on a square of 1.5 times its side, with a weight of 3; " +
		"a second square is 2.5 times the side; the mean of the detection and its mirror image counts; 3 trees of 3 nodes correct the boxes; then " +
		"1 trees of 1 nodes verify each detection, on a square of 1.4 times its side, with a weight of 3"
	if got := DescribeVerifier(v).String(); got != want {
		t.Errorf("described as %q, want %q", got, want)
	}
	if DescribeVerifier(nil) != nil {
		t.Error("no verifier is described")
	}
}

// A description of a network names its layers as the trainer's flag does.
func TestDescribeNetwork(t *testing.T) {
	n := &cascade.Network{Overlap: 0.5, Steps: []cascade.NetworkStep{{Side: 24, Sides: 1.2, Layers: []cascade.NetworkLayer{
		{Kind: cascade.Conv, Outputs: 8, Weights: make([]int8, 216)}, {Kind: cascade.MaxPool}, {Kind: cascade.Dense, Outputs: 5, Weights: make([]int8, 100)},
	}}}}
	const want = "windows that overlap by more than 0.5 are suppressed; then 316 weights (conv8 max dense5) on 24x24 pixels of a square of 1.2 times the window"
	if got := DescribeNetwork(n).String(); got != want {
		t.Errorf("described as %q, want %q", got, want)
	}
	if DescribeNetwork(nil) != nil {
		t.Error("no network is described")
	}
}
