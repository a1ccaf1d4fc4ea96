package cascade

import (
	"errors"
	"image"
	"math"
	"strings"
	"testing"

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

		{"soft", "both Features and Cells", func(c *Cascade) { c.Cells = []image.Rectangle{image.Rect(0, 0, 1, 1)} }},
		{"soft", "weak classifier 0: feature 2", func(c *Cascade) { c.Features = c.Features[:2] }},
		{"soft", "weak classifier 0: feature 2", func(c *Cascade) { c.Features = nil }},
		{"soft", "no features", func(c *Cascade) { c.Features, c.Weak, c.Exits = nil, nil, nil }},
		{"soft", "feature 0: 1 weighted", func(c *Cascade) { c.Features[0].Rects[1] = haar.Rect{} }},
		{"soft", "feature 1: rectangle 1: weight 70000", func(c *Cascade) { c.Features[1].Rects[1].Weight = 70000 }},
		{"soft", "feature 1: rectangle 0: weight +Inf", func(c *Cascade) { c.Features[1].Rects[0].Weight = inf }},
		{"soft", "feature 2: rectangle 2 has weight 0", func(c *Cascade) { c.Features[2].Rects[2].Weight = 0 }},
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
