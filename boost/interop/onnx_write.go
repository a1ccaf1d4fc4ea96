package interop

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/bits"

	"haarlem/boost"
)

// WriteONNX writes a model of trees as a tree ensemble of ONNX-ML, a classifier where
// there are classes: label and probabilities of a batch X, in 32 bits. Thresholds and
// leaves are as those of [WriteXGBoost].
func WriteONNX(w io.Writer, m *Model) error {
	models, terms, link, factor, err := m.form()
	if err != nil {
		return err
	}
	e := &onnxEnsemble{}
	for i, t := range terms {
		if link == boost.LogisticLink {
			t.class = 1
		}
		if err := e.tree(int64(i), t, factor); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	classes := m.Shape().Classes
	if m.One != nil && link != boost.LogisticLink {
		classes = nil
	} else if classes == nil {
		classes = []string{"0", "1"}
	}
	var file proto
	file.number(1, 8) // version of the format
	file.bytes(2, []byte("haarlem"))
	file.message(7, func(graph *proto) {
		graph.bytes(2, []byte("model"))
		in, out, name := "X", "Y", "target"
		graph.message(1, func(node *proto) {
			node.bytes(1, []byte(in))
			op, transform := "TreeEnsembleRegressor", "NONE"
			if classes != nil {
				node.bytes(2, []byte("label"))
				op, transform, name = "TreeEnsembleClassifier", "SOFTMAX", "class"
				if m.One != nil {
					transform = "LOGISTIC"
				}
				node.attribute("classlabels_strings", classes)
			} else {
				node.attribute("n_targets", []int64{1})
			}
			node.bytes(4, []byte(op))
			node.bytes(7, []byte("ai.onnx.ml"))
			if link == boost.LogLink {
				node.bytes(2, []byte("log"))
			} else {
				node.bytes(2, []byte(out))
			}
			node.attribute("post_transform", []string{transform})
			for k, list := range [][]int64{e.of, e.ids, e.columns, e.yes, e.no, e.missing} {
				node.attribute("nodes_"+[]string{"treeids", "nodeids", "featureids", "truenodeids", "falsenodeids", "missing_value_tracks_true"}[k], list)
			}
			node.attribute("nodes_modes", e.modes)
			node.attribute("nodes_values", e.cuts)
			node.attribute(name+"_treeids", e.leafOf)
			node.attribute(name+"_nodeids", e.leaf)
			node.attribute(name+"_ids", e.class)
			node.attribute(name+"_weights", e.weights)
		})
		if link == boost.LogLink {
			graph.message(1, func(node *proto) {
				node.bytes(1, []byte("log"))
				node.bytes(2, []byte(out))
				node.bytes(4, []byte("Exp"))
			})
		}
		graph.value(11, in, 1, models[0].Columns)
		if classes != nil {
			graph.value(12, "label", 8)
		}
		graph.value(12, out, 1, max(1, len(classes)))
	})
	schema, err := json.Marshal(boost.Schema{Names: m.Shape().Names, Levels: m.Shape().Levels})
	if err != nil {
		return err
	}
	file.message(14, func(entry *proto) {
		entry.bytes(1, []byte(schemaKey))
		entry.bytes(2, schema)
	})
	for domain, version := range map[string]uint64{"ai.onnx.ml": 1, "": 13} {
		file.message(8, func(set *proto) {
			set.bytes(1, []byte(domain))
			set.number(2, version)
		})
	}
	_, err = w.Write(file)
	return err
}

// value declares an input or an output of a graph: so many rows of numbers.
func (p *proto) value(field int, name string, kind uint64, size ...int) {
	p.message(field, func(p *proto) {
		p.bytes(1, []byte(name))
		p.message(2, func(p *proto) {
			p.message(1, func(p *proto) {
				p.number(1, kind)
				p.message(2, func(p *proto) {
					p.message(1, func(p *proto) { p.bytes(2, []byte("rows")) })
					for _, n := range size {
						p.message(1, func(p *proto) { p.number(1, uint64(n)) })
					}
				})
			})
		})
	})
}

// attribute writes an attribute of a node; one word is no list.
func (p *proto) attribute(name string, value any) {
	p.message(5, func(p *proto) {
		p.bytes(1, []byte(name))
		var list []byte
		switch v := value.(type) {
		case []float32:
			for _, f := range v {
				list = binary.LittleEndian.AppendUint32(list, math.Float32bits(f))
			}
			p.bytes(7, list)
			p.number(20, 6)
		case []int64:
			if name == "n_targets" {
				p.number(3, uint64(v[0]))
				p.number(20, 2)
				break
			}
			for _, n := range v {
				list = binary.AppendUvarint(list, uint64(n))
			}
			p.bytes(8, list)
			p.number(20, 7)
		case []string:
			if len(v) == 1 && name == "post_transform" {
				p.bytes(4, []byte(v[0]))
				p.number(20, 3)
				break
			}
			for _, s := range v {
				p.bytes(9, []byte(s))
			}
			p.number(20, 8)
		}
	})
}

// onnxEnsemble are the attributes of an ensemble.
type onnxEnsemble struct {
	of, ids, columns, yes, no, missing []int64
	modes                              []string
	cuts                               []float32
	leafOf, leaf, class                []int64
	weights                            []float32
}

// node appends a node without children, and returns its place.
func (e *onnxEnsemble) node(of int64, mode string, column int, cut float32, missing bool) int {
	k, id, m := len(e.of), int64(0), int64(0)
	if k > 0 && e.of[k-1] == of {
		id = e.ids[k-1] + 1
	}
	if missing {
		m = 1
	}
	e.of, e.ids, e.columns, e.missing = append(e.of, of), append(e.ids, id), append(e.columns, int64(column)), append(e.missing, m)
	e.yes, e.no, e.modes, e.cuts = append(e.yes, 0), append(e.no, 0), append(e.modes, mode), append(e.cuts, cut)
	return k
}

// tree appends a tree.
func (e *onnxEnsemble) tree(of int64, t turn, factor float64) (err error) {
	var visit func(c int32) int64
	visit = func(c int32) int64 {
		if c <= 0 && (c < 0 || len(t.tree.Nodes) == 0 || len(e.of) > 0 && e.of[len(e.of)-1] == of) {
			k, v := e.node(of, "LEAF", 0, 0, false), float32(factor*(t.coef*t.tree.Leaves[-c]+t.add))
			e.leafOf, e.leaf, e.class, e.weights = append(e.leafOf, of), append(e.leaf, e.ids[k]), append(e.class, int64(t.class)), append(e.weights, v)
			if v-v != 0 {
				err = fmt.Errorf("%w: leaf %v in 32 bits", ErrUnsupported, v)
			}
			return e.ids[k]
		}
		n := t.tree.Nodes[c]
		var k int // of the last node
		switch cut := ceil32(n.Threshold); {
		case n.In != nil:
			members := 0
			for _, w := range n.In {
				members += bits.OnesCount32(w)
			}
			if members > 128 { // the other levels are fewer
				n.In, n.Left, n.Right, n.MissingLeft = complement(n.In), n.Right, n.Left, !n.MissingLeft
			}
			first := len(e.of)
			for c := range 256 {
				if n.In[c/32]>>(c%32)&1 != 0 {
					if k = e.node(of, "BRANCH_EQ", n.Column, float32(c), n.MissingLeft); k > first {
						e.no[k-1] = e.ids[k]
					}
				}
			}
			if k = len(e.of) - 1; k < first { // none
				k = e.node(of, "BRANCH_LT", n.Column, -math.MaxFloat32, n.MissingLeft)
			}
			id := e.ids[first]
			yes := visit(n.Left)
			for i := first; i <= k; i++ { // one child of all
				e.yes[i] = yes
			}
			e.no[k] = visit(n.Right)
			return id
		case math.IsInf(n.Threshold, 1):
			k = e.node(of, "BRANCH_LEQ", n.Column, math.MaxFloat32, n.MissingLeft)
		default:
			if k = e.node(of, "BRANCH_LT", n.Column, cut, n.MissingLeft); math.IsInf(float64(cut), 0) {
				err = fmt.Errorf("%w: threshold %v in 32 bits", ErrUnsupported, n.Threshold)
			}
		}
		e.yes[k] = visit(n.Left)
		e.no[k] = visit(n.Right)
		return e.ids[k]
	}
	visit(0)
	return err
}
