package boost

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The file is text, one item per line, words separated by blanks: people can
// read it, and compare files with diff. Numbers are the shortest decimals that
// read back as the same bits.
//
//	haarlem-boost 1
//	booster discrete
//	link doublelogistic
//	bias 0
//	damping 0
//	columns 2
//	names 2
//	"x"
//	"y"
//	terms 1
//	term 0.42
//	tree 1
//	node 0 2.5 right 0 -1
//	leaf 1
//	leaf -1
//	end
//
// Version 2 has five more lines, and those that they announce: linkscale and
// calibration after damping, and levels and classes after the names; and its
// trees may have nodes of levels. A file has the lowest version that can
// express it.
//
//	linkscale 1.2
//	calibration none
//	...
//	levels 2
//	numeric
//	categorical 3
//	"blue"
//	"green"
//	"red"
//	classes 2
//	"bad"
//	"good"
//
// Version 3 has a line more, may have a table in place of a calibration, for an inverse
// link that is a function, and trees whose leaves have their covers:
//
//	calibration table 2023
//	...
//	threshold 0.3
//	...
//	covered 1
//	node 0 2.5 right 0 -1
//	leaf 1 120
//	leaf -1 80

const modelMagic = "haarlem-boost "

// ErrFormat is wrapped by errors about files that are no models.
var ErrFormat = errors.New("boost: not a model file")

// ErrUnsaved is wrapped by errors of [Model.Save] about weak learners without a
// form in files.
var ErrUnsaved = errors.New("boost: weak learner cannot be saved")

var linkNames = [...]string{"none", "logistic", "doublelogistic", "matsushita", "linear", "erf", "identity", "log"}

// Save writes m as text.
func (m *Model) Save(w io.Writer) error {
	b := bufio.NewWriter(w)
	if err := m.save(b); err != nil {
		return err
	}
	return b.Flush()
}

func (m *Model) save(w *bufio.Writer) error {
	if err := m.Schema.check(m.Columns); err != nil {
		return err
	}
	for _, names := range append([][]string{m.Names, m.Classes}, m.Levels...) {
		for _, n := range names {
			if len(strconv.Quote(n)) >= maxLine {
				return fmt.Errorf("%w: a name of %d bytes", ErrUnsaved, len(n))
			}
		}
	}
	calibration := m.Calibration
	if m.Inverse != nil && calibration == nil {
		var err error
		if calibration, err = tabulated(m.Inverse); err != nil {
			return err
		}
	}
	version := m.version()
	fmt.Fprintf(w, "%s%d\nbooster %s\nlink %s\nbias %s\ndamping %s\n",
		modelMagic, version, quoteWord(m.Booster), linkNames[m.Link], number(m.Bias), number(m.Damping))
	if version >= 2 {
		fmt.Fprintf(w, "linkscale %s\n", number(m.LinkScale))
		if err := saveCalibration(w, calibration); err != nil {
			return err
		}
	}
	if version >= 3 {
		fmt.Fprintf(w, "threshold %s\n", number(m.Threshold))
	}
	fmt.Fprintf(w, "columns %d\nnames %d\n", m.Columns, len(m.Names))
	saveNames(w, m.Names)
	if version >= 2 {
		m.saveLevels(w)
		fmt.Fprintf(w, "classes %d\n", len(m.Classes))
		saveNames(w, m.Classes)
	}
	fmt.Fprintf(w, "terms %d\n", len(m.Terms))
	for i, t := range m.Terms {
		fmt.Fprintf(w, "term %s\n", number(t.Coef))
		if err := saveWeak(w, t.Weak, 0); err != nil {
			return fmt.Errorf("term %d: %w", i, err)
		}
	}
	_, err := fmt.Fprintln(w, "end")
	return err
}

