package cascade

import (
	"errors"
	"image"
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
	root := tree.Root()
	if !root.Is("opencv_storage") {
		return nil, root.Errorf("want <opencv_storage> as the root element")
	}
	body, ok := root.First()
	if !ok {
		return nil, root.Errorf("no cascade inside")
	}
	if body.Is("_") {
		return nil, body.Errorf("a list element, want a named one")
	}
	r := openCVReader{lim: lim, c: new(Cascade)}
	if !body.Is("cascade") { // every cascade has this name
		r.c.Name = body.Name()
	}
	stageType, isNew, err := optional(body, "stageType")
	if err != nil {
		return nil, err
	}
	_, isOld, err := optional(body, "size")
	switch {
	case err != nil:
	case isNew:
		err = r.newForm(body, stageType)
	case isOld:
		err = r.oldForm(body)
	default:
		err = body.Errorf("neither <stageType> nor <size> inside, want a cascade of OpenCV's")
	}
	if err != nil {
		return nil, err
	}
	if err := r.c.checkWhole(); err != nil {
		return nil, body.Wrap(err)
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

// newForm reads a body with stageType, featureType and a list of features.
func (r *openCVReader) newForm(body, stageType xmltree.Elem) error {
	if w, err := word(stageType); err != nil {
		return err
	} else if string(w) != "BOOST" {
		return stageType.Errorf("%s, want BOOST", clip(w))
	}
	featureType, err := required(body, "featureType")
	if err != nil {
		return err
	}
	switch w, err := word(featureType); {
	case err != nil:
		return err
	case string(w) == "HAAR":
		r.c.Kind, r.c.MinStdDev = Haar, openCVMinStdDev
	case string(w) == "LBP":
		r.c.Kind = LBP
	default:
		return featureType.Errorf("%s, want HAAR or LBP", clip(w))
	}
	if r.c.Width, err = integer(body, "width", 1, maxWindow); err != nil {
		return err
	}
	if r.c.Height, err = integer(body, "height", 1, maxWindow); err != nil {
		return err
	}
	if err := r.c.checkHead(); err != nil {
		return body.Wrap(err)
	}
	if err := r.categories(body); err != nil {
		return err
	}
	err = r.list(body, "features", func(e xmltree.Elem) error {
		if err := take(r.c.features(), r.lim.Features, "features"); err != nil {
			return e.Wrap(err)
		}
		if r.c.Kind == LBP {
			return r.cell(e)
		}
		return r.feature(e, 0)
	})
	if err != nil {
		return err
	}
	if err := r.list(body, "stages", r.newStage); err != nil {
		return err
	}
	r.normaliseStumps()
	for i, e := range r.weak {
		if err := r.c.checkWeak(i, &r.seen); err != nil {
			return e.Wrap(err)
		}
	}
	return nil
}

// categories checks the number that determines the length of a node.
func (r *openCVReader) categories(body xmltree.Elem) error {
	params, err := required(body, "featureParams")
	if err != nil {
		return err
	}
	_, ok, err := optional(params, "maxCatCount")
	if err != nil {
		return err
	}
	n, want := 0, 0
	if ok {
		if n, err = integer(params, "maxCatCount", 0, math.MaxInt32); err != nil {
			return err
		}
	}
	if r.c.Kind == LBP {
		want = 256
	}
	if n != want {
		return params.Errorf("maxCatCount is %d, want %d for these features", n, want)
	}
	return nil
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

func (r *openCVReader) newStage(stage xmltree.Elem) error {
	if err := r.list(stage, "weakClassifiers", r.newTree); err != nil {
		return err
	}
	return r.exit(stage, "stageThreshold")
}

func (r *openCVReader) newTree(e xmltree.Elem) error {
	var w Weak
	nodes, err := required(e, "internalNodes")
	if err != nil {
		return err
	}
	f := nodes.Fields()
	for left := f.Next(); left != nil; left = f.Next() {
		if err := r.takeNode(e); err != nil {
			return err
		}
		n, err := r.newNode(left, &f)
		if err != nil {
			return f.Errorf("node %d: %w", len(w.Nodes), err)
		}
		w.Nodes = append(w.Nodes, n)
	}
	if len(w.Nodes) == 0 {
		return nodes.Errorf("no nodes")
	}
	leaves, err := required(e, "leafValues")
	if err != nil {
		return err
	}
	w.Leaves = make([]float32, 0, len(w.Nodes)+1)
	f = leaves.Fields()
	for v := f.Next(); v != nil; v = f.Next() {
		leaf, err := parseReal(v)
		if err != nil {
			return f.Errorf("%w", err)
		}
		if len(w.Leaves) > len(w.Nodes) {
			return f.Errorf("more than %d leaves for %d nodes", len(w.Nodes)+1, len(w.Nodes))
		}
		w.Leaves = append(w.Leaves, leaf)
	}
	return r.addWeak(e, w)
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
func (r *openCVReader) cell(e xmltree.Elem) error {
	rect, err := required(e, "rect")
	if err != nil {
		return err
	}
	f := rect.Fields()
	v, err := rectangle(&f)
	if err != nil {
		return err
	}
	if w := f.Next(); w != nil {
		return f.Errorf("%s behind the rectangle", clip(w))
	}
	r.c.Cells = append(r.c.Cells, image.Rect(v[0], v[1], v[0]+v[2], v[1]+v[3]))
	if err := r.c.checkFeature(len(r.c.Cells) - 1); err != nil {
		return e.Wrap(err)
	}
	return nil
}

// feature reads a Haar feature. A third rectangle whose weight is not larger
// than tiny is absent.
func (r *openCVReader) feature(e xmltree.Elem, tiny float32) error {
	var h haar.Feature
	n := 0
	err := r.list(e, "rects", func(e xmltree.Elem) error {
		if n == len(h.Rects) {
			return e.Errorf("more than %d rectangles", n)
		}
		f := e.Fields()
		v, err := rectangle(&f)
		if err != nil {
			return err
		}
		weight, err := parseReal(f.Next())
		if err != nil {
			return f.Errorf("weight: %w", err)
		}
		if w := f.Next(); w != nil {
			return f.Errorf("%s behind the weight", clip(w))
		}
		h.Rects[n] = haar.Rect{X: int32(v[0]), Y: int32(v[1]), W: int32(v[2]), H: int32(v[3]), Weight: weight}
		n++
		return nil
	})
	if err != nil {
		return err
	}
	if w := h.Rects[2].Weight; w == 0 || -tiny < w && w < tiny {
		h.Rects[2] = haar.Rect{}
	}
	_, ok, err := optional(e, "tilted")
	if err != nil {
		return err
	}
	if ok {
		v, err := integer(e, "tilted", 0, 1)
		if err != nil {
			return err
		}
		h.Tilted = v == 1
	}
	r.c.Features = append(r.c.Features, h)
	if err := r.c.checkFeature(len(r.c.Features) - 1); err != nil {
		return e.Wrap(err)
	}
	return nil
}

// rectangle reads x, y, width and height.
func rectangle(f *xmltree.Fields) (v [4]int, err error) {
	for i, name := range [...]string{"x", "y", "width", "height"} {
		lo := 0
		if i >= 2 {
			lo = 1
		}
		if v[i], err = parseInt(f.Next(), lo, maxWindow); err != nil {
			return v, f.Errorf("%s: %w", name, err)
		}
	}
	return v, nil
}

// oldForm reads a body with size, and features inside the nodes.
func (r *openCVReader) oldForm(body xmltree.Elem) error {
	r.c.Kind, r.c.MinStdDev = Haar, openCVMinStdDev
	size, err := required(body, "size")
	if err != nil {
		return err
	}
	f := size.Fields()
	for _, side := range [...]*int{&r.c.Width, &r.c.Height} {
		if *side, err = parseInt(f.Next(), 1, maxWindow); err != nil {
			return f.Errorf("%w", err)
		}
	}
	if err := r.c.checkHead(); err != nil {
		return body.Wrap(err)
	}
	return r.list(body, "stages", func(stage xmltree.Elem) error {
		if err := r.list(stage, "trees", r.oldTree); err != nil {
			return err
		}
		return r.exit(stage, "stage_threshold")
	})
}

func (r *openCVReader) oldTree(tree xmltree.Elem) error {
	nodes := tree.Len()
	if nodes == 0 {
		return tree.Errorf("no nodes")
	}
	var w Weak
	for e, ok := tree.First(); ok; e, ok = e.Next() {
		if !e.Is("_") {
			return e.Errorf("want list elements <_> only")
		}
		if err := r.takeNode(e); err != nil {
			return err
		}
		if err := take(r.c.features(), r.lim.Features, "features"); err != nil {
			return e.Wrap(err)
		}
		feature, err := required(e, "feature")
		if err != nil {
			return err
		}
		n := Node{Feature: int32(len(r.c.Features))}
		if err := r.feature(feature, openCVTiny); err != nil {
			return err
		}
		if n.Threshold, err = number(e, "threshold"); err != nil {
			return err
		}
		if n.Left, err = r.oldChild(e, "left", nodes, &w); err != nil {
			return err
		}
		if n.Right, err = r.oldChild(e, "right", nodes, &w); err != nil {
			return err
		}
		w.Nodes = append(w.Nodes, n)
	}
	if err := r.addWeak(tree, w); err != nil {
		return err
	}
	if err := r.c.checkWeak(len(r.c.Weak)-1, &r.seen); err != nil {
		return tree.Wrap(err)
	}
	return nil
}

// oldChild reads left_val or left_node, or right. Values become leaves, in
// the order of the file.
func (r *openCVReader) oldChild(e xmltree.Elem, side string, nodes int, w *Weak) (int32, error) {
	node, isNode, err := optional(e, side+"_node")
	if err != nil {
		return 0, err
	}
	_, isLeaf, err := optional(e, side+"_val")
	if err != nil {
		return 0, err
	}
	switch {
	case isNode == isLeaf:
		return 0, e.Errorf("want either <%s_val> or <%s_node>", side, side)
	case isNode && nodes == 1:
		return 0, node.Errorf("want <%s_val> in a tree of one node", side)
	case isNode:
		child, err := integer(e, side+"_node", 1, nodes-1)
		return int32(child), err
	}
	v, err := number(e, side+"_val")
	if err != nil {
		return 0, err
	}
	w.Leaves = append(w.Leaves, v)
	return -int32(len(w.Leaves) - 1), nil
}

func (r *openCVReader) takeNode(e xmltree.Elem) error {
	if err := take(r.nodes, r.lim.Nodes, "nodes"); err != nil {
		return e.Wrap(err)
	}
	r.nodes++
	return nil
}

func (r *openCVReader) addWeak(e xmltree.Elem, w Weak) error {
	if err := take(len(r.c.Weak), r.lim.Weak, "weak classifiers"); err != nil {
		return e.Wrap(err)
	}
	r.c.Weak = append(r.c.Weak, w)
	r.weak = append(r.weak, e)
	return nil
}

// exit ends a stage.
func (r *openCVReader) exit(stage xmltree.Elem, name string) error {
	v, err := number(stage, name)
	if err != nil {
		return err
	}
	r.c.Exits = append(r.c.Exits, Exit{After: len(r.c.Weak), Threshold: v - openCVEpsilon, Restart: true})
	if err := r.c.checkExit(len(r.c.Exits) - 1); err != nil {
		return stage.Wrap(err)
	}
	return nil
}

// list calls f for every element of a list that must not be empty.
func (r *openCVReader) list(parent xmltree.Elem, name string, f func(xmltree.Elem) error) error {
	list, err := required(parent, name)
	if err != nil {
		return err
	}
	e, ok := list.First()
	if !ok {
		return list.Errorf("an empty list")
	}
	for ; ok; e, ok = e.Next() {
		if !e.Is("_") {
			return e.Errorf("want list elements <_> only")
		}
		if err := f(e); err != nil {
			return err
		}
	}
	return nil
}

// optional returns the only child of that name, and whether there is one.
func optional(parent xmltree.Elem, name string) (found xmltree.Elem, ok bool, err error) {
	for e, more := parent.First(); more; e, more = e.Next() {
		if !e.Is(name) {
			continue
		}
		if ok {
			return found, ok, e.Errorf("stands here twice")
		}
		found, ok = e, true
	}
	return found, ok, nil
}

func required(parent xmltree.Elem, name string) (xmltree.Elem, error) {
	e, ok, err := optional(parent, name)
	if err == nil && !ok {
		err = parent.Errorf("no <%s> inside", name)
	}
	return e, err
}

// word returns the only word of an element's text.
func word(e xmltree.Elem) ([]byte, error) {
	f := e.Fields()
	w := f.Next()
	if w == nil {
		return nil, e.Errorf("empty, want a word or a number")
	}
	if extra := f.Next(); extra != nil {
		return nil, f.Errorf("%s behind %s, want one word or number", clip(extra), clip(w))
	}
	return w, nil
}

func integer(parent xmltree.Elem, name string, lo, hi int) (int, error) {
	e, err := required(parent, name)
	if err != nil {
		return 0, err
	}
	w, err := word(e)
	if err != nil {
		return 0, err
	}
	v, err := parseInt(w, lo, hi)
	if err != nil {
		return 0, e.Wrap(err)
	}
	return v, nil
}

func number(parent xmltree.Elem, name string) (float32, error) {
	e, err := required(parent, name)
	if err != nil {
		return 0, err
	}
	w, err := word(e)
	if err != nil {
		return 0, err
	}
	v, err := parseReal(w)
	if err != nil {
		return 0, e.Wrap(err)
	}
	return v, nil
}
