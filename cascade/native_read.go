package cascade

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"math"
	"strconv"

	"haarlem/haar"
)

// readNative reads the native format, which models/FORMAT.md describes.
func readNative(data []byte, lim Limits) (*Cascade, error) {
	r := nativeReader{all: data, data: data, lim: lim, c: new(Cascade)}
	for _, section := range []func() error{r.head, r.features, r.weakAndExits, r.verifiers, r.network, r.sum, r.c.checkWhole} {
		if err := section(); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.number, err)
		}
	}
	return r.c, nil
}

func (r *nativeReader) head() error {
	if err := readLines(r, headLines, r.c); err != nil {
		return err
	}
	return r.c.checkHead()
}

// count reads the number of lines of at least shortest bytes that follow.
func (r *nativeReader) count(what string, limit, shortest int) (int, error) {
	n, err := r.int(what, 1, math.MaxInt32)
	if err != nil {
		return 0, err
	}
	if n > limit {
		return 0, refusal{ErrLimit, fmt.Sprintf("%d %s, want at most %d", n, what, limit)}
	}
	if n > len(r.data)/shortest {
		return 0, fmt.Errorf("%d %s, but the rest of the file has no room for them", n, what)
	}
	return n, nil
}

func (r *nativeReader) features() error {
	if err := r.want("features"); err != nil {
		return err
	}
	n, err := r.count("features", r.lim.Features, len("cell 0 0 1 1\n"))
	if err != nil {
		return err
	}
	if err := r.end(); err != nil {
		return err
	}
	if r.c.Kind == LBP {
		r.c.Cells = make([]image.Rectangle, 0, n)
	} else {
		r.c.Features = make([]haar.Feature, 0, n)
	}
	for i := range n {
		read := r.feature
		if r.c.Kind == LBP {
			read = r.cell
		}
		if err := read(); err != nil {
			return err
		}
		if err := r.c.checkFeature(i); err != nil {
			return err
		}
	}
	return nil
}

func (r *nativeReader) cell() error {
	if err := r.want("cell"); err != nil {
		return err
	}
	v, err := r.rectangle()
	if err != nil {
		return err
	}
	r.c.Cells = append(r.c.Cells, image.Rect(v[0], v[1], v[0]+v[2], v[1]+v[3]))
	return r.end()
}

func (r *nativeReader) rectangle() (v [4]int, err error) {
	for i, name := range [...]string{"x", "y", "width", "height"} {
		lo := 0
		if i >= 2 {
			lo = 1
		}
		if v[i], err = r.int(name, lo, maxWindow); err != nil {
			return v, err
		}
	}
	return v, nil
}

func (r *nativeReader) feature() error {
	if err := r.line(); err != nil {
		return err
	}
	var f haar.Feature
	switch string(r.key) {
	case "up":
	case "tilt":
		f.Tilted = true
	default:
		return fmt.Errorf("%s, want \"up\" or \"tilt\"", clip(r.key))
	}
	for i := 0; i < len(f.Rects) && (i < 2 || r.more); i++ {
		v, err := r.rectangle()
		if err != nil {
			return fmt.Errorf("rectangle %d: %w", i, err)
		}
		weight, err := r.float32("weight")
		if err == nil && weight == 0 {
			err = errors.New("weight 0, want the rectangle left out")
		}
		if err != nil {
			return fmt.Errorf("rectangle %d: %w", i, err)
		}
		f.Rects[i] = haar.Rect{X: int32(v[0]), Y: int32(v[1]), W: int32(v[2]), H: int32(v[3]), Weight: weight}
	}
	r.c.Features = append(r.c.Features, f)
	return r.end()
}

// optionalGrid reads the grid of the scores that follow, if there is one.
func (r *nativeReader) optionalGrid() (err error) {
	r.grid = -1
	if !r.peek("grid") {
		return nil
	}
	if err := r.line(); err != nil {
		return err
	}
	w := r.word()
	k, ok := bytes.CutPrefix(w, []byte("2^-"))
	if r.grid, err = parseInt(k, 0, maxGrid); !ok || err != nil {
		return fmt.Errorf("%s, want 2^-0 to 2^-%d", clip(w), maxGrid)
	}
	return r.end()
}

