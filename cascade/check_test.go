package cascade

import (
	"bytes"
	"errors"
	"image"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"haarlem/haar"
)

// Every change makes a valid cascade invalid, and the error says what is wrong.
func TestCheck(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, test := range []struct {
		of     string
		want   string
		change func(c *Cascade)
	}{
		{"soft", "kind 0", func(c *Cascade) { c.Kind = 0 }},
		{"soft", "kind 3", func(c *Cascade) { c.Kind = 3 }},
		{"soft", "Cells in an LBP cascade", func(c *Cascade) { c.Kind, c.MinStdDev = LBP, 0 }},
		{"soft", "name: 101 bytes", func(c *Cascade) { c.Name = strings.Repeat("n", 101) }},
		{"soft", "name", func(c *Cascade) { c.Name = "two\nlines" }},
		{"soft", "name", func(c *Cascade) { c.Name = "\xff" }},
		{"soft", "window 24x2", func(c *Cascade) { c.Height = 2 }},
		{"soft", "window 1025x20", func(c *Cascade) { c.Width = 1025 }},
		{"soft", "window -24x20", func(c *Cascade) { c.Width = -24 }},
		{"soft", "window 260x259", func(c *Cascade) { c.Width, c.Height = 260, 259 }},
		{"soft", "MinStdDev -1", func(c *Cascade) { c.MinStdDev = -1 }},
		{"soft", "MinStdDev NaN", func(c *Cascade) { c.MinStdDev = math.NaN() }},
		{"soft", "MinStdDev 127.5", func(c *Cascade) { c.MinStdDev = 127.5 }},
		{"xml-lbp", "MinStdDev 10", func(c *Cascade) { c.MinStdDev = 10 }},
		{"soft", "calibration", func(c *Cascade) { c.Calibration.Slope = 0 }},
		{"soft", "calibration", func(c *Cascade) { c.Calibration.Slope = math.Inf(1) }},
		{"soft", "calibration", func(c *Cascade) { c.Calibration.Offset = math.NaN() }},
		{"soft", "1001 data sets", func(c *Cascade) { c.Provenance.Data = make([]string, 1001) }},
		{"soft", "data set 1", func(c *Cascade) { c.Provenance.Data[1] = "\xff" }},
		{"soft", "program", func(c *Cascade) { c.Provenance.Program = strings.Repeat("x", 1<<16+1) }},
		{"soft", "command", func(c *Cascade) { c.Provenance.Command = "\xff" }},
		{"soft", "note", func(c *Cascade) { c.Provenance.Note = "\xff" }},

		{"verified", "a square of NaN sides", func(c *Cascade) { c.Verifier.Sides = math.NaN() }},
		{"verified", "a square of 4.01 sides", func(c *Cascade) { c.Verifier.Sides = 4.01 }},
		{"verified", "weight 0", func(c *Cascade) { c.Verifier.Weight = 0 }},
		{"verified", "weight +Inf", func(c *Cascade) { c.Verifier.Weight = math.Inf(1) }},
		{"verified", "multi-crop", func(c *Cascade) { c.Verifier.MultiCrop = MultiCrop{Low: 1, High: 1, Shift: 0.1} }},
		{"verified", "multi-crop", func(c *Cascade) { c.Verifier.MultiCrop = MultiCrop{Low: 1, High: math.Inf(1), Shift: 0.1} }},
		{"verified", "multi-crop", func(c *Cascade) { c.Verifier.MultiCrop = MultiCrop{High: 1, Shift: 0.51} }},
		{"verified", "multi-crop", func(c *Cascade) { c.Verifier.MultiCrop = MultiCrop{High: 1, Grow: math.NaN()} }},
		{"verified", "no trees", func(c *Cascade) { c.Verifier.Trees = nil }},
		{"verified", "feature 1799", func(c *Cascade) { c.Verifier.Trees[0].Nodes[0].Feature = 1799 }},
		{"verified", "a histogram", func(c *Cascade) { c.Verifier.Trees[0] = Weak{Scale: 1, Leaves: make([]float32, 8)} }},
		{"verified", "leaf 0 is NaN", func(c *Cascade) { c.Verifier.Trees[0].Leaves[0] = nan }},
		{"verified", "node 0: child -1 has another parent", func(c *Cascade) { c.Verifier.Trees[0].Nodes[0].Left = c.Verifier.Trees[0].Nodes[0].Right }},

		{"soft", "both Features and Cells", func(c *Cascade) { c.Cells = []image.Rectangle{image.Rect(0, 0, 1, 1)} }},
		{"soft", "weak classifier 0: feature 2", func(c *Cascade) { c.Features = c.Features[:2] }},
		{"soft", "weak classifier 0: feature 2", func(c *Cascade) { c.Features = nil }},
		{"soft", "no features", func(c *Cascade) { c.Features, c.Weak, c.Exits = nil, nil, nil }},
		{"soft", "feature 0: 1 weighted", func(c *Cascade) { c.Features[0].Rects[1] = haar.Rect{} }},
		{"soft", "feature 1: rectangle 1: weight 70000", func(c *Cascade) { c.Features[1].Rects[1].Weight = 70000 }},
		{"soft", "feature 1: rectangle 0: weight +Inf", func(c *Cascade) { c.Features[1].Rects[0].Weight = inf }},
		{"soft", "feature 2: rectangle 2 has weight 0", func(c *Cascade) { c.Features[2].Rects[2].Weight = 0 }},
		{"xml-stumps", "feature 0: ", func(c *Cascade) { c.Features[0].Rects[2] = haar.Rect{W: 1} }}, // which a file cannot hold
		{"soft", "feature 1: rectangle 0: tilted", func(c *Cascade) { c.Features[1].Rects[0].X = 2 }},
		{"soft", "feature 1: rectangle 1: tilted", func(c *Cascade) { c.Features[1].Rects[1].Y = 16 }},
		{"soft", "feature 0: rectangle 0", func(c *Cascade) { c.Features[0].Rects[0].W = math.MaxInt32 }},
		{"xml-lbp", "feature 0: 3x3 cells", func(c *Cascade) { c.Cells[0].Max.X++ }},
		{"xml-lbp", "feature 0: 3x3 cells", func(c *Cascade) { c.Cells[0].Max.Y++ }},
		{"xml-lbp", "feature 1: 3x3 cells", func(c *Cascade) { c.Cells[1].Min.X = -1 }},
		{"xml-lbp", "feature 1: 3x3 cells", func(c *Cascade) { c.Cells[1].Min.X = 4 }},
		{"xml-lbp", "feature 2: 3x3 cells", func(c *Cascade) { c.Cells[2] = image.Rect(22, 17, 23, 18) }},
		{"xml-lbp", "feature 2: 3x3 cells", func(c *Cascade) { c.Cells[2].Min.Y = math.MinInt }},
		{"xml-lbp", "feature 2: 3x3 cells", func(c *Cascade) { c.Cells[2].Max.Y = math.MaxInt }},

		{"soft", "weak classifier 2: 3 leaves, want 2", func(c *Cascade) { c.Weak[2].Leaves = make([]float32, 3) }},
		{"soft", "weak classifier 1: leaf 15 is NaN", func(c *Cascade) { c.Weak[1].Leaves[15] = nan }},
		{"soft", "weak classifier 2: leaf 0 is -Inf", func(c *Cascade) { c.Weak[2].Leaves[0] = -inf }},
		{"soft", "weak classifier 0: leaf 1 is 1e+10", func(c *Cascade) { c.Weak[0].Leaves[1] = 1e10 }},
		{"soft", "weak classifier 0: a histogram of 7 leaves", func(c *Cascade) { c.Weak[0].Leaves = c.Weak[0].Leaves[:7] }},
		{"soft", "weak classifier 0: a histogram of 0 leaves", func(c *Cascade) { c.Weak[0].Leaves = nil }},
		{"soft", "Scale 0", func(c *Cascade) { c.Weak[0].Scale = 0 }},
		{"soft", "Scale -1", func(c *Cascade) { c.Weak[0].Scale = -1 }},
		{"soft", "Scale NaN", func(c *Cascade) { c.Weak[0].Scale = nan }},
		{"soft", "Scale +Inf", func(c *Cascade) { c.Weak[0].Scale = inf }},
		{"soft", "Low NaN", func(c *Cascade) { c.Weak[0].Low = nan }},
		{"soft", "weak classifier 0: feature 3, want 0 to 2", func(c *Cascade) { c.Weak[0].Feature = 3 }},
		{"soft", "weak classifier 2: node 0: feature -1", func(c *Cascade) { c.Weak[2].Nodes[0].Feature = -1 }},
		{"soft", "threshold NaN", func(c *Cascade) { c.Weak[2].Nodes[0].Threshold = nan }},
		{"soft", "a subset, want none", func(c *Cascade) { c.Weak[2].Nodes[0].Subset[7] = 1 }},
		{"soft", "a tree with a histogram's", func(c *Cascade) { c.Weak[2].Feature = 1 }},
		{"xml-lbp", "threshold 1, want none", func(c *Cascade) { c.Weak[0].Nodes[0].Threshold = 1 }},
		{"xml-lbp", "a histogram, want trees only", func(c *Cascade) { c.Weak[0] = Weak{Scale: 1, Leaves: make([]float32, 8)} }},

		{"xml-trees", "node 1: child 0 has another parent", func(c *Cascade) { c.Weak[0].Nodes[1].Right = 0 }},
		{"xml-trees", "node 1: child 1 has another parent", func(c *Cascade) { c.Weak[0].Nodes[1].Left = 1 }},
		{"xml-trees", "node 2: child 1 has another parent", func(c *Cascade) { c.Weak[0].Nodes[2].Left = 1 }},
		{"xml-trees", "node 0: child 3", func(c *Cascade) { c.Weak[0].Nodes[0].Left = 3 }},
		{"xml-trees", "node 0: child -4", func(c *Cascade) { c.Weak[0].Nodes[0].Left = -4 }},
		{"xml-trees", "node 0: child -2147483648", func(c *Cascade) { c.Weak[0].Nodes[0].Left = math.MinInt32 }},
		{"xml-trees", "node 2: feature 3", func(c *Cascade) { c.Weak[0].Nodes[2].Feature = 3 }},
		// Nodes 1 and 2 are each other's child; everything has one parent.
		{"xml-trees", "2 of 3 nodes cannot be reached", func(c *Cascade) {
			n := c.Weak[0].Nodes
			n[0].Left, n[0].Right, n[1].Left, n[1].Right, n[2].Left, n[2].Right = 0, -1, 2, -2, 1, -3
		}},

		{"soft", "no weak classifiers", func(c *Cascade) { c.Weak, c.Exits = nil, nil }},
		{"soft", "no exits", func(c *Cascade) { c.Exits = nil }},
		{"soft", "exit 0 comes after 4", func(c *Cascade) { c.Exits[0].After = 4 }},
		{"soft", "exit 0 comes after 0", func(c *Cascade) { c.Exits[0].After = 0 }},
		{"soft", "exit 1 comes after 1", func(c *Cascade) { c.Exits[1].After = 1 }},
		{"soft", "exit 2 comes after -3", func(c *Cascade) { c.Exits[2].After = -3 }},
		{"soft", "the last exit comes after 2", func(c *Cascade) { c.Exits = c.Exits[:2] }},
		{"soft", "exit 1: threshold NaN", func(c *Cascade) { c.Exits[1].Threshold = nan }},
		{"soft", "exit 1: threshold -Inf", func(c *Cascade) { c.Exits[1].Threshold = -inf }},
	} {
		c := fileCascades()[test.of]
		if err := c.Check(); err != nil {
			t.Fatalf("%s before the change: %v", test.of, err)
		}
		test.change(c)
		err := c.Check()
		if !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want one of ErrModel that says %q", err, test.want)
		}
	}
}

