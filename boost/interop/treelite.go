package interop

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"haarlem/boost"
)

// tlHead begins a checkpoint of Treelite: the fields in the order of the file, lists
// after their lengths, all little-endian.
type tlHead struct {
	Version                           [3]int32
	ThresholdType, LeafType           uint8
	Trees                             uint64
	Columns                           int32
	Task                              uint8
	Average                           bool
	Targets                           int32
	Classes, Shape, TargetOf, ClassOf []int32
	Post                              []byte
	Alpha, Ratio                      float32
	Base                              []float64
	Attributes                        []byte
	Extensions                        int32
}

// tlTree is a tree: lists with one entry a node, and what they point into.
type tlTree struct {
	Nodes                   int32
	HasLevels               bool
	Kind                    []int8
	Left, Right, Column     []int32
	MissingLeft             []bool
	Leaf, Cut               tlFloats
	Op                      []int8
	LevelsRight             []bool
	Vector                  tlFloats
	VectorFrom, VectorTo    []uint64
	Levels                  []uint32
	LevelsFrom, LevelsTo    []uint64
	Count                   []uint64
	HasCount                []bool
	Hessian                 []float64
	HasHessian              []bool
	Gain                    []float64
	HasGain                 []bool
	Extensions, Extensions2 int32
}

// tlFloats are of 64 bits, or of 32 where the head says so.
type tlFloats []float64

const (
	tlFloat32, tlFloat64            = 2, 3 // types
	tlNumeric, tlLevels             = 1, 2 // kinds of nodes
	tlLT, tlLE, tlGT, tlGE          = 2, 3, 4, 5
	tlBinary, tlRegression, tlMulti = 0, 1, 2
)

// tlDecode fills the fields of a struct and returns the rest of the file.
func tlDecode(data []byte, to any, narrow bool) ([]byte, error) {
	v := reflect.ValueOf(to).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		value := f.Addr().Interface()
		floats, short := value.(*tlFloats)
		short = short && narrow
		if f.Kind() == reflect.Slice {
			size := int(f.Type().Elem().Size())
			if short {
				size = 4
			}
			if len(data) < 8 || binary.LittleEndian.Uint64(data) > uint64((len(data)-8)/size) {
				return nil, fmt.Errorf("%w: %s has more values than the file", boost.ErrFormat, v.Type().Field(i).Name)
			}
			n := int(binary.LittleEndian.Uint64(data))
			f.Set(reflect.MakeSlice(f.Type(), n, n))
			if data, value = data[8:], f.Interface(); short {
				value = make([]float32, n)
			}
		}
		size := binary.Size(value)
		if size > len(data) {
			return nil, fmt.Errorf("%w: the file ends in %s", boost.ErrFormat, v.Type().Field(i).Name)
		}
		_, _ = binary.Decode(data[:size], binary.LittleEndian, value) // no error: of fixed size
		if data = data[size:]; short {
			for k, v := range value.([]float32) {
				(*floats)[k] = float64(v)
			}
		}
	}
	return data, nil
}

// tlAppend appends the fields of a struct.
func tlAppend(out []byte, from any) []byte {
	v := reflect.ValueOf(from).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice {
			out = binary.LittleEndian.AppendUint64(out, uint64(f.Len()))
		}
		out, _ = binary.Append(out, binary.LittleEndian, v.Field(i).Interface()) // no error: of fixed size
	}
	return out
}