// version returns the first version of the format that can express m.
func (m *Model) version() int {
	version := 1
	if m.Levels != nil || m.Classes != nil || m.LinkScale != 0 || m.Calibration != nil || m.Link > LinearLink {
		version = 2
	}
	for _, t := range m.Terms {
		if k, ok := t.Weak.(*Tree); ok && k.Covers != nil {
			return 3
		}
		if partsLevels(t.Weak) {
			version = 2
		}
	}
	if m.Threshold != 0 || m.Inverse != nil || m.Calibration != nil && m.Calibration.table {
		return 3
	}
	return version
}

// partsLevels reports whether a weak learner has a node of levels, or a vote.
func partsLevels(w Weak) bool {
	levels := func(n Node) bool { return n.In != nil }
	switch k := w.(type) {
	case *Tree:
		return slices.ContainsFunc(k.Nodes, levels)
	case *linearTree:
		return slices.ContainsFunc(k.Nodes, levels)
	case *Scaled:
		return partsLevels(k.Of)
	case *majority3:
		return slices.ContainsFunc(k.Of[:], partsLevels)
	case *vote, *obliqueTree:
		return true // which version 1 lacks
	}
	return false
}

func saveNames(w *bufio.Writer, names []string) {
	for _, n := range names {
		fmt.Fprintln(w, strconv.Quote(n))
	}
}

// saveLevels writes the kind of each column, if any has levels.
func (m *Model) saveLevels(w *bufio.Writer) {
	fmt.Fprintf(w, "levels %d\n", len(m.Levels))
	for _, l := range m.Levels {
		if l == nil {
			fmt.Fprintln(w, "numeric")
			continue
		}
		fmt.Fprintf(w, "categorical %d\n", len(l))
		saveNames(w, l)
	}
}

// quoteWord keeps a booster's name one word.
func quoteWord(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' }) {
		return strconv.QuoteToASCII(s)
	}
	return s
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func saveWeak(w *bufio.Writer, weak Weak, depth int) error {
	switch k := weak.(type) {
	case *Tree:
		if k.Covers == nil || depth > 0 {
			fmt.Fprintf(w, "tree %d\n", len(k.Nodes))
			saveNodes(w, k.Nodes)
			saveLeaves(w, k.Leaves)
			return nil
		}
		fmt.Fprintf(w, "covered %d\n", len(k.Nodes))
		saveNodes(w, k.Nodes)
		for i, v := range k.Leaves {
			fmt.Fprintf(w, "leaf %s %s\n", number(v), number(k.Covers[i]))
		}
	case *linearTree:
		sign := "sum"
		if k.Sign {
			sign = "sign"
		}
		fmt.Fprintf(w, "lineartree %d %s %s\n", len(k.Nodes), sign, number(k.Root))
		saveNodes(w, k.Nodes)
		for i := range k.Nodes {
			fmt.Fprintf(w, "edges %s %s\n", number(k.Left[i]), number(k.Right[i]))
		}
	case *Histogram:
		fmt.Fprintf(w, "histogram %d %d %s\n", k.Column, len(k.Cuts), number(k.Missing))
		saveCuts(w, k.Cuts)
		saveLeaves(w, k.Leaves)
	case *joint:
		fmt.Fprintf(w, "joint %d %d\n", len(k.Over), len(k.Leaves))
		for i, j := range k.Over {
			fmt.Fprintf(w, "over %d %d\n", j, len(k.Cuts[i]))
			saveCuts(w, k.Cuts[i])
		}
		saveLeaves(w, k.Leaves)
	case *monomial:
		fmt.Fprintf(w, "monomial %d %s %s\n", len(k.Literals), number(k.In), number(k.Out))
		for _, l := range k.Literals {
			side := "below"
			if l.Above {
				side = "above"
			}
			fmt.Fprintf(w, "literal %d %s %s\n", l.Column, side, number(l.Threshold))
		}
	case *coordinate:
		fmt.Fprintf(w, "coordinate %d %s\n", k.Column, number(k.Factor))
	case *Subset:
		side := "right"
		if k.MissingLeft {
			side = "left"
		}
		fmt.Fprintf(w, "subset %d %s %s %s\n", k.Column, side, number(k.Left), number(k.Right))
		saveSet(w, &k.In)
	case *Scaled:
		fmt.Fprintf(w, "scaled %s\n", number(k.Factor))
		return saveInner(w, []Weak{k.Of}, depth)
	case *obliqueTree:
		fmt.Fprintf(w, "obliquetree %d\n", len(k.Nodes))
		for _, n := range k.Nodes {
			fmt.Fprintf(w, "split %d %d\n", n.Left, n.Right)
			if err := saveInner(w, []Weak{n.vote}, depth); err != nil {
				return err
			}
		}
		saveLeaves(w, k.Leaves)
	case *vote:
		fmt.Fprintf(w, "vote %d %s %s\n", len(k.Terms), number(k.Bias), number(k.Damping))
		for _, t := range k.Terms {
			fmt.Fprintf(w, "term %s\n", number(t.Coef))
			if err := saveInner(w, []Weak{t.Weak}, depth); err != nil {
				return err
			}
		}
	case *majority3:
		fmt.Fprintf(w, "majority\n")
		return saveInner(w, k.Of[:], depth)
	default:
		return fmt.Errorf("%w: %T", ErrUnsaved, weak)
	}
	return nil
}

