package cascade

import (
	"errors"
	"fmt"
	"image"
	"iter"
	"math"

	"haarlem/haar"
	"haarlem/internal/xmltree"
)

// Implicit in OpenCV's cascades.
const (
	openCVMinStdDev = 10    // the gate cannot be switched off
	openCVEpsilon   = 1e-05 // subtracted from each stage's threshold, in float32
	openCVTiny      = 1.1920929e-07
)

// readOpenCV reads OpenCV's XML, of the form that opencv_traincascade writes or of the
// older one. Like OpenCV, it recognises the form by content, not by type_id.
func readOpenCV(data []byte, lim Limits) (*Cascade, error) {
	tree, err := xmltree.Parse(data, xmltree.Limits{Elements: lim.Elements, Depth: lim.Depth})
	if over := (*xmltree.LimitError)(nil); errors.As(err, &over) {
		return nil, refusal{ErrLimit, over.Error()}
	}
	if err != nil {
		return nil, err
	}
	r := openCVReader{lim: lim, c: new(Cascade)}
	if err := catch(func() { r.read(tree.Root()) }); err != nil {
		return nil, err
	}
	return r.c, nil
}

type openCVReader struct {
	lim   Limits
	c     *Cascade
	nodes int
	seen  marks
	weak  []xmltree.Elem // element of each weak classifier
}

// failIn fails with an error, if it is one, about an element.
func failIn(e xmltree.Elem, err error) {
	if err != nil {
		fail(e.Errorf("%w", err))
	}
}

func (r *openCVReader) read(root xmltree.Elem) {
	if !root.Is("opencv_storage") {
		fail(root.Errorf("want <opencv_storage> as the root element"))
	}
	body, ok := root.First()
	if !ok {
		fail(root.Errorf("no cascade inside"))
	}
	if body.Is("_") {
		fail(body.Errorf("a list element, want a named one"))
	}
	if !body.Is("cascade") { // every cascade has this name
		r.c.Name = body.Name()
	}
	stageType, isNew := optional(body, "stageType")
	_, isOld := optional(body, "size")
	switch {
	case isNew:
		r.newForm(body, stageType)
	case isOld:
		r.oldForm(body)
	default:
		fail(body.Errorf("neither <stageType> nor <size> inside, want a cascade of OpenCV's"))
	}
	failIn(body, r.c.checkWhole())
}

// newForm reads a body with stageType, featureType and a list of features.
func (r *openCVReader) newForm(body, stageType xmltree.Elem) {
	if w := word(stageType); string(w) != "BOOST" {
		fail(stageType.Errorf("%s, want BOOST", clip(w)))
	}
	featureType := required(body, "featureType")
	switch w := word(featureType); string(w) {
	case "HAAR":
		r.c.Kind, r.c.MinStdDev = Haar, openCVMinStdDev
	case "LBP":
		r.c.Kind = LBP
	default:
		fail(featureType.Errorf("%s, want HAAR or LBP", clip(w)))
	}
	r.c.Width = integer(body, "width", 1, maxWindow)
	r.c.Height = integer(body, "height", 1, maxWindow)
	failIn(body, r.c.checkHead())
	r.categories(body)
	for e := range list(body, "features") {
		failIn(e, take(r.c.features(), r.lim.Features, "features"))
		if r.c.Kind == LBP {
			r.cell(e)
		} else {
			r.feature(e, 0)
		}
	}
	for stage := range list(body, "stages") {
		for e := range list(stage, "weakClassifiers") {
			r.newTree(e)
		}
		r.exit(stage, "stageThreshold")
	}
	r.normaliseStumps()
	for i, e := range r.weak {
		failIn(e, r.c.checkWeak(i, &r.seen))
	}
}

// categories checks the number that determines the length of a node.
func (r *openCVReader) categories(body xmltree.Elem) {
	params := required(body, "featureParams")
	n, want := 0, 0
	if _, ok := optional(params, "maxCatCount"); ok {
		n = integer(params, "maxCatCount", 0, math.MaxInt32)
	}
	if r.c.Kind == LBP {
		want = 256
	}
	if n != want {
		fail(params.Errorf("maxCatCount is %d, want %d for these features", n, want))
	}
}

// normaliseStumps does what OpenCV does if every tree has one node: leaf 0 is left and
// leaf 1 is right, whatever the file says.
func (r *openCVReader) normaliseStumps() {
	if r.nodes != len(r.c.Weak) {
		return
	}
	for i := range r.c.Weak {
		n := &r.c.Weak[i].Nodes[0]
		n.Left, n.Right = 0, -1
	}
}

