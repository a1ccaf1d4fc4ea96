package interop

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"haarlem/boost"
)

// WriteXGBoost writes a model of trees as XGBoost's JSON. Leaf values are
// rounded to 32 bits, and thresholds up to 32 bits: rows of 32-bit numbers
// reach the same leaves.
func WriteXGBoost(w io.Writer, m *Model) error {
	text, err := xgbText(m)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// WriteXGBoostUBJSON is [WriteXGBoost] for UBJSON, which is half as large.
func WriteXGBoostUBJSON(w io.Writer, m *Model) error {
	text, err := xgbText(m)
	if err == nil {
		text, err = toUBJSON(text)
	}
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// xgbText returns a model as JSON.
func xgbText(m *Model) ([]byte, error) {
	f := xgbFile{Version: []int{2, 1, 0}}
	l := &f.Learner
	l.Attributes = map[string]string{}
	models, terms, link, factor, err := m.form()
	if err != nil {
		return nil, err
	}
	columns := models[0].Columns
	l.Param.NumFeature, l.Param.NumTarget, l.Param.BoostFromAverage = columns, 1, 1
	name, base := "binary:logitraw", "0E0" // a score, not a probability
	switch {
	case m.Several != nil:
		name, base, l.Param.NumClass = "multi:softprob", "0", len(models)
	case link == boost.LogisticLink:
		name, base = "binary:logistic", "5E-1"
	case link == boost.IdentityLink:
		name, base = "reg:squarederror", "0"
	case link == boost.LogLink:
		name, base = "count:poisson", "1"
	}
	l.Param.BaseScore = base
	l.Objective = map[string]any{"name": name}
	switch name {
	case "multi:softprob":
		l.Objective["softmax_multiclass_param"] = map[string]string{"num_class": strconv.Itoa(len(models))}
	case "count:poisson":
		l.Objective["poisson_regression_param"] = map[string]string{"max_delta_step": "0.7"}
	default:
		l.Objective["reg_loss_param"] = map[string]string{"scale_pos_weight": "1"}
	}
	l.FeatureNames, l.FeatureTypes = []string{}, make([]string, columns)
	if models[0].Names != nil {
		l.FeatureNames = models[0].Names
	}
	for j := range l.FeatureTypes {
		l.FeatureTypes[j] = "float"
	}
	x := &xgbModel{IterationIndptr: []int{0}, TreeInfo: []int{}, Trees: []xgbTree{}}
	x.name(models[0], l.FeatureTypes)
	for _, t := range terms {
		tree := xgbTree{ID: len(x.Trees)}
		if err := tree.fill(t.tree, t.coef*factor, t.add*factor, columns, l.FeatureTypes); err != nil {
			return nil, fmt.Errorf("tree %d: %w", tree.ID, err)
		}
		x.Trees, x.TreeInfo = append(x.Trees, tree), append(x.TreeInfo, t.class)
	}
	for n := len(models); n <= len(x.Trees); n += len(models) {
		x.IterationIndptr = append(x.IterationIndptr, n)
	}
	x.Param.NumTrees, x.Param.NumParallelTree = len(x.Trees), 1
	l.Booster = xgbBooster{Name: "gbtree", Model: x}
	text, err := json.Marshal(&f)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnsupported, err)
	}
	return text, nil
}

// name writes the names of levels, if XGBoost can read all: see [xgbLevels].
func (x *xgbModel) name(m *boost.Model, types []string) {
	x.Cats.Enc, x.Cats.FeatureSegments, x.Cats.SortedIdx = []xgbLevels{}, []int{}, []int{}
	all := strings.Join(slices.Concat(m.Levels...), "")
	if all == "" || strings.ContainsFunc(all, func(r rune) bool { return r > 127 }) {
		return
	}
	x.Cats.FeatureSegments = []int{0}
	for j, levels := range m.Levels {
		one := xgbLevels{Offsets: []int{}, Values: []json.Number{}}
		if levels != nil {
			types[j], one.Offsets = "c", []int{0}
		}
		order := make([]int, len(levels))
		for k, l := range levels {
			for _, c := range []byte(l) {
				one.Values = append(one.Values, json.Number(strconv.Itoa(int(c))))
			}
			order[k], one.Offsets = k, append(one.Offsets, len(one.Values))
		}
		slices.SortFunc(order, func(a, b int) int { return strings.Compare(levels[a], levels[b]) })
		x.Cats.Enc, x.Cats.SortedIdx = append(x.Cats.Enc, one), append(x.Cats.SortedIdx, order...)
		x.Cats.FeatureSegments = append(x.Cats.FeatureSegments, len(x.Cats.SortedIdx))
	}
}

