package interop

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"haarlem/boost"
)

// onnxAttribute is an attribute of a node.
type onnxAttribute struct {
	floats  []float32
	ints    []int64
	strings []string
	tensor  bool
}

type onnxNode struct {
	op   string
	with map[string]*onnxAttribute
}

func (n *onnxNode) get(name string) *onnxAttribute {
	if a := n.with[name]; a != nil {
		return a
	}
	return &onnxAttribute{}
}

// word returns an attribute that is one word.
func (n *onnxNode) word(name, otherwise string) string {
	if s := n.get(name).strings; len(s) == 1 {
		return s[0]
	}
	return otherwise
}

// readONNX reads a tree ensemble of ONNX-ML: a graph of a TreeEnsembleRegressor or a
// TreeEnsembleClassifier and what changes no number after it, or Exp. A column that
// is compared for equality is one of levels. Values are compared in 32 bits, as
// XGBoost does.
func readONNX(text []byte) (*Model, error) {
	n, columns, link, schema, err := onnxGraph(text)
	if err != nil {
		return nil, err
	}
	trees, err := n.trees()
	if err != nil {
		return nil, err
	}
	// The scores that leaves have weights for.
	kind, classes := "target", []string(nil)
	scores := 1
	if n.op == "TreeEnsembleClassifier" {
		kind, classes = "class", n.get("classlabels_strings").strings
		for _, c := range n.get("classlabels_int64s").ints {
			classes = append(classes, fmt.Sprint(c))
		}
		scores = len(classes)
	} else if targets := n.get("n_targets").ints; len(targets) == 1 && targets[0] != 1 {
		return nil, fmt.Errorf("%w: %d targets", ErrUnsupported, targets[0])
	}
	ids, of, leaf, weights := n.get(kind+"_ids").ints, n.get(kind+"_treeids").ints, n.get(kind+"_nodeids").ints, n.get(kind+"_weights").floats
	if len(ids) != len(of) || len(ids) != len(leaf) || len(ids) != len(weights) || scores < 1 || scores == 1 && kind == "class" {
		return nil, fmt.Errorf("%w: %d, %d, %d and %d weights of leaves, %d scores", boost.ErrFormat, len(ids), len(of), len(leaf), len(weights), scores)
	}
	one := kind == "target" || scores == 2 && len(slices.Compact(slices.Sorted(slices.Values(ids)))) <= 1
	transform := n.word("post_transform", "NONE")
	base := n.get("base_values").floats
	scale, shift := 1.0, 0.0
	switch {
	case one && transform == "LOGISTIC" && kind == "class": // of targets ONNX Runtime ignores it
		link = boost.LogisticLink
	case one && transform == "NONE" && kind == "target", !one && transform == "SOFTMAX":
	case transform == "NONE" && kind == "class" && (!one || !slices.ContainsFunc(weights, func(w float32) bool { return w < 0 })):
		link, scale, shift = boost.LinearLink, 2, -1 // scores are probabilities
	default:
		return nil, fmt.Errorf("%w: post_transform %s of %d scores", ErrUnsupported, transform, scores)
	}
	if one {
		scores = 1
	}
	bias := make([]float64, scores)
	for k := range bias { // of two classes ONNX Runtime adds the one to the first
		if len(base) == 1 && one && (kind == "target" || !slices.ContainsFunc(ids, func(k int64) bool { return k != 0 })) {
			bias[k] = float64(base[0])
		} else if len(base) == scores && !one {
			bias[k] = float64(base[k])
		} else if len(base) > 0 {
			return nil, fmt.Errorf("%w: %d base_values of %d scores", ErrUnsupported, len(base), scores)
		}
		bias[k] = float64(scale*bias[k]) + shift
	}
	coef := scale
	switch f := n.word("aggregate_function", "SUM"); f {
	case "SUM":
	case "AVERAGE":
		coef /= float64(max(1, len(trees)))
	default:
		return nil, fmt.Errorf("%w: aggregate_function %s", ErrUnsupported, f)
	}
	number := map[int64]int{} // of a tree
	for i, t := range trees {
		if _, ok := number[t.id]; ok {
			return nil, fmt.Errorf("%w: tree %d is in two parts", boost.ErrFormat, t.id)
		}
		number[t.id] = i
	}
	values := make([]map[[2]int64]float64, len(trees)) // by node and score
	for i := range ids {
		k, ok := number[of[i]]
		if one {
			ids[i] = 0
		}
		if !ok || ids[i] < 0 || int(ids[i]) >= scores || weights[i]-weights[i] != 0 {
			return nil, fmt.Errorf("%w: weight %v of score %d in tree %d", boost.ErrFormat, weights[i], ids[i], of[i])
		}
		if values[k] == nil {
			values[k] = map[[2]int64]float64{}
		}
		values[k][[2]int64{leaf[i], ids[i]}] += float64(weights[i])
	}
	var terms []boost.Term
	var class []int
	for i, t := range trees {
		for _, q := range t.Nodes {
			columns = max(columns, q.Column+1)
		}
		for k := range scores {
			one := &boost.Tree{Nodes: t.Nodes, Leaves: make([]float64, len(t.Leaves))}
			used := scores == 1
			for l, node := range t.Leaves {
				v, ok := values[i][[2]int64{int64(node), int64(k)}]
				one.Leaves[l], used = v, used || ok
			}
			if used {
				terms, class = append(terms, boost.Term{Coef: coef, Weak: one}), append(class, k)
			}
		}
	}
	if columns > len(text) {
		return nil, fmt.Errorf("%w: %d features in a file of %d bytes", boost.ErrFormat, columns, len(text))
	}
	schema.Classes = classes
	return assemble(schema, columns, "onnx", terms, class, bias, transform == "SOFTMAX", link)
}