func (r *openCVReader) newTree(e xmltree.Elem) {
	var w Weak
	nodes := required(e, "internalNodes")
	f := nodes.Fields()
	for left := f.Next(); left != nil; left = f.Next() {
		r.takeNode(e)
		n, err := r.newNode(left, &f)
		if err != nil {
			fail(f.Errorf("node %d: %w", len(w.Nodes), err))
		}
		w.Nodes = append(w.Nodes, n)
	}
	if len(w.Nodes) == 0 {
		fail(nodes.Errorf("no nodes"))
	}
	w.Leaves = make([]float32, 0, len(w.Nodes)+1)
	f = required(e, "leafValues").Fields()
	for v := f.Next(); v != nil; v = f.Next() {
		leaf, err := parseReal(v)
		if err == nil && len(w.Leaves) > len(w.Nodes) {
			err = fmt.Errorf("more than %d leaves for %d nodes", len(w.Nodes)+1, len(w.Nodes))
		}
		if err != nil {
			fail(f.Errorf("%w", err))
		}
		w.Leaves = append(w.Leaves, leaf)
	}
	r.addWeak(e, w)
}

// newNode reads a node whose first word is left.
func (r *openCVReader) newNode(left []byte, f *xmltree.Fields) (n Node, err error) {
	for i, field := range [...]*int32{&n.Left, &n.Right, &n.Feature} {
		if i > 0 {
			left = f.Next()
		}
		v, err := parseInt(left, math.MinInt32, math.MaxInt32)
		if err != nil {
			return n, err
		}
		*field = int32(v)
	}
	if r.c.Kind == Haar {
		n.Threshold, err = parseReal(f.Next())
		return n, err
	}
	for i := range n.Subset {
		v, err := parseInt(f.Next(), math.MinInt32, math.MaxInt32)
		if err != nil {
			return n, err
		}
		n.Subset[i] = uint32(v)
	}
	return n, nil
}

// cell reads a feature of an LBP cascade.
func (r *openCVReader) cell(e xmltree.Elem) {
	f := required(e, "rect").Fields()
	v := rectangle(&f)
	if w := f.Next(); w != nil {
		fail(f.Errorf("%s behind the rectangle", clip(w)))
	}
	r.c.Cells = append(r.c.Cells, image.Rect(v[0], v[1], v[0]+v[2], v[1]+v[3]))
	failIn(e, r.c.checkFeature(len(r.c.Cells)-1))
}

// feature reads a Haar feature. A third rectangle whose weight is not larger
// than tiny is absent.
func (r *openCVReader) feature(e xmltree.Elem, tiny float32) {
	var h haar.Feature
	n := 0
	for e := range list(e, "rects") {
		if n == len(h.Rects) {
			fail(e.Errorf("more than %d rectangles", n))
		}
		f := e.Fields()
		v := rectangle(&f)
		weight, err := parseReal(f.Next())
		if err != nil {
			fail(f.Errorf("weight: %w", err))
		}
		if w := f.Next(); w != nil {
			fail(f.Errorf("%s behind the weight", clip(w)))
		}
		h.Rects[n] = haar.Rect{X: int32(v[0]), Y: int32(v[1]), W: int32(v[2]), H: int32(v[3]), Weight: weight}
		n++
	}
	if w := h.Rects[2].Weight; w == 0 || -tiny < w && w < tiny {
		h.Rects[2] = haar.Rect{}
	}
	if _, ok := optional(e, "tilted"); ok {
		h.Tilted = integer(e, "tilted", 0, 1) == 1
	}
	r.c.Features = append(r.c.Features, h)
	failIn(e, r.c.checkFeature(len(r.c.Features)-1))
}

// rectangle reads x, y, width and height.
func rectangle(f *xmltree.Fields) (v [4]int) {
	for i, name := range [...]string{"x", "y", "width", "height"} {
		var err error
		if v[i], err = parseInt(f.Next(), i/2, maxWindow); err != nil { // sides are 1 at least
			fail(f.Errorf("%s: %w", name, err))
		}
	}
	return v
}

// oldForm reads a body with size, and features inside the nodes.
func (r *openCVReader) oldForm(body xmltree.Elem) {
	r.c.Kind, r.c.MinStdDev = Haar, openCVMinStdDev
	f := required(body, "size").Fields()
	for _, side := range [...]*int{&r.c.Width, &r.c.Height} {
		var err error
		if *side, err = parseInt(f.Next(), 1, maxWindow); err != nil {
			fail(f.Errorf("%w", err))
		}
	}
	failIn(body, r.c.checkHead())
	for stage := range list(body, "stages") {
		for e := range list(stage, "trees") {
			r.oldTree(e)
		}
		r.exit(stage, "stage_threshold")
	}
}