// readTreelite reads a checkpoint that Treelite 4 serialized.
func readTreelite(text []byte) (*Model, error) {
	var h tlHead
	data, err := tlDecode(text, &h, false)
	if err != nil {
		return nil, err
	}
	narrow := h.ThresholdType == tlFloat32
	switch {
	case h.Version[0] != 4:
		return nil, fmt.Errorf("%w: version %d of Treelite, want 4", ErrUnsupported, h.Version[0])
	case h.Targets != 1 || len(h.Classes) != 1:
		return nil, fmt.Errorf("%w: %d targets", ErrUnsupported, h.Targets)
	case h.Extensions != 0:
		return nil, fmt.Errorf("%w: extensions of the format", ErrUnsupported)
	case h.LeafType != h.ThresholdType || !narrow && h.ThresholdType != tlFloat64:
		return nil, fmt.Errorf("%w: thresholds of type %d, leaves of type %d", ErrUnsupported, h.ThresholdType, h.LeafType)
	case h.Columns < 0 || int(h.Columns) > len(text) || h.Classes[0] < 1 || int(h.Classes[0]) != len(h.Base):
		return nil, fmt.Errorf("%w: %d columns, %d classes, %d base scores", boost.ErrFormat, h.Columns, h.Classes[0], len(h.Base))
	case h.Trees > uint64(len(text)) || int(h.Trees) != len(h.TargetOf) || int(h.Trees) != len(h.ClassOf):
		return nil, fmt.Errorf("%w: %d trees, classes of %d", boost.ErrFormat, h.Trees, len(h.ClassOf))
	}
	columns, classes := int(h.Columns), len(h.Base)
	link, scale, shift, post := boost.NoLink, 1.0, 0.0, string(h.Post)
	switch {
	case classes == 1 && (post == "hinge" || post == "identity" && h.Task == tlBinary), classes > 1 && post == "softmax":
	case classes == 1 && post == "identity":
		link = boost.IdentityLink
	case classes == 1 && post == "exponential":
		link = boost.LogLink
	case classes == 1 && post == "sigmoid":
		if link = boost.LogisticLink; !(h.Alpha > 0) || math.IsInf(float64(h.Alpha), 0) {
			return nil, fmt.Errorf("%w: sigmoid_alpha %v", boost.ErrFormat, h.Alpha)
		}
	case classes > 1 && post == "identity_multiclass" && h.Average:
		link, scale, shift = boost.LinearLink, 2, -1 // leaves are probabilities
	default:
		return nil, fmt.Errorf("%w: postprocessor %q of %d scores", ErrUnsupported, clip(post), classes)
	}
	var terms []boost.Term
	var class []int
	count := make([]float64, classes) // of trees
	for i := range h.ClassOf {
		var t tlTree
		if data, err = tlDecode(data, &t, narrow); err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		first, last := int(h.ClassOf[i]), int(h.ClassOf[i])
		if first == -1 {
			first, last = 0, classes-1
		}
		if first < 0 || last >= classes {
			return nil, fmt.Errorf("%w: tree %d is of class %d of %d", boost.ErrFormat, i, first, classes)
		}
		for k := first; k <= last; k++ {
			one, err := t.tree(columns, k, first < last, narrow)
			if err != nil {
				return nil, fmt.Errorf("tree %d: %w", i, err)
			}
			if link == boost.LinearLink && slices.Min(one.Leaves) < 0 {
				return nil, fmt.Errorf("%w: postprocessor %q of scores that are no probabilities", ErrUnsupported, post)
			}
			terms, class = append(terms, boost.Term{Coef: scale, Weak: one}), append(class, k)
			count[k]++
		}
	}
	if len(data) > 0 {
		return nil, fmt.Errorf("%w: %d bytes after the last tree", boost.ErrFormat, len(data))
	}
	for i := range terms {
		if h.Average {
			terms[i].Coef /= count[class[i]]
		}
	}
	for k, b := range h.Base {
		if h.Base[k] = float64(scale*b) + shift; b-b != 0 {
			return nil, fmt.Errorf("%w: base score %v", boost.ErrFormat, b)
		}
	}
	var attributes map[string]json.RawMessage
	var schema boost.Schema
	_ = json.Unmarshal(h.Attributes, &attributes) // of others may be anything
	if s := attributes[schemaKey]; s != nil && json.Unmarshal(s, &schema) != nil {
		return nil, fmt.Errorf("%w: %s", boost.ErrFormat, schemaKey)
	}
	m, err := assemble(schema, columns, "treelite", terms, class, h.Base, post == "softmax", link)
	if err == nil && m.One != nil && link == boost.LogisticLink && h.Alpha != 1 {
		m.One.LinkScale = 1 / float64(h.Alpha)
	}
	return m, err
}

