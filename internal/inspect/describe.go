package inspect

import (
	"bytes"
	"fmt"
	"strings"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/settings"
)

// A Summary lists the parts of a cascade.
type Summary struct {
	Name      string         `json:"name,omitempty"`
	Object    cascade.Object `json:"object,omitzero"`
	Kind      string         `json:"kind"` // haar, lbp
	Width     int            `json:"width"`
	Height    int            `json:"height"`
	Shape     string         `json:"shape"` // staged, chain, soft, mixed
	MinStdDev float64        `json:"minStdDev,omitempty"`

	cascade.Search

	Weak       int `json:"weakClassifiers"`
	Stumps     int `json:"stumps"` // of one node, also LBP's
	Trees      int `json:"trees"`
	Histograms int `json:"histograms"`
	Nodes      int `json:"nodes"` // of stumps and trees

	Features []Shape `json:"features"` // only those that it uses
	Unused   int     `json:"unusedFeatures,omitempty"`

	LeafMin float32 `json:"leafMin"` // range of the outputs
	LeafMax float32 `json:"leafMax"`

	Exits []Exit `json:"exits"`

	// Bytes is the size of a file in our format, OpenCVBytes of one in
	// OpenCV's; 0 if that cannot express the cascade, and NoOpenCV is the
	// reason.
	Bytes       int    `json:"bytes"`
	OpenCVBytes int    `json:"opencvBytes,omitempty"`
	NoOpenCV    string `json:"noOpenCV,omitempty"`

	Verifier *Verifier `json:"verifier,omitempty"`
	Network  *Network  `json:"network,omitempty"`

	Calibration *cascade.Calibration `json:"calibration,omitempty"`
	Provenance  cascade.Provenance   `json:"provenance"`
}

// A Verifier lists the parts of a cascade's verifier.
type Verifier struct {
	Trees  int     `json:"trees"`
	Nodes  int     `json:"nodes"`
	Sides  float64 `json:"sides"` // of the square, in sides of the detection
	Weight float64 `json:"weight"`

	MultiCrop *cascade.MultiCrop `json:"multiCrop,omitempty"`

	Context  float64   `json:"context,omitempty"`  // side of a second square
	Mirror   bool      `json:"mirror,omitempty"`   // verifies mirror images too
	BoxTrees int       `json:"boxTrees,omitempty"` // trees that correct boxes, with BoxNodes
	BoxNodes int       `json:"boxNodes,omitempty"`
	Next     *Verifier `json:"next,omitempty"` // after this one
}

// A Line is one statement about a cascade.
type Line struct{ Name, Text string }

// SearchFacts describes the search settings.
func (s *Summary) SearchFacts() []Line {
	var all []Line
	for _, f := range settings.All {
		if f.Is(&s.Search) {
			all = append(all, Line{f.Title, f.About(&s.Search)})
		}
	}
	return all
}

// Facts says all of s but what its exits are, in lines of a word and a text. cost is the
// text about what a search costs.
func (s *Summary) Facts(cost string) []Line {
	var all []Line
	add := func(name, format string, args ...any) {
		for text := range strings.Lines(fmt.Sprintf(format, args...)) {
			all = append(all, Line{name, strings.TrimRight(text, "\n")})
		}
	}
	if s.Name != "" {
		add("name", "%s", s.Name)
	}
	if o := s.Object; o != (cascade.Object{}) {
		add("object", "%s, %s", o.Singular, o.Plural)
	}
	add("cascade", "%s", s)
	add("weak", "%s", s.weakText())
	add("features", "%s", s.featureText())
	add("answers", "%.4g to %.4g", s.LeafMin, s.LeafMax)
	if s.Kind == "haar" {
		add("contrast", "windows need a standard deviation above %g grey levels", s.MinStdDev)
	}
	all = append(all, s.SearchFacts()...)
	if s.Verifier != nil {
		add("verifier", "%s", s.Verifier)
	}
	if s.Network != nil {
		add("network", "%s", s.Network)
	}
	if c := s.Calibration; c != nil {
		add("scores", "probabilities: 1/(1+exp(-(%g*s%+g))) of the margin s", c.Slope, c.Offset)
	} else {
		add("scores", "margins at the last exit, added up over a group; not calibrated")
	}
	if s.NoOpenCV == "" {
		add("bytes", "%d; %d in OpenCV's format", s.Bytes, s.OpenCVBytes)
	} else {
		add("bytes", "%d; %s", s.Bytes, s.NoOpenCV)
	}
	add("cost", "%s", cost)
	p := s.Provenance
	add("program", "%s", p.Program)
	add("command", "%s", p.Command)
	add("data", "%s", strings.Join(p.Data, "\n"))
	add("note", "%s", p.Note)
	if p.Program != "" || p.Command != "" {
		add("seed", "%d", p.Seed)
	}
	return all
}