// The largest windows are valid, and so is a tree as deep as it has nodes.
func TestCheckAccepts(t *testing.T) {
	c := fileCascades()["soft"]
	for _, size := range [][2]int{{24, 1024}, {1024, 66}, {258, 259}, {258, 258}} {
		c.Width, c.Height = size[0], size[1]
		if err := c.Check(); err != nil {
			t.Errorf("window %v: %v", size, err)
		}
	}
	lbp := fileCascades()["xml-lbp"]
	lbp.Width, lbp.Height = 1024, 1024
	if err := lbp.Check(); err != nil {
		t.Error(err)
	}
	const depth = 10000
	deep := Weak{Leaves: make([]float32, depth+1)}
	for i := range int32(depth) {
		deep.Nodes = append(deep.Nodes, Node{Left: -i, Right: i + 1})
	}
	deep.Nodes[depth-1].Right = -depth
	c.Weak[2] = deep
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	var cyclic Cascade = *c
	cyclic.Weak[2].Nodes[depth-1].Right = 1
	if err := cyclic.Check(); !errors.Is(err, ErrModel) {
		t.Errorf("error %v for a cycle, want one of ErrModel", err)
	}
}

// Every limit accepts the exact number and refuses one more.
func TestLimits(t *testing.T) {
	xml, native := []byte(newFormXML), encode(fileCascades()["xml-trees"])
	old := []byte(oldFormXML)
	for _, test := range []struct {
		what     string
		file     []byte
		enough   Limits
		tooSmall Limits
	}{
		{"bytes", xml, Limits{Bytes: len(xml)}, Limits{Bytes: len(xml) - 1}},
		{"bytes", native, Limits{Bytes: len(native)}, Limits{Bytes: len(native) - 1}},
		{"features", xml, Limits{Features: 2}, Limits{Features: 1}},
		{"features", old, Limits{Features: 3}, Limits{Features: 2}},
		{"features", native, Limits{Features: 3}, Limits{Features: 2}},
		{"weak classifiers", xml, Limits{Weak: 2}, Limits{Weak: 1}},
		{"weak classifiers", native, Limits{Weak: 2}, Limits{Weak: 1}},
		{"nodes", xml, Limits{Nodes: 2}, Limits{Nodes: 1}},
		{"nodes", old, Limits{Nodes: 3}, Limits{Nodes: 2}},
		{"nodes", native, Limits{Nodes: 4}, Limits{Nodes: 3}},
		{"nodes", native, Limits{Nodes: 4}, Limits{Nodes: 2}},
		{"elements", xml, Limits{Elements: 36}, Limits{Elements: 35}},
		{"rectangles", xml, Limits{Work: 8}, Limits{Work: 7}},
		{"rectangles", native, Limits{Work: 18}, Limits{Work: 17}},
		{"deeper", xml, Limits{Depth: 7}, Limits{Depth: 6}},
	} {
		if _, err := Read(bytes.NewReader(test.file), &test.enough); err != nil {
			t.Errorf("%+v: %v", test.enough, err)
		}
		_, err := Read(bytes.NewReader(test.file), &test.tooSmall)
		if !errors.Is(err, ErrLimit) || errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.what) {
			t.Errorf("%+v: error %v, want one of ErrLimit about %s", test.tooSmall, err, test.what)
		}
	}
	for _, lim := range []Limits{{Bytes: -1}, {Depth: 1<<30 + 1}} {
		if _, err := Read(bytes.NewReader(xml), &lim); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: error %v, want one of ErrOptions", lim, err)
		}
	}
}