// tree makes one of our trees, with the leaves of one class.
func (t *tlTree) tree(columns, class int, vector, narrow bool) (*boost.Tree, error) {
	n := int(t.Nodes)
	err := counts(n, map[string]int{
		"kinds": len(t.Kind), "left": len(t.Left), "right": len(t.Right), "features": len(t.Column), "default_left": len(t.MissingLeft), "leaves": len(t.Leaf), "thresholds": len(t.Cut),
		"comparisons": len(t.Op), "sides": len(t.LevelsRight), "vectors": min(len(t.VectorFrom), len(t.VectorTo)), "categories": min(len(t.LevelsFrom), len(t.LevelsTo)),
	})
	if err != nil {
		return nil, err
	}
	if t.Extensions != 0 || t.Extensions2 != 0 {
		return nil, fmt.Errorf("%w: extensions of the format", ErrUnsupported)
	}
	return grow(0, n, columns, nil, func(k int) (v visited, err error) {
		if v.leaf = t.Left[k] == -1; v.leaf {
			if v.value = t.Leaf[k]; vector {
				from, to := t.VectorFrom[k], t.VectorTo[k]
				if to > uint64(len(t.Vector)) || from > to || uint64(class) >= to-from {
					return v, fmt.Errorf("%w: leaf %d has no value of class %d", boost.ErrFormat, k, class)
				}
				v.value = t.Vector[from+uint64(class)]
			}
			return v, nil
		}
		v.Column, v.MissingLeft, v.left, v.right = int(t.Column[k]), t.MissingLeft[k], int(t.Left[k]), int(t.Right[k])
		cut, op := t.Cut[k], t.Op[k]
		switch {
		case t.Kind[k] == tlLevels:
			from, to := t.LevelsFrom[k], t.LevelsTo[k]
			if to > uint64(len(t.Levels)) || from > to {
				return v, fmt.Errorf("%w: categories %d to %d of %d", boost.ErrFormat, from, to, len(t.Levels))
			}
			var levels []int
			for _, c := range t.Levels[from:to] {
				levels = append(levels, int(min(c, math.MaxInt32)))
			}
			if v.In, err = set(levels); err == nil && t.LevelsRight[k] {
				v.In = complement(v.In)
			}
			return v, err
		case t.Kind[k] != tlNumeric:
			return v, fmt.Errorf("%w: node %d of kind %d", boost.ErrFormat, k, t.Kind[k])
		case op < tlLT || op > tlGE:
			return v, fmt.Errorf("%w: comparison %d of node %d", ErrUnsupported, op, k)
		}
		orEqual := op == tlLE || op == tlGT // is on the side of what is less
		switch v.Threshold = cut; {
		case narrow && orEqual:
			v.Threshold = wide(math.Nextafter32(float32(cut), float32(math.Inf(1))))
		case narrow:
			v.Threshold = wide(float32(cut))
		case orEqual:
			v.Threshold = math.Nextafter(cut, math.Inf(1))
		}
		if op >= tlGT {
			v.left, v.right, v.MissingLeft = v.right, v.left, !v.MissingLeft
		}
		return v, nil
	})
}

// WriteTreelite writes a model of trees as a checkpoint of Treelite 4, in 64 bits.
func WriteTreelite(w io.Writer, m *Model) error {
	models, terms, link, factor, err := m.form()
	if err != nil {
		return err
	}
	attributes, err := json.Marshal(map[string]boost.Schema{schemaKey: m.Shape().Schema})
	if err != nil {
		return err
	}
	n := len(models)
	h := &tlHead{
		Version: [3]int32{4, 0, 0}, ThresholdType: tlFloat64, LeafType: tlFloat64, Trees: uint64(len(terms)), Columns: int32(models[0].Columns), Task: tlRegression,
		Targets: 1, Classes: []int32{int32(n)}, Shape: []int32{1, 1}, TargetOf: make([]int32, len(terms)), Post: []byte("identity"), Alpha: 1, Ratio: 1, Base: make([]float64, n), Attributes: attributes,
	}
	switch {
	case m.Several != nil:
		h.Task, h.Post = tlMulti, []byte("softmax")
	case link == boost.LogisticLink:
		h.Task, h.Post = tlBinary, []byte("sigmoid")
	case link == boost.LogLink:
		h.Post = []byte("exponential")
	case link == boost.NoLink:
		h.Task = tlBinary
	}
	for _, t := range terms {
		h.ClassOf = append(h.ClassOf, int32(t.class))
	}
	out := tlAppend(nil, h)
	for i, t := range terms {
		one := &tlTree{}
		if err := one.fill(t, factor); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
		out = tlAppend(out, one)
	}
	_, err = w.Write(out)
	return err
}

// fill converts one of our trees: its nodes, then its leaves.
func (t *tlTree) fill(from turn, factor float64) error {
	nodes := len(from.tree.Nodes)
	n := nodes + len(from.tree.Leaves)
	v := reflect.ValueOf(t).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice {
			f.Set(reflect.MakeSlice(f.Type(), n, n))
		}
	}
	t.Nodes, t.Vector, t.Levels = int32(n), nil, nil
	for k := range from.tree.Nodes {
		q := &from.tree.Nodes[k]
		t.Kind[k], t.Column[k], t.MissingLeft[k] = tlNumeric, int32(q.Column), q.MissingLeft
		t.Left[k], t.Right[k] = int32(place(q.Left, nodes)), int32(place(q.Right, nodes))
		if q.In == nil {
			t.Cut[k], t.Op[k] = q.Threshold, tlLT
			continue
		}
		t.HasLevels, t.Kind[k], t.LevelsFrom[k] = true, tlLevels, uint64(len(t.Levels))
		for c := range uint32(256) {
			if q.In[c/32]>>(c%32)&1 != 0 {
				t.Levels = append(t.Levels, c)
			}
		}
		t.LevelsTo[k] = uint64(len(t.Levels))
	}
	for l, value := range from.tree.Leaves {
		k := nodes + l
		t.Left[k], t.Right[k], t.Column[k] = -1, -1, -1
		if t.Leaf[k] = factor * (from.coef*value + from.add); t.Leaf[k]-t.Leaf[k] != 0 {
			return fmt.Errorf("%w: a leaf of %v", ErrUnsupported, t.Leaf[k])
		}
	}
	return nil
}