func (s *Summary) weakText() string {
	var parts []string
	add := func(n int, one, more string) {
		if n == 1 {
			more = one
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, more))
		}
	}
	add(s.Stumps, "stump", "stumps")
	add(s.Trees, "tree", "trees")
	if s.Trees > 0 {
		parts[len(parts)-1] += fmt.Sprintf(" of %.1f nodes on average", float64(s.Nodes-s.Stumps)/float64(s.Trees))
	}
	add(s.Histograms, "histogram", "histograms")
	return strings.Join(parts, ", ")
}

func (s *Summary) featureText() string {
	var parts []string
	total := 0
	for _, f := range s.Features {
		parts = append(parts, fmt.Sprintf("%s %d", f.Name, f.Count))
		total += f.Count
	}
	text := fmt.Sprintf("%d: %s", total, strings.Join(parts, ", "))
	if s.Unused > 0 {
		text += fmt.Sprintf("; and %d that no weak learner uses", s.Unused)
	}
	return text
}

// DescribeVerifier counts the parts of v.
func DescribeVerifier(v *cascade.Verifier) *Verifier {
	if v == nil {
		return nil
	}
	d := &Verifier{Trees: len(v.Trees), Sides: v.Sides, Weight: v.Weight}
	if v.MultiCrop != (cascade.MultiCrop{}) {
		d.MultiCrop = &v.MultiCrop
	}
	for i := range v.Trees {
		d.Nodes += len(v.Trees[i].Nodes)
	}
	if b := v.Boxes; b != nil {
		for _, trees := range [][]cascade.Weak{b.Left, b.Top, b.Right, b.Bottom} {
			d.BoxTrees += len(trees)
			for i := range trees {
				d.BoxNodes += len(trees[i].Nodes)
			}
		}
	}
	d.Context, d.Mirror, d.Next = v.Context, v.Mirror, DescribeVerifier(v.Next)
	return d
}

func (v *Verifier) String() string {
	s := fmt.Sprintf("%d trees of %d nodes verify each detection, on a square of %g times its side, with a weight of %g", v.Trees, v.Nodes, v.Sides, v.Weight)
	if a := v.MultiCrop; a != nil {
		s += fmt.Sprintf("; margins between %g and %g become the mean of the best two of seven crops, shifted by up to %g of a side and scaled by up to %g", a.Low, a.High, a.Shift, a.Grow)
	}
	if v.Context != 0 {
		s += fmt.Sprintf("; a second square is %g times the side", v.Context)
	}
	if v.Mirror {
		s += "; the mean of the detection and its mirror image counts"
	}
	if v.BoxTrees > 0 {
		s += fmt.Sprintf("; %d trees of %d nodes correct the boxes", v.BoxTrees, v.BoxNodes)
	}
	if v.Next != nil {
		s += "; then " + v.Next.String()
	}
	return s
}

// A Network lists the parts of a cascade's network.
type Network struct {
	Overlap float64       `json:"overlap"` // largest of windows before the first step
	Steps   []NetworkStep `json:"steps"`
}