// maxDepth bounds weak learners inside weak learners.
const maxDepth = 16

func saveInner(w *bufio.Writer, of []Weak, depth int) error {
	if depth == maxDepth {
		return fmt.Errorf("%w: more than %d deep", ErrUnsaved, maxDepth)
	}
	for _, o := range of {
		if err := saveWeak(w, o, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func saveNodes(w *bufio.Writer, nodes []Node) {
	for _, n := range nodes {
		side := "right"
		if n.MissingLeft {
			side = "left"
		}
		if n.In != nil {
			fmt.Fprintf(w, "levels %d %s %d %d\n", n.Column, side, n.Left, n.Right)
			saveSet(w, n.In)
			continue
		}
		fmt.Fprintf(w, "node %d %s %s %d %d\n", n.Column, number(n.Threshold), side, n.Left, n.Right)
	}
}

// saveSet writes a set of levels.
func saveSet(w *bufio.Writer, in *[8]uint32) {
	fmt.Fprintf(w, "in %08x %08x %08x %08x %08x %08x %08x %08x\n", in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7])
}

func loadSet(l *lines) (in [8]uint32) {
	for i, h := range l.fields("in", len(in)) {
		in[i] = l.bits(h)
	}
	return in
}

func saveCuts(w *bufio.Writer, cuts []float64) {
	for _, c := range cuts {
		fmt.Fprintf(w, "cut %s\n", number(c))
	}
}

func saveLeaves(w *bufio.Writer, leaves []float64) {
	for _, v := range leaves {
		fmt.Fprintf(w, "leaf %s\n", number(v))
	}
}

// Load reads a model that Save wrote. Memory grows with what is read, never
// with what the file promises.
func Load(r io.Reader) (*Model, error) {
	l := newLines(r)
	m, err := loadModel(l)
	if err != nil {
		return nil, err
	}
	if l.scan() {
		return nil, l.bad("text after the end")
	}
	return m, l.err()
}

// maxColumns, maxTerms and maxLevels bound what a file may claim.
const (
	maxColumns = 1 << 24
	maxTerms   = 1 << 24
	maxLevels  = 1 << 24
)

func loadModel(l *lines) (*Model, error) {
	m := &Model{}
	magic := l.line()
	version := slices.Index([]string{modelMagic + "1", modelMagic + "2", modelMagic + "3"}, magic) + 1
	if version == 0 {
		l.fail("%q, want %q and a version from 1 to 3", clip(magic), modelMagic)
	}
	m.Booster = l.word(l.fields("booster", 1)[0])
	f := l.fields("link", 1)
	m.Link = lastLink + 1
	for k, n := range linkNames {
		if n == f[0] && (version >= 2 || Link(k) <= LinearLink) {
			m.Link = Link(k)
		}
	}
	if m.Link > lastLink {
		l.fail("link %q is unknown", f[0])
	}
	m.Bias = l.finite(l.fields("bias", 1)[0])
	m.Damping = l.finite(l.fields("damping", 1)[0])
	if m.Damping < 0 {
		l.fail("damping is negative")
	}
	if version >= 2 {
		if m.LinkScale = l.finite(l.fields("linkscale", 1)[0]); m.LinkScale < 0 {
			l.fail("linkscale is negative")
		}
		m.Calibration = loadCalibration(l)
	}
	if version >= 3 {
		if m.Threshold = l.finite(l.fields("threshold", 1)[0]); m.Threshold < 0 || m.Threshold > 1 {
			l.fail("threshold %v is no probability", m.Threshold)
		}
	}
	m.Columns = l.count(l.fields("columns", 1)[0], maxColumns)
	names := l.count(l.fields("names", 1)[0], maxColumns)
	if names != 0 && names != m.Columns {
		l.fail("%d names for %d columns", names, m.Columns)
	}
	m.Names = loadNames(l, names)
	if version >= 2 {
		m.loadLevels(l)
		m.Classes = loadNames(l, l.count(l.fields("classes", 1)[0], maxLevels))
	}
	if l.ok() {
		if err := m.Schema.check(m.Columns); err != nil {
			l.fail("%v", err)
		}
	}
	terms := l.count(l.fields("terms", 1)[0], maxTerms)
	for i := 0; i < terms && l.ok(); i++ {
		t := Term{Coef: l.finite(l.fields("term", 1)[0])}
		t.Weak = loadWeak(l, m.Columns, 0)
		m.Terms = append(m.Terms, t)
	}
	l.literal("end")
	return m, l.err()
}

// word is a word, or a quoted string, as quoteWord writes it.
func (l *lines) word(s string) string {
	if !strings.HasPrefix(s, `"`) {
		return s
	}
	w, err := strconv.Unquote(s)
	if err != nil {
		l.fail("want a word or a quoted string")
	}
	return w
}

func loadNames(l *lines, n int) []string {
	var names []string
	for i := 0; i < n && l.ok(); i++ {
		s, err := strconv.Unquote(l.line())
		if err != nil {
			l.fail("want a quoted name")
		}
		names = append(names, s)
	}
	return names
}

// loadLevels reads the kind of each column.
func (m *Model) loadLevels(l *lines) {
	n := l.count(l.fields("levels", 1)[0], m.Columns)
	if n != 0 && n != m.Columns {
		l.fail("levels of %d columns for %d columns", n, m.Columns)
	}
	for i := 0; i < n && l.ok(); i++ {
		f := strings.Fields(l.line())
		switch {
		case len(f) == 1 && f[0] == "numeric":
			m.Levels = append(m.Levels, nil)
		case len(f) == 2 && f[0] == "categorical":
			levels := loadNames(l, l.count(f[1], maxLevels))
			if levels == nil {
				levels = []string{}
			}
			m.Levels = append(m.Levels, levels)
		default:
			l.fail("want numeric, or categorical and a number")
		}
	}
}

func loadWeak(l *lines, columns, depth int) Weak {
	f := strings.Fields(l.line())
	if len(f) == 0 {
		l.fail("want a weak learner")
		return nil
	}
	args := func(n int) []string {
		if len(f) != n+1 {
			l.fail("%s wants %d words, has %d", f[0], n, len(f)-1)
			return make([]string, n)
		}
		return f[1:]
	}
	switch f[0] {
	case "tree":
		t := &Tree{Nodes: loadNodes(l, l.count(args(1)[0], maxLeaves), columns)}
		t.Leaves = loadLeaves(l, len(t.Nodes)+1)
		return t
	case "covered":
		t := &Tree{Nodes: loadNodes(l, l.count(args(1)[0], maxLeaves), columns)}
		for i := 0; i <= len(t.Nodes) && l.ok(); i++ {
			v := l.fields("leaf", 2)
			t.Leaves, t.Covers = append(t.Leaves, l.finite(v[0])), append(t.Covers, l.finite(v[1]))
			if l.ok() && t.Covers[i] < 0 {
				l.fail("cover %v is negative", t.Covers[i])
			}
		}
		return t
	case "lineartree":
		a := args(3)
		n := l.count(a[0], maxLeaves)
		t := &linearTree{Sign: a[1] == "sign", Root: l.finite(a[2])}
		if a[1] != "sign" && a[1] != "sum" {
			l.fail("want sign or sum, not %q", a[1])
		}
		t.Nodes = loadNodes(l, n, columns)
		for i := 0; i < len(t.Nodes) && l.ok(); i++ {
			e := l.fields("edges", 2)
			t.Left, t.Right = append(t.Left, l.finite(e[0])), append(t.Right, l.finite(e[1]))
		}
		return t
	case "histogram":
		a := args(3)
		h := &Histogram{Column: l.below(a[0], columns), Missing: l.finite(a[2])}
		h.Cuts = loadCuts(l, l.count(a[1], maxBins-1))
		h.Leaves = loadLeaves(l, len(h.Cuts)+1)
		return h
	case "joint":
		a := args(2)
		h := &joint{}
		n, cells := l.count(a[0], 32), 1
		for i := 0; i < n && l.ok(); i++ {
			o := l.fields("over", 2)
			h.Over = append(h.Over, l.below(o[0], columns))
			h.Cuts = append(h.Cuts, loadCuts(l, l.count(o[1], maxBins-1)))
			if cells *= len(h.Cuts[i]) + 2; cells > maxCells {
				l.fail("joint histogram of more than %d cells", maxCells)
			}
		}
		if want := l.count(a[1], maxCells); l.ok() && (want != cells || n == 0) {
			l.fail("joint histogram has %d cells, its columns make %d", want, cells)
		}
		h.Leaves = loadLeaves(l, cells)
		return h
	case "monomial":
		a := args(3)
		n := l.count(a[0], maxLiterals)
		m := &monomial{In: l.finite(a[1]), Out: l.finite(a[2])}
		for i := 0; i < n && l.ok(); i++ {
			w := l.fields("literal", 3)
			m.Literals = append(m.Literals, literal{Column: l.below(w[0], columns), Above: w[1] == "above", Threshold: l.threshold(w[2])})
			if w[1] != "above" && w[1] != "below" {
				l.fail("want above or below, not %q", w[1])
			}
		}
		return m
	case "coordinate":
		a := args(2)
		return &coordinate{Column: l.below(a[0], columns), Factor: l.finite(a[1])}
	case "subset":
		a := args(4)
		s := &Subset{Column: l.below(a[0], columns), MissingLeft: a[1] == "left", Left: l.finite(a[2]), Right: l.finite(a[3])}
		if a[1] != "left" && a[1] != "right" {
			l.fail("missing values go left or right, not %q", a[1])
		}
		s.In = loadSet(l)
		return s
	case "scaled", "majority", "vote", "obliquetree":
		if depth == maxDepth {
			l.fail("weak learners more than %d deep", maxDepth)
			return nil
		}
		if f[0] == "scaled" {
			s := &Scaled{Factor: l.finite(args(1)[0])}
			s.Of = loadWeak(l, columns, depth+1)
			return s
		}
		if f[0] == "vote" {
			a := args(3)
			v := &vote{Bias: l.finite(a[1]), Damping: l.finite(a[2])}
			if v.Damping < 0 {
				l.fail("damping is negative")
			}
			n := l.count(a[0], maxTerms)
			for i := 0; i < n && l.ok(); i++ {
				t := Term{Coef: l.finite(l.fields("term", 1)[0])}
				t.Weak = loadWeak(l, columns, depth+1)
				v.Terms = append(v.Terms, t)
			}
			return v
		}
		if f[0] == "obliquetree" {
			return loadObliqueTree(l, l.count(args(1)[0], maxLeaves), columns, depth)
		}
		args(0)
		m := &majority3{}
		for i := range m.Of {
			if l.ok() {
				m.Of[i] = loadWeak(l, columns, depth+1)
			}
		}
		return m
	}
	l.fail("%q is no weak learner", f[0])
	return nil
}

// loadNodes reads the nodes of a tree and checks that they form one: every node
// but the root and every leaf has one parent, which comes before it.
func loadNodes(l *lines, n, columns int) []Node {
	var nodes []Node
	for i := 0; i < n && l.ok(); i++ {
		f := strings.Fields(l.line())
		node := Node{}
		var side string
		var children []string
		switch {
		case len(f) == 6 && f[0] == "node":
			node.Threshold = l.threshold(f[2])
			side, children = f[3], f[4:]
		case len(f) == 5 && f[0] == "levels":
			side, children = f[2], f[3:]
		default:
			l.fail("want \"node\" and 5 words, or \"levels\" and 4")
			return nil
		}
		node.Column, node.MissingLeft = l.below(f[1], columns), side == "left"
		if side != "left" && side != "right" {
			l.fail("missing values go left or right, not %q", side)
		}
		node.Left, node.Right = l.child(children[0], i, n), l.child(children[1], i, n)
		if f[0] == "levels" {
			in := loadSet(l)
			node.In = &in
		}
		nodes = append(nodes, node)
	}
	if !l.ok() {
		return nil
	}
	var children []int32
	for i := range nodes {
		children = append(children, nodes[i].Left, nodes[i].Right)
	}
	l.distinct(children)
	return nodes
}

// child reads a child of node i of n: a later node, or a leaf.
func (l *lines) child(s string, i, n int) int32 {
	c, err := strconv.ParseInt(s, 10, 32)
	if err != nil || c > 0 && (c <= int64(i) || c >= int64(n)) || c < -int64(n) {
		l.fail("child %q: want a later node or a leaf", s)
		return 0
	}
	return int32(c)
}

// distinct checks that every child has one parent.
func (l *lines) distinct(children []int32) {
	seen := make(map[int32]bool, len(children))
	for _, c := range children {
		if seen[c] {
			l.fail("child %d has two parents", c)
		}
		seen[c] = true
	}
}

func loadObliqueTree(l *lines, n, columns, depth int) Weak {
	t := &obliqueTree{}
	var children []int32
	for i := 0; i < n && l.ok(); i++ {
		f := l.fields("split", 2)
		node := obliqueNode{Left: l.child(f[0], i, n), Right: l.child(f[1], i, n)}
		vote, ok := loadWeak(l, columns, depth+1).(*vote)
		if !ok {
			l.fail("want a vote")
			return nil
		}
		node.vote = vote
		t.Nodes = append(t.Nodes, node)
		children = append(children, node.Left, node.Right)
	}
	if l.ok() {
		l.distinct(children)
	}
	t.Leaves = loadLeaves(l, n+1)
	return t
}

func loadCuts(l *lines, n int) []float64 {
	var cuts []float64
	for i := 0; i < n && l.ok(); i++ {
		c := l.finite(l.fields("cut", 1)[0])
		if i > 0 && !(c > cuts[i-1]) {
			l.fail("cuts must ascend")
		}
		cuts = append(cuts, c)
	}
	return cuts
}

func loadLeaves(l *lines, n int) []float64 {
	var leaves []float64
	for i := 0; i < n && l.ok(); i++ {
		leaves = append(leaves, l.finite(l.fields("leaf", 1)[0]))
	}
	return leaves
}

// lines reads words line by line and keeps its first error; after that it
// returns zeros.
type lines struct {
	s      *bufio.Scanner
	n      int
	failed error
}

// maxLine is the longest line in bytes.
const maxLine = 1 << 16

func newLines(r io.Reader) *lines {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 4096), maxLine)
	return &lines{s: s}
}