// onnxGraph returns the ensemble of a file, the number of columns, 0 if the file does
// not say, the link, and the names if [WriteONNX] wrote it.
func onnxGraph(text []byte) (ensemble *onnxNode, columns int, link boost.Link, schema boost.Schema, err error) {
	link = boost.IdentityLink
	var ops []string
	inputs := 0
	err = protoFields(text, func(field int, _ uint64, graph []byte) error {
		if field == 14 {
			var entry [3][]byte
			err := protoFields(graph, func(field int, _ uint64, data []byte) error {
				entry[field%3] = data
				return nil
			})
			if err == nil && string(entry[1]) == schemaKey && json.Unmarshal(entry[2], &schema) != nil {
				err = fmt.Errorf("%w: %s", boost.ErrFormat, schemaKey)
			}
			return err
		}
		if field != 7 {
			return nil
		}
		return protoFields(graph, func(field int, _ uint64, data []byte) error {
			switch field {
			case 1:
				n, err := onnxNodeOf(data)
				switch ops = append(ops, n.op); n.op {
				case "TreeEnsembleRegressor", "TreeEnsembleClassifier":
					if ensemble != nil {
						return fmt.Errorf("%w: two ensembles", ErrUnsupported)
					}
					ensemble = n
				case "Exp":
					link = boost.LogLink
				case "Cast", "Identity", "Mul", "ZipMap":
				default:
					return fmt.Errorf("%w: operator %q", ErrUnsupported, clip(n.op))
				}
				return err
			case 5: // a constant, by which LightGBM's converter multiplies
				one := []byte{0, 0, 0x80, 0x3f}
				return protoFields(data, func(field int, _ uint64, data []byte) error {
					if (field == 4 || field == 9) && !bytes.Equal(data, one) {
						return fmt.Errorf("%w: constants other than 1", ErrUnsupported)
					}
					return nil
				})
			case 11:
				inputs++
				return protoPath(data, func(v uint64) { columns = int(min(v, 1<<24)) }, 2, 1, 2, 1, 1)
			}
			return nil
		})
	})
	if err == nil && (ensemble == nil || inputs != 1 || link == boost.LogLink && ensemble.op != "TreeEnsembleRegressor") {
		err = fmt.Errorf("%w: a graph of %d inputs and %q", ErrUnsupported, inputs, ops)
	}
	return ensemble, columns, link, schema, err
}

// protoPath calls f for the numbers that are at a path of fields.
func protoPath(data []byte, f func(v uint64), path ...int) error {
	return protoFields(data, func(field int, v uint64, data []byte) error {
		switch {
		case field != path[0]:
		case len(path) > 1:
			return protoPath(data, f, path[1:]...)
		default:
			f(v)
		}
		return nil
	})
}