func (r *openCVReader) oldTree(tree xmltree.Elem) {
	nodes := tree.Len()
	if nodes == 0 {
		fail(tree.Errorf("no nodes"))
	}
	var w Weak
	for e := range items(tree) {
		r.takeNode(e)
		failIn(e, take(r.c.features(), r.lim.Features, "features"))
		n := Node{Feature: int32(len(r.c.Features))}
		r.feature(required(e, "feature"), openCVTiny)
		n.Threshold = number(e, "threshold")
		n.Left = r.oldChild(e, "left", nodes, &w)
		n.Right = r.oldChild(e, "right", nodes, &w)
		w.Nodes = append(w.Nodes, n)
	}
	r.addWeak(tree, w)
	failIn(tree, r.c.checkWeak(len(r.c.Weak)-1, &r.seen))
}

// oldChild reads left_val or left_node, or right. Values become leaves, in
// the order of the file.
func (r *openCVReader) oldChild(e xmltree.Elem, side string, nodes int, w *Weak) int32 {
	node, isNode := optional(e, side+"_node")
	_, isLeaf := optional(e, side+"_val")
	switch {
	case isNode == isLeaf:
		fail(e.Errorf("want either <%s_val> or <%s_node>", side, side))
	case isNode && nodes == 1:
		fail(node.Errorf("want <%s_val> in a tree of one node", side))
	case isNode:
		return int32(integer(e, side+"_node", 1, nodes-1))
	}
	w.Leaves = append(w.Leaves, number(e, side+"_val"))
	return -int32(len(w.Leaves) - 1)
}

func (r *openCVReader) takeNode(e xmltree.Elem) {
	failIn(e, take(r.nodes, r.lim.Nodes, "nodes"))
	r.nodes++
}

func (r *openCVReader) addWeak(e xmltree.Elem, w Weak) {
	failIn(e, take(len(r.c.Weak), r.lim.Weak, "weak classifiers"))
	r.c.Weak = append(r.c.Weak, w)
	r.weak = append(r.weak, e)
}

// exit ends a stage.
func (r *openCVReader) exit(stage xmltree.Elem, name string) {
	v := number(stage, name)
	r.c.Exits = append(r.c.Exits, Exit{After: len(r.c.Weak), Threshold: v - openCVEpsilon, Restart: true})
	failIn(stage, r.c.checkExit(len(r.c.Exits)-1))
}

// list iterates over the elements of a child that is a list, which must not be empty.
func list(parent xmltree.Elem, name string) iter.Seq[xmltree.Elem] {
	l := required(parent, name)
	if _, ok := l.First(); !ok {
		fail(l.Errorf("an empty list"))
	}
	return items(l)
}

// items iterates over the elements of a list.
func items(l xmltree.Elem) iter.Seq[xmltree.Elem] {
	return func(yield func(xmltree.Elem) bool) {
		for e, ok := l.First(); ok; e, ok = e.Next() {
			if !e.Is("_") {
				fail(e.Errorf("want list elements <_> only"))
			}
			if !yield(e) {
				return
			}
		}
	}
}

// optional returns the only child of that name, and whether there is one.
func optional(parent xmltree.Elem, name string) (found xmltree.Elem, ok bool) {
	for e, more := parent.First(); more; e, more = e.Next() {
		if !e.Is(name) {
			continue
		}
		if ok {
			fail(e.Errorf("stands here twice"))
		}
		found, ok = e, true
	}
	return found, ok
}

func required(parent xmltree.Elem, name string) xmltree.Elem {
	e, ok := optional(parent, name)
	if !ok {
		fail(parent.Errorf("no <%s> inside", name))
	}
	return e
}

// word returns the only word of an element's text.
func word(e xmltree.Elem) []byte {
	f := e.Fields()
	w := f.Next()
	if w == nil {
		fail(e.Errorf("empty, want a word or a number"))
	}
	if extra := f.Next(); extra != nil {
		fail(f.Errorf("%s behind %s, want one word or number", clip(extra), clip(w)))
	}
	return w
}

func integer(parent xmltree.Elem, name string, lo, hi int) int {
	e := required(parent, name)
	v, err := parseInt(word(e), lo, hi)
	failIn(e, err)
	return v
}

func number(parent xmltree.Elem, name string) float32 {
	e := required(parent, name)
	v, err := parseReal(word(e))
	failIn(e, err)
	return v
}