func (l *lines) ok() bool   { return l.failed == nil }
func (l *lines) err() error { return l.failed }

func (l *lines) bad(format string, args ...any) error {
	return fmt.Errorf("%w: line %d: %s", ErrFormat, l.n, fmt.Sprintf(format, args...))
}

func (l *lines) fail(format string, args ...any) {
	if l.failed == nil {
		l.failed = l.bad(format, args...)
	}
}

// scan moves to the next line, if there is one.
func (l *lines) scan() bool {
	if l.failed != nil {
		return false
	}
	if l.s.Scan() {
		l.n++
		return true
	}
	if err := l.s.Err(); err != nil {
		l.failed = fmt.Errorf("boost: line %d: %w", l.n+1, err)
	}
	return false
}

func (l *lines) line() string {
	if !l.scan() {
		l.fail("the file ends here, and should not")
		return ""
	}
	return l.s.Text()
}

func (l *lines) literal(want string) {
	if got := l.line(); got != want {
		l.fail("%q, want %q", clip(got), want)
	}
}

// fields reads a line that starts with key and has n words more.
func (l *lines) fields(key string, n int) []string {
	f := strings.Fields(l.line())
	if len(f) != n+1 || f[0] != key {
		l.fail("want %q and %d words", key, n)
		return make([]string, n)
	}
	return f[1:]
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

func (l *lines) count(s string, limit int) int {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || n > uint64(limit) {
		l.fail("%q, want a number from 0 to %d", clip(s), limit)
		return 0
	}
	return int(n)
}

func (l *lines) below(s string, n int) int {
	k := l.count(s, max(0, n-1))
	if k >= n {
		l.fail("column %d of %d", k, n)
		return 0
	}
	return k
}

func (l *lines) finite(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v-v != 0 {
		l.fail("%q, want a finite number", clip(s))
		return 0
	}
	return v
}

// bits is a set of 32, as eight hexadecimal digits.
func (l *lines) bits(s string) uint32 {
	v, err := strconv.ParseUint(s, 16, 32)
	if err != nil || len(s) != 8 {
		l.fail("%q, want eight digits to the base 16", clip(s))
		return 0
	}
	return uint32(v)
}

// threshold is a finite number or +Inf, which separates present from missing
// values.
func (l *lines) threshold(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v != v || math.IsInf(v, -1) {
		l.fail("%q, want a number or +Inf", clip(s))
		return 0
	}
	return v
}

func saveCalibration(w *bufio.Writer, c *Calibration) error {
	switch {
	case c == nil:
		fmt.Fprintln(w, "calibration none")
		return nil
	case len(c.scores) == 0:
		fmt.Fprintf(w, "calibration platt %s %s\n", number(c.a), number(c.b))
		return nil
	}
	if err := c.check(); err != nil {
		return err
	}
	kind := "isotonic"
	if c.table {
		kind = "table"
	}
	fmt.Fprintf(w, "calibration %s %d\n", kind, len(c.scores))
	for k, s := range c.scores {
		fmt.Fprintf(w, "step %s %s\n", number(s), number(c.probabilities[k]))
	}
	return nil
}

func loadCalibration(l *lines) *Calibration {
	f := strings.Fields(l.line())
	switch {
	case len(f) == 2 && f[0] == "calibration" && f[1] == "none":
		return nil
	case len(f) == 4 && f[0] == "calibration" && f[1] == "platt":
		return &Calibration{a: l.finite(f[2]), b: l.finite(f[3])}
	case len(f) == 3 && f[0] == "calibration" && (f[1] == "isotonic" || f[1] == "table"):
		c := &Calibration{table: f[1] == "table"}
		n := l.count(f[2], maxRows)
		for i := 0; i < n && l.ok(); i++ {
			s := l.fields("step", 2)
			c.scores, c.probabilities = append(c.scores, l.finite(s[0])), append(c.probabilities, l.finite(s[1]))
		}
		if err := c.check(); err != nil && l.ok() {
			l.fail("%v", err)
		}
		if n == 0 {
			l.fail("a calibration without steps")
		}
		return c
	}
	l.fail("want calibration none, platt A B, isotonic N or table N")
	return nil
}