func onnxNodeOf(data []byte) (*onnxNode, error) {
	n := &onnxNode{with: map[string]*onnxAttribute{}}
	return n, protoFields(data, func(field int, _ uint64, data []byte) error {
		if field == 4 {
			n.op = string(data)
		}
		if field != 5 {
			return nil
		}
		a, name := &onnxAttribute{}, ""
		err := protoFields(data, func(field int, v uint64, data []byte) error {
			switch field {
			case 1:
				name = string(data)
			case 2, 7:
				a.floats = protoFloats(a.floats, data)
			case 3, 8:
				if data == nil {
					a.ints = append(a.ints, int64(v))
				}
				for len(data) > 0 {
					v, size := binary.Uvarint(data)
					if size <= 0 {
						return fmt.Errorf("%w: attribute %q", boost.ErrFormat, clip(name))
					}
					a.ints, data = append(a.ints, int64(v)), data[size:]
				}
			case 4, 9:
				a.strings = append(a.strings, string(data))
			case 5:
				a.tensor = true
			}
			return nil
		})
		if a.tensor {
			return fmt.Errorf("%w: attribute %s, 64-bit numbers", ErrUnsupported, clip(name))
		}
		n.with[name] = a
		return err
	})
}

// onnxTree is a tree whose leaves are numbers of nodes.
type onnxTree struct {
	*boost.Tree
	id int64
}

// trees returns the trees, the first first.
func (n *onnxNode) trees() ([]onnxTree, error) {
	ids, of, columns, modes := n.get("nodes_nodeids").ints, n.get("nodes_treeids").ints, n.get("nodes_featureids").ints, n.get("nodes_modes").strings
	yes, no, cuts, missing := n.get("nodes_truenodeids").ints, n.get("nodes_falsenodeids").ints, n.get("nodes_values").floats, n.get("nodes_missing_value_tracks_true").ints
	count := len(ids)
	if missing == nil {
		missing = make([]int64, count)
	}
	if err := counts(count, map[string]int{
		"treeids": len(of), "featureids": len(columns), "modes": len(modes), "truenodeids": len(yes), "falsenodeids": len(no), "values": len(cuts), "missing_value_tracks_true": len(missing),
	}); err != nil {
		return nil, err
	}
	var trees []onnxTree
	places := map[[2]int64]int{} // of nodes, by tree and number
	for i := range ids {
		if _, ok := places[[2]int64{of[i], ids[i]}]; ok {
			return nil, fmt.Errorf("%w: node %d of tree %d is there twice", boost.ErrFormat, ids[i], of[i])
		}
		places[[2]int64{of[i], ids[i]}] = i
	}
	for i := range ids {
		if i > 0 && of[i] == of[i-1] {
			continue // the root comes first
		}
		place := func(id int64) int {
			if k, ok := places[[2]int64{of[i], id}]; ok {
				return k
			}
			return -1
		}
		t, err := grow(i, count, 1<<24, nil, func(k int) (v visited, err error) {
			if modes[k] == "LEAF" {
				return visited{leaf: true, value: float64(ids[k])}, nil
			}
			above := math.Nextafter32(cuts[k], float32(math.Inf(1)))
			v.Column, v.MissingLeft, v.left, v.right = int(columns[k]), missing[k] != 0, place(yes[k]), place(no[k])
			switch modes[k] {
			case "BRANCH_LEQ":
				v.Threshold = wide(above)
			case "BRANCH_LT":
				v.Threshold = wide(cuts[k])
			case "BRANCH_GTE", "BRANCH_GT":
				v.Threshold, v.MissingLeft, v.left, v.right = wide(cuts[k]), !v.MissingLeft, v.right, v.left
				if modes[k] == "BRANCH_GT" {
					v.Threshold = wide(above)
				}
			case "BRANCH_EQ":
				// A set of levels is a chain of nodes with one true child.
				v.In = &[8]uint32{}
				for steps := 0; ; steps++ {
					in, err := set([]int{int(cuts[k])})
					if err != nil || float32(int(cuts[k])) != cuts[k] {
						return v, fmt.Errorf("%w: feature %d is compared with level %v", ErrUnsupported, v.Column, cuts[k])
					}
					for w := range in {
						v.In[w] |= in[w]
					}
					v.MissingLeft = v.MissingLeft || missing[k] != 0
					next := place(no[k])
					if next < 0 || modes[next] != "BRANCH_EQ" || columns[next] != columns[k] || place(yes[next]) != v.left {
						v.right = next
						break
					}
					if k = next; steps > 255 {
						return v, fmt.Errorf("%w: nodes in a circle", boost.ErrFormat)
					}
				}
			default:
				return v, fmt.Errorf("%w: nodes of mode %q", ErrUnsupported, clip(modes[k]))
			}
			return v, nil
		})
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", of[i], err)
		}
		trees = append(trees, onnxTree{t, of[i]})
	}
	return trees, nil
}
