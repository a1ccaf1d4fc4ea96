package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"haarlem/boost"
)

// The parts of XGBoost's JSON that determine predictions; numbers of parameters
// are strings there. One that is missing is 0.
// https://xgboost.readthedocs.io/en/stable/tutorials/saving_model.html

type xgbFile struct {
	Learner xgbLearner `json:"learner"`
	Version []int      `json:"version"`
}

type xgbLearner struct {
	Attributes   map[string]string `json:"attributes"`
	FeatureNames []string          `json:"feature_names"`
	FeatureTypes []string          `json:"feature_types"`
	Booster      xgbBooster        `json:"gradient_booster"`
	Param        xgbParam          `json:"learner_model_param"`
	Objective    map[string]any    `json:"objective"`
}

type xgbParam struct {
	BaseScore        string `json:"base_score"`
	BoostFromAverage int    `json:"boost_from_average,string"`
	NumClass         int    `json:"num_class,string"`
	NumFeature       int    `json:"num_feature,string"`
	NumTarget        int    `json:"num_target,string"`
}

type xgbBooster struct {
	Name  string    `json:"name"`
	Model *xgbModel `json:"model,omitempty"`

	// Of booster dart.
	GBTree *struct {
		Model *xgbModel `json:"model"`
	} `json:"gbtree,omitempty"`
	WeightDrop []float64 `json:"weight_drop,omitempty"`
}

type xgbModel struct {
	Cats struct {
		Enc             []xgbLevels `json:"enc"`
		FeatureSegments []int       `json:"feature_segments"`
		SortedIdx       []int       `json:"sorted_idx"`
	} `json:"cats"`
	Param struct {
		NumParallelTree int `json:"num_parallel_tree,string"`
		NumTrees        int `json:"num_trees,string"`
	} `json:"gbtree_model_param"`
	IterationIndptr []int     `json:"iteration_indptr"`
	TreeInfo        []int     `json:"tree_info"`
	Trees           []xgbTree `json:"trees"`
}

// xgbLevels are the names of a column's levels, since version 3.1: bytes of all names
// and where each begins, or numbers.
type xgbLevels struct {
	Offsets []int         `json:"offsets"`
	Values  []json.Number `json:"values"`
}

// names returns the levels, nil if there are none.
func (l *xgbLevels) names() (names []string, err error) {
	if l.Offsets == nil {
		for _, v := range l.Values {
			names = append(names, string(v))
		}
		return names, nil
	}
	text := make([]byte, len(l.Values))
	for k, v := range l.Values {
		n, err := strconv.ParseInt(string(v), 10, 16)
		if err != nil || n < 0 || n > 127 { // XGBoost 3.2 divides other names in wrong places
			return nil, fmt.Errorf("%w: the name of a category has the byte %s, want ASCII", ErrUnsupported, v)
		}
		text[k] = byte(n)
	}
	for k := 1; k < len(l.Offsets); k++ {
		from, to := l.Offsets[k-1], l.Offsets[k]
		if from < 0 || to < from || to > len(text) {
			return nil, fmt.Errorf("%w: the name of a category is bytes %d to %d of %d", boost.ErrFormat, from, to, len(text))
		}
		names = append(names, string(text[from:to]))
	}
	return names, nil
}

type xgbTree struct {
	BaseWeights        xgbFloats `json:"base_weights"`
	Categories         []int     `json:"categories"`
	CategoriesNodes    []int     `json:"categories_nodes"`
	CategoriesSegments []int     `json:"categories_segments"`
	CategoriesSizes    []int     `json:"categories_sizes"`
	DefaultLeft        []xgbFlag `json:"default_left"`
	ID                 int       `json:"id"`
	LeftChildren       []int     `json:"left_children"`
	LossChanges        xgbFloats `json:"loss_changes"`
	Parents            []int     `json:"parents"`
	RightChildren      []int     `json:"right_children"`
	SplitConditions    xgbFloats `json:"split_conditions"`
	SplitIndices       []int     `json:"split_indices"`
	SplitType          []int     `json:"split_type"`
	SumHessian         xgbFloats `json:"sum_hessian"`
	Param              struct {
		NumDeleted     int `json:"num_deleted,string"`
		NumFeature     int `json:"num_feature,string"`
		NumNodes       int `json:"num_nodes,string"`
		SizeLeafVector int `json:"size_leaf_vector,string"`
	} `json:"tree_param"`
}

// xgbFloats are numbers written with an exponent, since XGBoost takes others
// for integers.
type xgbFloats []float32

func (f xgbFloats) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for k, v := range f {
		if k > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(v), 'E', -1, 32)
	}
	return append(b, ']'), nil
}

// UnmarshalJSON reads null as NaN, which nodes have that were deleted.
func (f *xgbFloats) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	for word := range strings.SplitSeq(strings.Trim(string(text), "[] \t\r\n"), ",") {
		v, err := math.NaN(), error(nil)
		if word = strings.TrimSpace(word); word == "" {
			continue
		} else if word != "null" {
			v, err = strconv.ParseFloat(word, 32)
		}
		if err != nil {
			return err
		}
		*f = append(*f, float32(v))
	}
	return nil
}