// turn is a tree to write: its values times coef, plus add.
type turn struct {
	tree      *boost.Tree
	coef, add float64
	class     int
}

// inTurn returns the trees of the classes one round after the other, as both
// formats require: where one has fewer than another, with zero trees. The bias
// is in the first tree.
func inTurn(models []*boost.Model) ([]turn, error) {
	rounds := 1
	for k, m := range models {
		if m.Damping != 0 {
			return nil, fmt.Errorf("%w: terms that are damped", ErrUnsupported)
		}
		rounds = max(rounds, len(m.Terms))
		for i, t := range m.Terms {
			if _, ok := t.Weak.(*boost.Tree); !ok {
				return nil, fmt.Errorf("%w: term %d of score %d is a %T, want trees", ErrUnsupported, i, k, t.Weak)
			}
		}
	}
	var all []turn
	for i := range rounds {
		for k, m := range models {
			t := turn{tree: &boost.Tree{Leaves: []float64{0}}, coef: 1, class: k}
			if i < len(m.Terms) {
				t.tree, t.coef = m.Terms[i].Weak.(*boost.Tree), m.Terms[i].Coef
			}
			if i == 0 {
				t.add = m.Bias
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// place is a node's number in a list of the nodes, and after them the leaves.
func place(c int32, nodes int) int {
	if c > 0 {
		return int(c)
	}
	return nodes + int(-c)
}

// fill converts one of our trees. Nodes and leaves come level by level, the two
// children of a node beside each other: XGBoost goes to the left child or to the
// node after it, and ignores right_children.
func (t *xgbTree) fill(from *boost.Tree, coef, add float64, columns int, types []string) error {
	nodes := len(from.Nodes)
	n := nodes + len(from.Leaves)
	t.LeftChildren, t.RightChildren, t.Parents = make([]int, n), make([]int, n), make([]int, n)
	t.SplitConditions, t.SplitIndices, t.SplitType = make(xgbFloats, n), make([]int, n), make([]int, n)
	t.BaseWeights, t.LossChanges, t.SumHessian = make(xgbFloats, n), make(xgbFloats, n), make(xgbFloats, n)
	t.DefaultLeft = make([]xgbFlag, n)
	t.Categories, t.CategoriesNodes, t.CategoriesSegments, t.CategoriesSizes = []int{}, []int{}, []int{}, []int{}
	t.Parents[0] = math.MaxInt32
	order := append(make([]int, 0, n), 0)
	for i := 0; i < len(order); i++ {
		if k := order[i] - nodes; k >= 0 {
			v := coef*from.Leaves[k] + add
			t.LeftChildren[i], t.RightChildren[i] = -1, -1
			t.SplitConditions[i], t.BaseWeights[i] = float32(v), float32(v)
			if math.IsInf(float64(t.SplitConditions[i]), 0) {
				return fmt.Errorf("%w: leaf %v in 32 bits", ErrUnsupported, v)
			}
			continue
		}
		q := &from.Nodes[order[i]]
		t.LeftChildren[i], t.RightChildren[i] = len(order), len(order)+1
		t.Parents[len(order)], t.Parents[len(order)+1] = i, i
		order = append(order, place(q.Left, nodes), place(q.Right, nodes))
		t.SplitIndices[i], t.DefaultLeft[i] = q.Column, xgbFlag(q.MissingLeft)
		if q.In == nil {
			if math.IsInf(q.Threshold, 1) { // separates present from missing; JSON has no infinity
				t.SplitConditions[i] = math.MaxFloat32
			} else if t.SplitConditions[i] = ceil32(q.Threshold); math.IsInf(float64(t.SplitConditions[i]), 0) {
				return fmt.Errorf("%w: threshold %v in 32 bits", ErrUnsupported, q.Threshold)
			}
			continue
		}
		types[q.Column] = "c"
		t.SplitType[i] = 1
		t.CategoriesNodes, t.CategoriesSegments = append(t.CategoriesNodes, i), append(t.CategoriesSegments, len(t.Categories))
		size := 0
		for c := range 256 {
			if q.In[c/32]>>(c%32)&1 == 0 {
				t.Categories = append(t.Categories, c)
				size++
			}
		}
		t.CategoriesSizes = append(t.CategoriesSizes, size)
	}
	t.Param.NumNodes, t.Param.NumFeature, t.Param.SizeLeafVector = n, columns, 1
	return nil
}

// ceil32 returns the smallest 32-bit number that is at least v.
func ceil32(v float64) float32 {
	c := float32(v)
	if float64(c) < v {
		c = math.Nextafter32(c, float32(math.Inf(1)))
	}
	return c
}