// A NetworkStep is one step of a network.
type NetworkStep struct {
	Side    int      `json:"side"`  // in pixels
	Sides   float64  `json:"sides"` // of the square, in sides of the window
	Carry   float64  `json:"carry,omitempty"`
	Mirror  bool     `json:"mirror,omitempty"` // what passes is examined again, mirrored
	Layers  []string `json:"layers"`           // as train-cascade network -step names them
	Weights int      `json:"weights"`
}

// DescribeNetwork counts the parts of n.
func DescribeNetwork(n *cascade.Network) *Network {
	if n == nil {
		return nil
	}
	d := &Network{Overlap: n.Overlap}
	for i := range n.Steps {
		s := &n.Steps[i]
		step := NetworkStep{Side: s.Side, Sides: s.Sides, Carry: s.Carry, Mirror: s.Mirror}
		for j := range s.Layers {
			l := &s.Layers[j]
			step.Weights += len(l.Weights)
			switch l.Kind {
			case cascade.Conv:
				step.Layers = append(step.Layers, fmt.Sprint("conv", l.Outputs))
			case cascade.MaxPool:
				step.Layers = append(step.Layers, "max")
			default:
				step.Layers = append(step.Layers, fmt.Sprint("dense", l.Outputs))
			}
		}
		d.Steps = append(d.Steps, step)
	}
	return d
}

func (n *Network) String() string {
	s := fmt.Sprintf("windows that overlap by more than %v are suppressed", n.Overlap)
	for _, step := range n.Steps {
		s += fmt.Sprintf("; then %d weights (%s) on %dx%d pixels of a square of %v times the window",
			step.Weights, strings.Join(step.Layers, " "), step.Side, step.Side, step.Sides)
		if step.Mirror {
			s += ", and again, mirrored, in the corrected box"
		}
	}
	return s
}

// A Shape is a kind of feature and how many of it a cascade has.
type Shape struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// An Exit is one exit of a cascade, and the range of scores at it.
type Exit struct {
	After     int     `json:"after"` // weak classifiers
	Weak      int     `json:"weakClassifiers"`
	Threshold float32 `json:"threshold"`
	Restart   bool    `json:"restart,omitempty"`
	Low       float64 `json:"low"` // lowest and highest possible score
	High      float64 `json:"high"`
}

// Describe counts the parts of c. An invalid cascade is an error.
func Describe(c *cascade.Cascade) (*Summary, error) {
	var b bytes.Buffer
	if err := c.Encode(&b); err != nil {
		return nil, err
	}
	s := &Summary{
		Name: c.Name, Object: c.Object, Kind: "haar", Width: c.Width, Height: c.Height, Shape: shapeOf(c), MinStdDev: c.MinStdDev, Search: c.Search,
		Weak: len(c.Weak), Bytes: b.Len(), Calibration: c.Calibration, Provenance: c.Provenance,
	}
	if c.Kind == cascade.LBP {
		s.Kind = "lbp"
	}
	b.Reset()
	if err := c.EncodeOpenCV(&b); err != nil {
		s.NoOpenCV = err.Error()
	} else {
		s.OpenCVBytes = b.Len()
	}
	s.Network, s.Verifier = DescribeNetwork(c.Network), DescribeVerifier(c.Verifier)
	used := make([]bool, max(len(c.Features), len(c.Cells)))
	s.LeafMin, s.LeafMax = c.Weak[0].Leaves[0], c.Weak[0].Leaves[0]
	for i := range c.Weak {
		w := &c.Weak[i]
		switch {
		case w.Histogram():
			s.Histograms++
			used[w.Feature] = true
		case len(w.Nodes) == 1:
			s.Stumps++
		default:
			s.Trees++
		}
		s.Nodes += len(w.Nodes)
		for _, nd := range w.Nodes {
			used[nd.Feature] = true
		}
		low, high := leafRange(w)
		s.LeafMin, s.LeafMax = min(s.LeafMin, low), max(s.LeafMax, high)
	}
	counts := map[string]int{}
	for i, u := range used {
		switch {
		case !u:
			s.Unused++
		case c.Kind == cascade.LBP:
			counts[shapeLBP]++
		default:
			counts[ShapeName(&c.Features[i])]++
		}
	}
	for _, name := range shapeNames {
		if counts[name] > 0 {
			s.Features = append(s.Features, Shape{name, counts[name]})
		}
	}
	from, low, high := 0, 0.0, 0.0
	for _, e := range c.Exits {
		for i := from; i < e.After; i++ {
			l, h := leafRange(&c.Weak[i])
			low, high = low+float64(l), high+float64(h)
		}
		s.Exits = append(s.Exits, Exit{e.After, e.After - from, e.Threshold, e.Restart, low, high})
		if from = e.After; e.Restart {
			low, high = 0, 0
		}
	}
	return s, nil
}

