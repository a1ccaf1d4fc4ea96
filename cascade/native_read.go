package cascade

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"math"
	"strconv"

	"haarlem/haar"
)

// readNative reads the native format, which models/FORMAT.md describes.
func readNative(data []byte, lim Limits) (*Cascade, error) {
	r := nativeReader{all: data, data: data, lim: lim, c: new(Cascade)}
	if err := catch(r.read); err != nil {
		return nil, fmt.Errorf("line %d: %w", r.number, r.parts.wrap(err))
	}
	return r.c, nil
}

func (r *nativeReader) read() {
	readLines(r, headLines, r.c)
	fail(r.c.checkHead())
	r.features()
	r.weakAndExits()
	r.verifiers()
	r.network()
	r.sum()
	fail(r.c.checkWhole())
}

// count reads the number of lines of at least shortest bytes that follow.
func (r *nativeReader) count(what string, limit, shortest int) int {
	n := r.int(what, 1, math.MaxInt32)
	if n > limit {
		fail(refusal{ErrLimit, fmt.Sprintf("%d %s, want at most %d", n, what, limit)})
	}
	if n > len(r.data)/shortest {
		failf("%d %s, but the rest of the file has no room for them", n, what)
	}
	return n
}

func (r *nativeReader) features() {
	r.want("features")
	n := r.count("features", r.lim.Features, len("cell 0 0 1 1\n"))
	r.end()
	read := r.feature
	if r.c.Kind == LBP {
		read = r.cell
		r.c.Cells = make([]image.Rectangle, 0, n)
	} else {
		r.c.Features = make([]haar.Feature, 0, n)
	}
	for i := range n {
		read()
		fail(r.c.checkFeature(i))
	}
}

func (r *nativeReader) cell() {
	r.want("cell")
	v := r.rectangle()
	r.c.Cells = append(r.c.Cells, image.Rect(v[0], v[1], v[0]+v[2], v[1]+v[3]))
	r.end()
}

func (r *nativeReader) rectangle() (v [4]int) {
	for i, name := range [...]string{"x", "y", "width", "height"} {
		v[i] = r.int(name, i/2, maxWindow) // sides are 1 at least
	}
	return v
}

func (r *nativeReader) feature() {
	r.line()
	var f haar.Feature
	switch string(r.key) {
	case "up":
	case "tilt":
		f.Tilted = true
	default:
		failf("%s, want \"up\" or \"tilt\"", clip(r.key))
	}
	for i := 0; i < len(f.Rects) && (i < 2 || r.more); i++ {
		r.parts = parts{{"rectangle", i}}
		v := r.rectangle()
		weight := r.float32("weight")
		if weight == 0 {
			failf("weight 0, want the rectangle left out")
		}
		f.Rects[i] = haar.Rect{X: int32(v[0]), Y: int32(v[1]), W: int32(v[2]), H: int32(v[3]), Weight: weight}
	}
	r.parts = parts{}
	r.c.Features = append(r.c.Features, f)
	r.end()
}

// optionalGrid reads the grid of the scores that follow, if there is one.
func (r *nativeReader) optionalGrid() {
	r.grid = -1
	if !r.peek("grid") {
		return
	}
	r.line()
	w := r.word()
	k, ok := bytes.CutPrefix(w, []byte("2^-"))
	var err error
	if r.grid, err = parseInt(k, 0, maxGrid); !ok || err != nil {
		failf("%s, want 2^-0 to 2^-%d", clip(w), maxGrid)
	}
	r.end()
}

func (r *nativeReader) weakAndExits() {
	r.optionalGrid()
	r.want("weak")
	weak := r.count("weak classifiers", r.lim.Weak, len("stump 0 0 0 0\n"))
	if w := r.word(); string(w) != "exits" {
		failf("%s, want \"exits\"", clip(w))
	}
	exits := r.count("exits", weak, len("exit 0\n"))
	r.end()
	r.c.Weak = make([]Weak, 0, weak)
	r.c.Exits = make([]Exit, 0, exits)
	r.asks = r.c.questions()
	for i := range weak {
		r.weak(&r.c.Weak)
		fail(r.c.checkWeak(i, &r.seen))
		if r.peek("exit") && len(r.c.Exits) < exits {
			r.exit()
		}
	}
	if n := len(r.c.Exits); n < exits {
		failf("%d exits, want %d", n, exits)
	}
}

func (r *nativeReader) verifiers() {
	last := &r.c.Verifier
	for i := 1; r.peek("verifier"); i++ {
		if i > maxVerifiers {
			failf("more than %d verifiers", maxVerifiers)
		}
		v := r.verifier()
		*last, last = v, &v.Next
	}
}