// An endless stream is read up to the limit and no further.
func TestReadEndless(t *testing.T) {
	if _, err := Read(endless{}, &Limits{Bytes: 1 << 20}); !errors.Is(err, ErrLimit) {
		t.Errorf("error %v, want one of ErrLimit", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// bombs are files of about 1 MB, each the largest of its kind.
func bombs() map[string]string {
	fill := func(head, each, tail string) string {
		const size = 1 << 20
		return head + strings.Repeat(each, (size-len(head)-len(tail))/len(each)) + tail
	}
	start, rest, _ := strings.Cut(newFormXML, "<stages>")
	_, features, _ := strings.Cut(rest, "<features>")
	features = "<features>" + features
	stage := `<_><stageThreshold>0</stageThreshold><weakClassifiers>`
	stageEnd := "</weakClassifiers></_></stages>"
	lbpStart, lbpRest, _ := strings.Cut(lbpXML, "<features>")
	tree := `<_><internalNodes>0 -1 0 0</internalNodes><leafValues>0 0</leafValues></_>`
	head, body, _ := strings.Cut(nativeText, "features 3\n")
	_, weak, _ := strings.Cut(body, "grid 2^-4\n")
	_, lines, _ := strings.Cut(weak, "\n")
	threeFeatures := body[:strings.Index(body, "grid")]
	return map[string]string{
		"elements":          fill("<opencv_storage>", "<a/>", "</opencv_storage>"),
		"elements, deep":    fill("<opencv_storage>", "<a>", ""),
		"comments":          fill("<opencv_storage>", "<!---->", "</opencv_storage>"),
		"text":              fill("<opencv_storage>", "1 ", "</opencv_storage>"),
		"name":              fill("<", "a", "/>"),
		"attributes":        fill("<opencv_storage", ` a=""`, "/>"),
		"only <":            fill("", "<", ""),
		"laughs":            fill(billionLaughs, "&c;", "</opencv_storage>"),
		"XML trees":         fill(start+"<stages>"+stage, tree, stageEnd+features),
		"XML stages":        fill(start+"<stages>", stage+tree+"</weakClassifiers></_>", "</stages>"+features),
		"XML one tree":      fill(start+"<stages>"+stage+"<_><internalNodes>", "1 1 0 0 ", "</internalNodes><leafValues>0 0</leafValues></_>"+stageEnd+features),
		"XML leaves":        fill(start+"<stages>"+stage+"<_><internalNodes>0 -1 0 0</internalNodes><leafValues>", "0 ", "</leafValues></_>"+stageEnd+features),
		"XML features":      fill(start+"<stages>"+stage+tree+stageEnd+"<features>", "<_><rects><_>0 0 1 1 1</_><_>0 0 1 1 1</_></rects></_>", "</features></cascade></opencv_storage>"),
		"XML cells":         fill(lbpStart+"<features>", "<_><rect>0 0 1 1</rect></_>", lbpRest[strings.Index(lbpRest, "</features>"):]),
		"native cells":      fill("haarlem-cascade 1\nkind lbp\nwindow 24 20\nseed 0\nfeatures 79000\n", "cell 0 0 1 1\n", ""),
		"native features":   fill(head+"features 45000\n", "up 0 0 1 1 1 0 0 1 1 1\n", ""),
		"native stumps":     fill(head+"features 3\n"+threeFeatures+"grid 2^-0\nweak 73000 exits 73000\n", "stump 0 0 0 0\n", ""),
		"native exits":      fill(head+"features 3\n"+threeFeatures+"grid 2^-0\nweak 45000 exits 45000\n", "stump 0 0 0 0\nexit 0\n", ""),
		"native histograms": fill(head+"features 3\n"+threeFeatures+"grid 2^-0\nweak 40000 exits 40000\n", "hist 0 0 1 0 0 0 0 0 0 0 0\n", ""),
		"native tree":       fill(head+"features 3\n"+threeFeatures+"weak 1 exits 1\ntree 131000", " 0 0 1 1", " 0 0\nexit 0\n"),
		"native strings":    fill("haarlem-cascade 1\nkind haar\nwindow 24 20\nmin-std-dev 1\nseed 0\n", "data \"\"\n", ""),
		"native name":       fill("haarlem-cascade 1\nname \"", "\\u0041", "\"\n"),
		"native number":     fill("haarlem-cascade 1\nkind haar\nwindow ", "1", " 20\n"),
		"native line":       fill("haarlem-cascade 1\nkind haar\nwindow 24 20\nmin-std-dev 0", " ", "\n") + lines,
		"native no line":    fill("haarlem-cascade ", "1", ""),
	}
}

// Reading a bomb of 1 MB allocates less than 40 MB in total, so its peak is
// below that, too.
func TestReadBombs(t *testing.T) {
	for name, file := range bombs() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		_, err := Read(io.MultiReader(strings.NewReader(file)), nil)
		spent := time.Since(start)
		runtime.ReadMemStats(&after)
		took := (after.TotalAlloc - before.TotalAlloc) >> 20
		if took >= 40 {
			t.Errorf("%s: %d MB, want less than 40", name, took)
		}
		if spent > time.Minute {
			t.Errorf("%s: %v", name, spent)
		}
		text := "no error"
		if err != nil {
			text = err.Error()
		}
		if len(text) > 400 {
			t.Errorf("%s: an error of %d bytes", name, len(text))
		}
		t.Logf("%s: %d MB, %v, %s", name, took, spent.Round(time.Millisecond), text)
	}
}

func TestAppendFloat32(t *testing.T) {
	// The shortest number for this one reads back differently by way of
	// float64.
	rare := math.Float32frombits(0x15ae43fd)
	short := strconv.FormatFloat(float64(rare), 'g', -1, 32)
	if by, err := strconv.ParseFloat(short, 64); err != nil || float32(by) == rare {
		t.Fatalf("%s is harmless: %v", short, err)
	}
	if got := string(appendFloat32(nil, float32(math.Copysign(0, -1)))); got != "0" {
		t.Errorf("negative zero is written %s", got)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 300_000 {
		v := math.Float32frombits(random.Uint32())
		if i == 0 {
			v = rare
		}
		if !isFinite(float64(v)) {
			continue
		}
		s := string(appendFloat32(nil, v))
		once, err1 := strconv.ParseFloat(s, 32)
		twice, err2 := strconv.ParseFloat(s, 64)
		if err1 != nil || err2 != nil || float32(once) != v || float32(twice) != v {
			t.Fatalf("%v is written %s, which is %v at once and %v by way of float64", v, s, once, float32(twice))
		}
		if got, err := parseReal([]byte(s)); err != nil || got != v {
			t.Fatalf("%s is read as %v, %v", s, got, err)
		}
	}
}

func TestParseReal(t *testing.T) {
	for word, want := range map[string]float32{
		"0": 0, "-0": 0, "7": 7, "-12": -12, "-1.": -1, ".5": 0.5, "-.5": -0.5, "1e-003": 0.001,
		"+1.5": 1.5, "1.0E+2": 100, "2147483647": 1 << 31, "1e-400": 0, "3.4028235e38": math.MaxFloat32,
		// Halfway in float64: to even, as a C++ cast of OpenCV's double does.
		"1.00000005960464477539062500001": 1,
	} {
		if got, err := parseReal([]byte(word)); err != nil || got != want {
			t.Errorf("%s is %v, %v; want %v", word, got, err, want)
		}
	}
	for _, word := range []string{"", "-", "+", ".", "e", "-e5", "010", "0x10", "0x1p3", "1e", "1e5.", "1.2.3", "nan", "NaN.", "inf", "1_0.0", "1,5", "1E5", "+1", "2147483648", "3.5e38", "1e400", "--1", "1-", "1.5\x00"} {
		if got, err := parseReal([]byte(word)); err == nil {
			t.Errorf("%q is %v, want an error", word, got)
		}
	}
	if _, err := parseReal(nil); err == nil {
		t.Error("nothing is a number")
	}
}