func leafRange(w *cascade.Weak) (low, high float32) {
	low, high = w.Leaves[0], w.Leaves[0]
	for _, l := range w.Leaves {
		low, high = min(low, l), max(high, l)
	}
	return low, high
}

// shapeOf names the shape of c as the trainer does.
func shapeOf(c *cascade.Cascade) string {
	restarts := 0
	for _, e := range c.Exits {
		if e.Restart {
			restarts++
		}
	}
	switch {
	case restarts == len(c.Exits):
		return "staged"
	case restarts == 0 && len(c.Exits) == len(c.Weak):
		return "soft"
	case restarts == 0:
		return "chain"
	}
	return "mixed"
}

const shapeLBP = "3x3 cells"

// shapeNames are all that ShapeName returns, and shapeLBP, in the order of a
// table.
var shapeNames = []string{
	"edge across", "edge down", "line across", "line down", "wide line across", "wide line down",
	"checkerboard", "centre", "tilted edge", "tilted line", "two rectangles", "three rectangles", shapeLBP,
}

// ShapeName names the shape of f: an edge across has its two halves side by
// side, a line down its three parts one above the other.
func ShapeName(f *haar.Feature) string {
	whole, part := f.Rects[0], f.Rects[1]
	n := f.Count()
	inside := part.X >= whole.X && part.Y >= whole.Y && part.X+part.W <= whole.X+whole.W && part.Y+part.H <= whole.Y+whole.H
	other := "two rectangles"
	if n == 3 {
		other = "three rectangles"
	}
	switch {
	case f.Tilted && n == 2 && part.W*part.H*2 == whole.W*whole.H:
		return "tilted edge"
	case f.Tilted && n == 2 && part.W*part.H < whole.W*whole.H:
		return "tilted line"
	case f.Tilted:
		return other
	case n == 3 && inside && 2*part.W == whole.W && 2*part.H == whole.H:
		return "checkerboard"
	case n == 3 || !inside:
		return other
	case part.H == whole.H && 2*part.W == whole.W && (part.X == whole.X || part.X+part.W == whole.X+whole.W):
		return "edge across"
	case part.W == whole.W && 2*part.H == whole.H && (part.Y == whole.Y || part.Y+part.H == whole.Y+whole.H):
		return "edge down"
	case part.H == whole.H && 3*part.W == whole.W:
		return "line across"
	case part.W == whole.W && 3*part.H == whole.H:
		return "line down"
	case part.H == whole.H && 2*part.W == whole.W:
		return "wide line across"
	case part.W == whole.W && 2*part.H == whole.H:
		return "wide line down"
	case 3*part.W == whole.W && 3*part.H == whole.H:
		return "centre"
	}
	return other
}

// String returns the summary in one line.
func (s *Summary) String() string {
	kind := "Haar features"
	if s.Kind == "lbp" {
		kind = "local binary patterns"
	}
	return fmt.Sprintf("%dx%d %s, %s, %d weak classifiers, %d exits", s.Width, s.Height, kind, s.Shape, s.Weak, len(s.Exits))
}