func (r *nativeReader) weakAndExits() error {
	if err := r.optionalGrid(); err != nil {
		return err
	}
	if err := r.want("weak"); err != nil {
		return err
	}
	weak, err := r.count("weak classifiers", r.lim.Weak, len("stump 0 0 0 0\n"))
	if err != nil {
		return err
	}
	if w := r.word(); string(w) != "exits" {
		return fmt.Errorf("%s, want \"exits\"", clip(w))
	}
	exits, err := r.count("exits", weak, len("exit 0\n"))
	if err != nil {
		return err
	}
	if err := r.end(); err != nil {
		return err
	}
	r.c.Weak = make([]Weak, 0, weak)
	r.c.Exits = make([]Exit, 0, exits)
	r.asks = r.c.questions()
	for i := range weak {
		if err := r.weak(&r.c.Weak); err != nil {
			return err
		}
		if err := r.c.checkWeak(i, &r.seen); err != nil {
			return err
		}
		if r.peek("exit") && len(r.c.Exits) < exits {
			if err := r.exit(); err != nil {
				return err
			}
		}
	}
	if n := len(r.c.Exits); n < exits {
		return fmt.Errorf("%d exits, want %d", n, exits)
	}
	return nil
}

func (r *nativeReader) verifiers() error {
	last := &r.c.Verifier
	for i := 1; r.peek("verifier"); i++ {
		if i > maxVerifiers {
			return fmt.Errorf("more than %d verifiers", maxVerifiers)
		}
		v, err := r.verifier()
		if err != nil {
			return err
		}
		*last, last = v, &v.Next
	}
	return nil
}

