// Package interop reads and writes the model files of XGBoost (JSON and UBJSON),
// LightGBM (text), ONNX-ML and Treelite, and reads those of CatBoost (JSON), as far as models of
// package boost can express them: trees with numeric and categorical splits and missing
// values, for two classes, several classes and regression. Predictions agree to
// rounding, which is that of 32-bit numbers where XGBoost adds up.
//
// Files are not trusted: their content is checked, and memory grows with what
// is read. Errors about files that are no models wrap [boost.ErrFormat].
//
// [WriteGo] and [WriteC] write models as programs.
package interop

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"haarlem/boost"
)

// schemaKey is the key, in the metadata of a file, of the names of columns and levels.
const schemaKey = "haarlem.schema"

// ErrUnsupported is wrapped by errors about models that the other format cannot
// express.
var ErrUnsupported = errors.New("interop: cannot be expressed")

// A Model is a model of one score or of several, one per class; the other is
// nil.
type Model struct {
	One     *boost.Model
	Several *boost.MultiModel
}

// Shape returns a model that knows the columns: of several classes, one without terms.
func (m *Model) Shape() *boost.Model {
	if m.Several != nil {
		return m.Several.Shape()
	}
	return m.One
}

// Save writes a model as a file of package boost.
func (m *Model) Save(w io.Writer) error {
	if m.Several != nil {
		return m.Several.Save(w)
	}
	return m.One.Save(w)
}

// Read reads a model of any of the formats or of package boost, and tells by its content
// which it is.
func Read(r io.Reader) (m *Model, err error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", boost.ErrFormat, maxBytes)
	}
	trimmed := bytes.TrimSpace(text)
	switch {
	case bytes.HasPrefix(text, []byte("haarlem-boost-multi ")):
		m = &Model{}
		m.Several, err = boost.LoadMulti(bytes.NewReader(text))
		return m, err
	case bytes.HasPrefix(text, []byte("haarlem-boost")):
		m = &Model{}
		m.One, err = boost.Load(bytes.NewReader(text))
		return m, err
	case bytes.HasPrefix(trimmed, []byte("tree")):
		return readLightGBM(text)
	case len(text) > 3 && text[1]|text[2]|text[3] == 0: // the version of Treelite
		return readTreelite(text)
	case len(text) > 0 && text[0] == 8: // the version of ONNX
		return readONNX(text)
	case isUBJSON(text):
		return readXGBoost(text)
	case bytes.HasPrefix(trimmed, []byte("{")) && bytes.Contains(text, []byte(`"features_info"`)) && !bytes.Contains(text, []byte(`"gradient_booster"`)):
		return readCatBoost(text)
	case bytes.HasPrefix(trimmed, []byte("{")):
		return readXGBoost(text)
	}
	return nil, fmt.Errorf("%w: of no format that is known", boost.ErrFormat)
}

// form returns the models of the scores of a model to write, their trees in turn, the
// link, and the factor of scores before it.
func (m *Model) form() (models []*boost.Model, terms []turn, link boost.Link, factor float64, err error) {
	if m.Several != nil {
		if !m.Several.Softmax {
			return nil, nil, 0, 0, fmt.Errorf("%w: probabilities that are no softmax", ErrUnsupported)
		}
		terms, err = inTurn(m.Several.Models)
		return m.Several.Models, terms, boost.NoLink, 1, err
	}
	one := m.One
	link, factor = one.Link, 1
	if one.LinkScale != 0 {
		factor = 1 / one.LinkScale
	}
	if link == boost.DoubleLogisticLink {
		link, factor = boost.LogisticLink, 2*factor
	}
	switch {
	case one.Calibration != nil || one.Inverse != nil:
		err = fmt.Errorf("%w: calibrated probabilities", ErrUnsupported)
	case link != boost.LogisticLink && link != boost.IdentityLink && link != boost.LogLink && link != boost.NoLink:
		err = fmt.Errorf("%w: link %d", ErrUnsupported, link)
	default:
		terms, err = inTurn([]*boost.Model{one})
	}
	return []*boost.Model{one}, terms, link, factor, err
}

// maxBytes is the largest length of a file.
const maxBytes = 1 << 30