func (r *nativeReader) verifier() *Verifier {
	v := new(Verifier)
	readLines(r, verifierLines, v)
	fail(v.checkHead())
	r.optionalGrid()
	r.want("trees")
	trees := r.count("trees", r.lim.Weak, len("stump 0 0 0 0\n"))
	r.end()
	v.Trees = make([]Weak, 0, trees)
	r.asks = v.questions()
	for i := range trees {
		r.weak(&v.Trees)
		fail(v.checkTree(i, &r.seen))
	}
	if r.peek("boxes") {
		v.Boxes = r.boxes()
	}
	return v
}

func (r *nativeReader) boxes() *Boxes {
	r.line()
	b := new(Boxes)
	var counts [4]int
	for i := range counts {
		counts[i] = r.int("trees", 0, math.MaxInt32)
		if counts[i] > r.lim.Weak { // memory is allocated tree by tree
			fail(refusal{ErrLimit, fmt.Sprintf("%d trees, want at most %d", counts[i], r.lim.Weak)})
		}
	}
	r.end()
	r.optionalGrid()
	for i, trees := range b.edges() {
		for range counts[i] {
			r.weak(trees)
		}
	}
	fail(b.check(r.asks, &r.seen))
	return b
}

// weak reads a weak classifier and appends it.
func (r *nativeReader) weak(to *[]Weak) {
	r.line()
	switch string(r.key) {
	case "hist":
		r.histogram(to)
	case "stump":
		r.tree(to, 1, true)
	case "tree":
		n := r.int("nodes", 1, math.MaxInt32)
		if n > len(r.rest)/len("0 0 0 0 ") {
			failf("%d nodes, but the line has no room for them", n)
		}
		r.tree(to, n, false)
	default:
		failf("%s, want \"stump\", \"tree\" or \"hist\"", clip(r.key))
	}
}

// tree reads n nodes and the leaves. The node of a stump has no children in the file.
func (r *nativeReader) tree(to *[]Weak, n int, stump bool) {
	if r.nodes += n; r.nodes > r.lim.Nodes {
		fail(refusal{ErrLimit, fmt.Sprintf("more than %d nodes", r.lim.Nodes)})
	}
	w := Weak{Nodes: make([]Node, n)}
	for i := range w.Nodes {
		r.parts = parts{{"node", i}}
		r.node(&w.Nodes[i], stump)
	}
	r.parts = parts{}
	r.leaves(to, w, n+1)
}

func (r *nativeReader) node(n *Node, stump bool) {
	n.Feature = int32(r.int("feature", 0, r.asks.features-1))
	if r.asks.kind == LBP {
		r.subset(&n.Subset)
	} else {
		n.Threshold = r.float32("threshold")
	}
	if stump {
		n.Left, n.Right = 0, -1
		return
	}
	for _, child := range [...]*int32{&n.Left, &n.Right} {
		*child = int32(r.int("child", math.MinInt32, math.MaxInt32))
	}
}

// subset reads eight words of eight hexadecimal digits.
func (r *nativeReader) subset(s *[8]uint32) {
	w := r.word()
	if len(w) != 8*len(s) {
		failf("subset: %s, want %d hexadecimal digits", clip(w), 8*len(s))
	}
	for i := range s {
		v, err := strconv.ParseUint(string(w[8*i:8*i+8]), 16, 32)
		if err != nil {
			failf("subset: %s, want hexadecimal digits", clip(w[8*i:8*i+8]))
		}
		s[i] = uint32(v)
	}
}

func (r *nativeReader) histogram(to *[]Weak) {
	w := Weak{Feature: int32(r.int("feature", 0, r.asks.features-1))}
	w.Low = r.float32("low")
	w.Scale = r.float32("scale")
	bins := 1 + bytes.Count(r.rest, []byte(" "))
	if bins != 8 && bins != 16 {
		failf("%d leaves, want 8 or 16", bins)
	}
	r.leaves(to, w, bins)
}

// leaves reads n leaves and appends w.
func (r *nativeReader) leaves(to *[]Weak, w Weak, n int) {
	w.Leaves = make([]float32, n)
	for i := range w.Leaves {
		w.Leaves[i] = r.score("leaf")
	}
	*to = append(*to, w)
	r.end()
}

func (r *nativeReader) exit() {
	r.line()
	e := Exit{After: len(r.c.Weak), Threshold: r.score("threshold")}
	if r.more {
		if w := r.word(); string(w) != "restart" {
			failf("%s, want \"restart\" or the end of the line", clip(w))
		}
		e.Restart = true
	}
	r.c.Exits = append(r.c.Exits, e)
	r.end()
}

// sum compares the checksum in the last line with the lines before it.
func (r *nativeReader) sum() {
	body := r.all[:len(r.all)-len(r.data)]
	r.want("sha256")
	want := fmt.Appendf(nil, "%x", sha256.Sum256(body))
	if got := r.word(); !bytes.Equal(got, want) {
		failf("the lines before have the sum %s, not %.64q: the file was changed or damaged", want, got)
	}
	r.end()
	if len(r.data) > 0 {
		failf("%s behind this line, want the end of the file", clip(r.data))
	}
}