func (r *nativeReader) verifier() (*Verifier, error) {
	v := new(Verifier)
	if err := readLines(r, verifierLines, v); err != nil {
		return nil, err
	}
	if err := v.checkHead(); err != nil {
		return nil, err
	}
	if err := r.optionalGrid(); err != nil {
		return nil, err
	}
	if err := r.want("trees"); err != nil {
		return nil, err
	}
	trees, err := r.count("trees", r.lim.Weak, len("stump 0 0 0 0\n"))
	if err != nil {
		return nil, err
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	v.Trees = make([]Weak, 0, trees)
	r.asks = v.questions()
	for i := range trees {
		if err := r.weak(&v.Trees); err != nil {
			return nil, err
		}
		if err := v.checkTree(i, &r.seen); err != nil {
			return nil, err
		}
	}
	if r.peek("boxes") {
		if v.Boxes, err = r.boxes(); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (r *nativeReader) boxes() (*Boxes, error) {
	if err := r.line(); err != nil {
		return nil, err
	}
	b := new(Boxes)
	var counts [4]int
	for i := range counts {
		var err error
		if counts[i], err = r.int("trees", 0, math.MaxInt32); err != nil {
			return nil, err
		}
		if counts[i] > r.lim.Weak { // memory is allocated tree by tree
			return nil, refusal{ErrLimit, fmt.Sprintf("%d trees, want at most %d", counts[i], r.lim.Weak)}
		}
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	if err := r.optionalGrid(); err != nil {
		return nil, err
	}
	for i, trees := range b.edges() {
		for range counts[i] {
			if err := r.weak(trees); err != nil {
				return nil, err
			}
		}
	}
	return b, b.check(r.asks, &r.seen)
}

// weak reads a weak classifier and appends it.
func (r *nativeReader) weak(to *[]Weak) error {
	if err := r.line(); err != nil {
		return err
	}
	switch string(r.key) {
	case "hist":
		return r.histogram(to)
	case "stump":
		return r.tree(to, 1, true)
	case "tree":
		n, err := r.int("nodes", 1, math.MaxInt32)
		if err != nil {
			return err
		}
		if n > len(r.rest)/len("0 0 0 0 ") {
			return fmt.Errorf("%d nodes, but the line has no room for them", n)
		}
		return r.tree(to, n, false)
	}
	return fmt.Errorf("%s, want \"stump\", \"tree\" or \"hist\"", clip(r.key))
}

// tree reads n nodes and the leaves. The node of a stump has no children in the file.
func (r *nativeReader) tree(to *[]Weak, n int, stump bool) error {
	if r.nodes += n; r.nodes > r.lim.Nodes {
		return refusal{ErrLimit, fmt.Sprintf("more than %d nodes", r.lim.Nodes)}
	}
	w := Weak{Nodes: make([]Node, n)}
	for i := range w.Nodes {
		if err := r.node(&w.Nodes[i], stump); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
	}
	return r.leaves(to, w, n+1)
}

func (r *nativeReader) node(n *Node, stump bool) error {
	f, err := r.int("feature", 0, r.asks.features-1)
	if err != nil {
		return err
	}
	n.Feature = int32(f)
	if r.asks.kind == LBP {
		err = r.subset(&n.Subset)
	} else {
		n.Threshold, err = r.float32("threshold")
	}
	if err != nil {
		return err
	}
	if stump {
		n.Left, n.Right = 0, -1
		return nil
	}
	for _, child := range [...]*int32{&n.Left, &n.Right} {
		v, err := r.int("child", math.MinInt32, math.MaxInt32)
		if err != nil {
			return err
		}
		*child = int32(v)
	}
	return nil
}

// subset reads eight words of eight hexadecimal digits.
func (r *nativeReader) subset(s *[8]uint32) error {
	w := r.word()
	if len(w) != 8*len(s) {
		return fmt.Errorf("subset: %s, want %d hexadecimal digits", clip(w), 8*len(s))
	}
	for i := range s {
		v, err := strconv.ParseUint(string(w[8*i:8*i+8]), 16, 32)
		if err != nil {
			return fmt.Errorf("subset: %s, want hexadecimal digits", clip(w[8*i:8*i+8]))
		}
		s[i] = uint32(v)
	}
	return nil
}

func (r *nativeReader) histogram(to *[]Weak) error {
	f, err := r.int("feature", 0, r.asks.features-1)
	if err != nil {
		return err
	}
	w := Weak{Feature: int32(f)}
	if w.Low, err = r.float32("low"); err != nil {
		return err
	}
	if w.Scale, err = r.float32("scale"); err != nil {
		return err
	}
	bins := 1 + bytes.Count(r.rest, []byte(" "))
	if bins != 8 && bins != 16 {
		return fmt.Errorf("%d leaves, want 8 or 16", bins)
	}
	return r.leaves(to, w, bins)
}

// leaves reads n leaves and appends w.
func (r *nativeReader) leaves(to *[]Weak, w Weak, n int) (err error) {
	w.Leaves = make([]float32, n)
	for i := range w.Leaves {
		if w.Leaves[i], err = r.score("leaf"); err != nil {
			return err
		}
	}
	*to = append(*to, w)
	return r.end()
}

func (r *nativeReader) exit() error {
	if err := r.line(); err != nil {
		return err
	}
	e := Exit{After: len(r.c.Weak)}
	var err error
	if e.Threshold, err = r.score("threshold"); err != nil {
		return err
	}
	if r.more {
		if w := r.word(); string(w) != "restart" {
			return fmt.Errorf("%s, want \"restart\" or the end of the line", clip(w))
		}
		e.Restart = true
	}
	r.c.Exits = append(r.c.Exits, e)
	return r.end()
}

// sum compares the checksum in the last line with the lines before it.
func (r *nativeReader) sum() error {
	body := r.all[:len(r.all)-len(r.data)]
	if err := r.want("sha256"); err != nil {
		return err
	}
	want := fmt.Appendf(nil, "%x", sha256.Sum256(body))
	if got := r.word(); !bytes.Equal(got, want) {
		return fmt.Errorf("the lines before have the sum %s, not %.64q: the file was changed or damaged", want, got)
	}
	if err := r.end(); err != nil {
		return err
	}
	if len(r.data) > 0 {
		return fmt.Errorf("%s behind this line, want the end of the file", clip(r.data))
	}
	return nil
}