// notJSON finds numbers that JSON lacks, and strings, in which they are words.
var notJSON = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|NaN|-?Infinity`)

// withoutNaN makes NaN and infinities null.
func withoutNaN(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	return notJSON.ReplaceAllFunc(text, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null")
	})
}

// xgbFlag is 0 or 1, or false or true in older files.
type xgbFlag bool

func (f *xgbFlag) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case "0", "false":
		*f = false
	case "1", "true":
		*f = true
	default:
		return fmt.Errorf("%q, want 0 or 1", text)
	}
	return nil
}

func (f xgbFlag) MarshalJSON() ([]byte, error) {
	if f {
		return []byte("1"), nil
	}
	return []byte("0"), nil
}

// xgbObjectives are the inverse links of scores.
var xgbObjectives = map[string]boost.Link{
	"binary:logistic": boost.LogisticLink, "reg:logistic": boost.LogisticLink,
	"binary:logitraw": boost.NoLink, "binary:hinge": boost.NoLink, "multi:softmax": boost.NoLink, "multi:softprob": boost.NoLink,
	"reg:squarederror": boost.IdentityLink, "reg:linear": boost.IdentityLink, "reg:squaredlogerror": boost.IdentityLink, "reg:absoluteerror": boost.IdentityLink,
	"reg:pseudohubererror": boost.IdentityLink, "reg:quantileerror": boost.IdentityLink,
	"rank:pairwise": boost.IdentityLink, "rank:ndcg": boost.IdentityLink, "rank:map": boost.IdentityLink,
	"count:poisson": boost.LogLink, "reg:gamma": boost.LogLink, "reg:tweedie": boost.LogLink, "survival:cox": boost.LogLink, "survival:aft": boost.LogLink,
}

// xgbScore returns the score of a base score, which files hold as a mean.
func xgbScore(link boost.Link, mean float64) float64 {
	switch link {
	case boost.LogisticLink:
		return -math.Log(1/mean - 1)
	case boost.LogLink:
		return math.Log(mean)
	}
	return mean
}

// readXGBoost reads a model that XGBoost saved as JSON or UBJSON: boosters gbtree
// and dart. XGBoost compares values rounded to 32 bits; thresholds are adjusted so
// that this makes no difference.
func readXGBoost(text []byte) (*Model, error) {
	if isUBJSON(text) {
		var err error
		if text, err = fromUBJSON(text); err != nil {
			return nil, err
		}
	}
	var f xgbFile
	if err := json.Unmarshal(withoutNaN(text), &f); err != nil {
		return nil, fmt.Errorf("%w: %v", boost.ErrFormat, err)
	}
	l := &f.Learner
	name, _ := l.Objective["name"].(string)
	link, ok := xgbObjectives[name]
	if !ok {
		return nil, fmt.Errorf("%w: objective %q", ErrUnsupported, name)
	}
	model, drop := l.Booster.Model, []float64(nil)
	switch l.Booster.Name {
	case "gbtree":
	case "dart":
		if l.Booster.GBTree != nil {
			model = l.Booster.GBTree.Model
		}
		drop = l.Booster.WeightDrop
	default:
		return nil, fmt.Errorf("%w: booster %q, want gbtree or dart", ErrUnsupported, l.Booster.Name)
	}
	if model == nil {
		return nil, fmt.Errorf("%w: no trees", boost.ErrFormat)
	}
	if drop != nil && len(drop) != len(model.Trees) || len(model.TreeInfo) != len(model.Trees) {
		return nil, fmt.Errorf("%w: %d trees, %d classes of trees, %d weights", boost.ErrFormat, len(model.Trees), len(model.TreeInfo), len(drop))
	}
	columns, classes := l.Param.NumFeature, max(1, l.Param.NumClass)
	switch { // a small file must not take much memory
	case columns < 0 || columns > len(text):
		return nil, fmt.Errorf("%w: %d features in a file of %d bytes", boost.ErrFormat, columns, len(text))
	case l.Param.NumClass < 0 || classes > 1<<16:
		return nil, fmt.Errorf("%w: %d classes, want at most %d", boost.ErrFormat, l.Param.NumClass, 1<<16)
	case l.Param.NumTarget < 0 || l.Param.NumTarget > 1:
		return nil, fmt.Errorf("%w: %d targets", ErrUnsupported, l.Param.NumTarget)
	}
	bias, err := xgbBase(l.Param.BaseScore, classes)
	if err != nil {
		return nil, err
	}
	for k, b := range bias {
		if bias[k] = xgbScore(link, b); bias[k]-bias[k] != 0 {
			return nil, fmt.Errorf("%w: base score %v of objective %s", boost.ErrFormat, b, name)
		}
	}
	var terms []boost.Term
	for i := range model.Trees {
		t, err := model.Trees[i].tree(columns)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		if c := model.TreeInfo[i]; c < 0 || c >= classes {
			return nil, fmt.Errorf("%w: tree %d is of class %d of %d", boost.ErrFormat, i, c, classes)
		}
		coef := 1.0
		if drop != nil {
			if coef = drop[i]; coef-coef != 0 {
				return nil, fmt.Errorf("%w: weight %v of tree %d", boost.ErrFormat, coef, i)
			}
		}
		terms = append(terms, boost.Term{Coef: coef, Weak: t})
	}
	schema := boost.Schema{}
	if len(l.FeatureNames) > 0 {
		schema.Names = l.FeatureNames
	}
	for j, levels := range model.Cats.Enc {
		names, err := levels.names()
		switch {
		case err != nil:
			return nil, err
		case names == nil:
			continue
		case j >= columns:
			return nil, fmt.Errorf("%w: categories of column %d of %d", boost.ErrFormat, j, columns)
		case schema.Levels == nil:
			schema.Levels = make([][]string, columns)
		}
		schema.Levels[j] = names
	}
	return assemble(schema, columns, "xgboost", terms, model.TreeInfo, bias, true, link)
}

// xgbBase reads the base score, which is one number for all classes, or a list.
func xgbBase(s string, classes int) ([]float64, error) {
	base := make([]float64, classes)
	parts := strings.Split(strings.Trim(s, "[]"), ",")
	if len(parts) != 1 && len(parts) != classes {
		return nil, fmt.Errorf("%w: %d base scores for %d classes", boost.ErrFormat, len(parts), classes)
	}
	for k := range base {
		v, err := strconv.ParseFloat(strings.TrimSpace(parts[min(k, len(parts)-1)]), 32)
		if err != nil || v-v != 0 {
			return nil, fmt.Errorf("%w: base score %q", boost.ErrFormat, s)
		}
		base[k] = v
	}
	return base, nil
}

// tree makes one of our trees.
func (t *xgbTree) tree(columns int) (*boost.Tree, error) {
	n := len(t.LeftChildren)
	if err := counts(n, map[string]int{
		"right_children": len(t.RightChildren), "split_conditions": len(t.SplitConditions),
		"split_indices": len(t.SplitIndices), "default_left": len(t.DefaultLeft),
	}); err != nil {
		return nil, err
	}
	if v := t.Param.SizeLeafVector; v != 0 && v != 1 {
		return nil, fmt.Errorf("%w: leaves of several values", ErrUnsupported)
	}
	if len(t.SplitType) != 0 && len(t.SplitType) != n {
		return nil, fmt.Errorf("%w: %d split_type for %d nodes", boost.ErrFormat, len(t.SplitType), n)
	}
	if len(t.CategoriesNodes) != len(t.CategoriesSegments) || len(t.CategoriesNodes) != len(t.CategoriesSizes) {
		return nil, fmt.Errorf("%w: categories of %d nodes, %d segments, %d sizes", boost.ErrFormat, len(t.CategoriesNodes), len(t.CategoriesSegments), len(t.CategoriesSizes))
	}
	sets := map[int]*[8]uint32{}
	for k, node := range t.CategoriesNodes {
		from, size := t.CategoriesSegments[k], t.CategoriesSizes[k]
		if from < 0 || size < 0 || from > len(t.Categories) || size > len(t.Categories)-from {
			return nil, fmt.Errorf("%w: categories %d to %d of %d", boost.ErrFormat, from, from+size, len(t.Categories))
		}
		right, err := set(t.Categories[from : from+size])
		if err != nil {
			return nil, err
		}
		sets[node] = complement(right)
	}
	var covers []float64
	if len(t.SumHessian) == n {
		for _, h := range t.SumHessian {
			covers = append(covers, float64(h))
		}
	}
	return grow(0, n, columns, covers, func(k int) (v visited, err error) {
		cut := t.SplitConditions[k]
		if t.LeftChildren[k] == -1 {
			return visited{leaf: true, value: float64(cut)}, nil
		}
		v.Column, v.MissingLeft, v.left, v.right = t.SplitIndices[k], bool(t.DefaultLeft[k]), t.LeftChildren[k], t.RightChildren[k]
		if len(t.SplitType) == 0 || t.SplitType[k] != 1 {
			v.Threshold = wide(cut)
		} else if v.In = sets[k]; v.In == nil {
			return v, fmt.Errorf("%w: node %d has no categories", boost.ErrFormat, k)
		}
		return v, nil
	})
}

// wide returns the t for which v < t is equivalent to float32(v) < c.
func wide(c float32) float64 {
	if math.IsInf(float64(c), 1) {
		return math.Inf(1)
	}
	below := math.Nextafter32(c, float32(math.Inf(-1)))
	if math.IsInf(float64(below), -1) {
		return float64(c)
	}
	mid := float64(below)/2 + float64(c)/2 // exact
	if float32(mid) < c {
		return math.Nextafter(mid, math.Inf(1))
	}
	return mid
}