// assemble makes a model of trees, each of one class, and checks its names. Classes
// have numbers unless the schema names so many.
func assemble(schema boost.Schema, columns int, booster string, terms []boost.Term, class []int, bias []float64, softmax bool, link boost.Link) (*Model, error) {
	if len(schema.Classes) == 1 {
		schema.Classes = nil
	}
	if err := (&boost.Model{Columns: columns}).Check(&boost.Data{Schema: schema, Columns: make([][]float64, columns)}); err != nil {
		return nil, fmt.Errorf("%w: %w", boost.ErrFormat, err)
	}
	classes := schema.Classes
	schema.Classes = nil
	one := func(k int) *boost.Model {
		m := &boost.Model{Schema: schema, Columns: columns, Booster: booster, Bias: bias[k], Link: link}
		for i, t := range terms {
			if class[i] == k {
				m.Terms = append(m.Terms, t)
			}
		}
		return m
	}
	if len(bias) == 1 {
		m := &Model{One: one(0)}
		if len(classes) == 2 {
			m.One.Classes = classes
		}
		return m, nil
	}
	m := &boost.MultiModel{Schema: schema, Columns: columns, Method: booster, Softmax: softmax}
	for k := range bias {
		m.Models = append(m.Models, one(k))
		m.Classes = append(m.Classes, fmt.Sprint(k))
	}
	if len(classes) == len(bias) {
		m.Classes = classes
	}
	return &Model{Several: m}, nil
}

// set makes a set of levels from their numbers.
func set(levels []int) (*[8]uint32, error) {
	in := &[8]uint32{}
	for _, c := range levels {
		if c < 0 || c > 255 {
			return nil, fmt.Errorf("%w: category %d, at most 255", ErrUnsupported, c)
		}
		in[c/32] |= 1 << (c % 32)
	}
	return in, nil
}

// complement returns the levels that are not in a set.
func complement(in *[8]uint32) *[8]uint32 {
	out := &[8]uint32{}
	for k := range in {
		out[k] = ^in[k]
	}
	return out
}

// counts checks that lists of nodes, which have names, are of n.
func counts(n int, of map[string]int) error {
	for what, k := range of {
		if k != n || n == 0 {
			return fmt.Errorf("%w: %d %s for %d nodes", boost.ErrFormat, k, what, n)
		}
	}
	return nil
}

// A visited node has two children, or is a leaf.
type visited struct {
	boost.Node
	left, right int
	leaf        bool
	value       float64
}

// grow makes a tree of a graph of n nodes. A node has one parent. covers, if not nil, are
// the weights of the rows that came to the nodes.
func grow(root, n, columns int, covers []float64, visit func(k int) (visited, error)) (*boost.Tree, error) {
	t := &boost.Tree{}
	type open struct {
		k     int
		up    int // parent, -1 for none
		right bool
	}
	seen := make(map[int]bool)
	for todo := []open{{root, -1, false}}; len(todo) > 0; {
		o := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if o.k < 0 || o.k >= n {
			return nil, fmt.Errorf("%w: node %d of %d", boost.ErrFormat, o.k, n)
		}
		if seen[o.k] {
			return nil, fmt.Errorf("%w: node %d has two parents", boost.ErrFormat, o.k)
		}
		seen[o.k] = true
		v, err := visit(o.k)
		switch {
		case err != nil:
			return nil, err
		case v.value-v.value != 0:
			return nil, fmt.Errorf("%w: leaf %d is %v", boost.ErrFormat, o.k, v.value)
		case v.Column < 0 || v.Column >= columns && !v.leaf:
			return nil, fmt.Errorf("%w: node %d asks for feature %d of %d", boost.ErrFormat, o.k, v.Column, columns)
		case !(v.Threshold > math.Inf(-1)):
			return nil, fmt.Errorf("%w: node %d asks for less than %v", boost.ErrFormat, o.k, v.Threshold)
		}
		var at int32
		if v.leaf {
			at = int32(-len(t.Leaves))
			t.Leaves = append(t.Leaves, v.value)
			if covers != nil {
				t.Covers = append(t.Covers, covers[o.k])
			}
		} else {
			at = int32(len(t.Nodes))
			t.Nodes = append(t.Nodes, v.Node)
			todo = append(todo, open{v.right, int(at), true}, open{v.left, int(at), false})
		}
		switch {
		case o.up < 0:
		case o.right:
			t.Nodes[o.up].Right = at
		default:
			t.Nodes[o.up].Left = at
		}
	}
	sum := 0.0
	for _, c := range t.Covers {
		if c < 0 {
			c = math.NaN()
		}
		sum += c
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		t.Covers = nil
	}
	return t, nil
}
