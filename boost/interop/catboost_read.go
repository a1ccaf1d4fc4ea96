package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"haarlem/boost"
)

// The parts of CatBoost's JSON that determine predictions.

type cbFile struct {
	Features struct {
		Floats     []cbFeature       `json:"float_features"`
		Categories []cbFeature       `json:"categorical_features"`
		CTRs       []cbCTR           `json:"ctrs"`
		Texts      []json.RawMessage `json:"text_features"`
		Embeddings []json.RawMessage `json:"embedding_features"`
		Hashes     []cbName          `json:"cat_features_hash"`
	} `json:"features_info"`
	Tables map[string]*cbTable `json:"ctr_data"`
	Info   struct {
		Classes struct {
			Names []any `json:"class_names"`
		} `json:"class_params"`
		Params struct {
			Loss struct {
				Type string `json:"type"`
			} `json:"loss_function"`
		} `json:"params"`
	} `json:"model_info"`
	Oblivious []cbOblivious     `json:"oblivious_trees"`
	Trees     []*cbNode         `json:"trees"`
	Scale     []json.RawMessage `json:"scale_and_bias"`
}

type cbName struct {
	Hash uint32 `json:"hash"`
	Name string `json:"value"`
}

type cbOblivious struct {
	Values []float64 `json:"leaf_values"`
	Splits []cbTest  `json:"splits"`
}

type cbFeature struct {
	Column  int               `json:"flat_feature_index"`
	Index   int               `json:"feature_index"`
	Name    string            `json:"feature_id"`
	Borders []json.RawMessage `json:"borders"`             // of numbers
	Missing string            `json:"nan_value_treatment"` // of numbers
	Values  []int64           `json:"values"`              // of levels with a split of their own
}

// A cbNode is a node of a tree that is not oblivious.
type cbNode struct {
	Left  *cbNode         `json:"left"`
	Right *cbNode         `json:"right"`
	Split *cbTest         `json:"split"`
	Value json.RawMessage `json:"value"`
}

// A cbTest is a split, or an element of the combination that a CTR counts.
type cbTest struct {
	Split   string  `json:"split_type"`
	Element string  `json:"combination_element"`
	Number  int     `json:"split_index"`
	Float   int     `json:"float_feature_index"`
	Cat     int     `json:"cat_feature_index"`
	Border  float32 `json:"border"`
	Value   int64   `json:"value"`
}

// A cbCTR is a number for each combination of levels: what the training rows that
// have it say of the target.
type cbCTR struct {
	Type     string    `json:"ctr_type"`
	Table    string    `json:"identifier"`
	Elements []cbTest  `json:"elements"`
	Borders  []float32 `json:"borders"`
	Prior    float32   `json:"prior_numerator"`
	PriorOf  float32   `json:"prior_denomerator"`
	Scale    float32   `json:"scale"`
	Shift    float32   `json:"shift"`
	Target   int       `json:"target_border_idx"`

	levels int // how many elements are levels; the others are bits
	table  *cbTable
}

type cbTable struct {
	Of     float32       `json:"counter_denominator"`
	Values []json.Number `json:"hash_map"` // a hash, and what belongs to it
	Stride int           `json:"hash_stride"`
	rows   map[uint64][]float32
}

var cbLosses = map[string]boost.Link{
	"Logloss": boost.LogisticLink, "CrossEntropy": boost.LogisticLink, "MultiClass": boost.NoLink,
	"RMSE": boost.IdentityLink, "MAE": boost.IdentityLink, "Quantile": boost.IdentityLink, "MAPE": boost.IdentityLink,
	"LogLinQuantile": boost.LogLink, "Huber": boost.IdentityLink, "Lq": boost.IdentityLink, "Expectile": boost.IdentityLink, "LogCosh": boost.IdentityLink,
	"Poisson": boost.LogLink, "Tweedie": boost.LogLink, "Focal": boost.LogisticLink,
	"YetiRank": boost.IdentityLink, "YetiRankPairwise": boost.IdentityLink, "PairLogit": boost.IdentityLink, "PairLogitPairwise": boost.IdentityLink,
	"QueryRMSE": boost.IdentityLink, "QuerySoftMax": boost.IdentityLink, "QueryCrossEntropy": boost.LogisticLink, "StochasticRank": boost.IdentityLink, "LambdaMart": boost.IdentityLink,
}

// readCatBoost reads a model that CatBoost saved as JSON. Categories of up to 255
// levels can be expressed, also where their CTRs count combinations of columns,
// unless the trees become too large. A level that the model does not know is a
// missing value. CatBoost compares values rounded to 32 bits, as XGBoost does.
func readCatBoost(text []byte) (*Model, error) {
	f := &cbReader{left: min(1<<22, 1<<16+2*len(text)), work: min(1<<26, 1<<20+64*len(text))}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // classes as they are written
	if err := d.Decode(&f.cbFile); err != nil {
		return nil, fmt.Errorf("%w: %v", boost.ErrFormat, err)
	}
	name := f.Info.Params.Loss.Type
	link, ok := cbLosses[name]
	if !ok || len(f.Features.Texts)+len(f.Features.Embeddings) > 0 {
		return nil, fmt.Errorf("%w: loss %q with %d columns of texts and %d of embeddings", ErrUnsupported, name, len(f.Features.Texts), len(f.Features.Embeddings))
	}
	scale, bias := 1.0, []float64{0}
	if len(f.Scale) == 2 {
		if json.Unmarshal(f.Scale[0], &scale) != nil || json.Unmarshal(f.Scale[1], &bias) != nil && json.Unmarshal(f.Scale[1], &bias[0]) != nil {
			return nil, fmt.Errorf("%w: scale_and_bias", boost.ErrFormat)
		}
	}
	classes := len(bias)
	if (name == "MultiClass") != (classes > 1) || len(f.Scale) != 2 {
		return nil, fmt.Errorf("%w: loss %s with %d scores", boost.ErrFormat, name, classes)
	}
	if err := f.columns(); err != nil {
		return nil, err
	}
	f.known = make([]cbKnown, len(f.hashes))
	for j := range f.known {
		f.known[j] = cbKnown{lo: math.Inf(-1), hi: math.Inf(1), unknown: true}
		for l := range f.hashes[j] {
			f.known[j].in[l/32] |= 1 << (l % 32)
		}
	}
	var terms []boost.Term
	var class []int
	if len(f.Oblivious) > 0 && len(f.Trees) > 0 {
		return nil, fmt.Errorf("%w: trees of two kinds", boost.ErrFormat)
	}
	for i := range max(len(f.Oblivious), len(f.Trees)) {
		f.tree, f.values = &boost.Tree{}, nil
		if f.Trees != nil {
			f.node(f.Trees[i], classes)
		} else if t := &f.Oblivious[i]; len(t.Splits) > 20 || len(t.Values) != classes<<len(t.Splits) {
			return nil, fmt.Errorf("%w: tree %d has %d values for %d splits and %d scores", boost.ErrFormat, i, len(t.Values), len(t.Splits), classes)
		} else {
			order := make([]int, len(t.Splits))
			for k := range order {
				order[k] = k
			}
			// What becomes many nodes comes last, so that little hangs below.
			slices.SortStableFunc(order, func(a, b int) int { return f.size(&t.Splits[a]) - f.size(&t.Splits[b]) })
			f.oblivious(t.Splits, order, 0, func(leaf int) []float64 { return t.Values[leaf*classes : (leaf+1)*classes] })
		}
		if f.failed != nil {
			return nil, fmt.Errorf("tree %d: %w", i, f.failed)
		}
		for k := range classes {
			t := &boost.Tree{Nodes: f.tree.Nodes}
			for _, v := range f.values {
				if v[k]-v[k] != 0 {
					return nil, fmt.Errorf("%w: tree %d has a leaf of %v", boost.ErrFormat, i, v[k])
				}
				t.Leaves = append(t.Leaves, v[k])
			}
			terms, class = append(terms, boost.Term{Coef: scale, Weak: t}), append(class, k)
		}
	}
	for _, c := range f.Info.Classes.Names {
		f.schema.Classes = append(f.schema.Classes, fmt.Sprint(c))
	}
	return assemble(f.schema, len(f.schema.Names), "catboost", terms, class, bias, true, link)
}

type cbReader struct {
	cbFile
	schema boost.Schema
	floats map[int]*cbFeature // by index
	cats   map[int]*cbFeature
	names  map[uint32]string
	hashes [][]uint32 // of the levels of each column
	ctrs   []*cbCTR   // by number of split, from first on
	first  int

	left, work int // nodes and steps that are still allowed

	tree   *boost.Tree
	values [][]float64 // of its leaves
	failed error
	known  []cbKnown // of the columns, on the path
}

// cbKnown is what the nodes above say of a value: it is not below lo and is below hi,
// or it is in a set of levels.
type cbKnown struct {
	lo, hi  float64
	in      [8]uint32
	unknown bool // it may be a level that the model does not know
}

func (f *cbReader) fail(err error, format string, values ...any) {
	if f.failed == nil {
		f.failed = fmt.Errorf("%w: "+format, append([]any{err}, values...)...)
	}
}

// columns reads the features, and which levels the columns have: those of which
// something is known.
func (f *cbReader) columns() error {
	n := len(f.Features.Floats) + len(f.Features.Categories)
	f.schema = boost.Schema{Names: make([]string, n)}
	f.floats, f.cats, f.names, f.hashes = map[int]*cbFeature{}, map[int]*cbFeature{}, map[uint32]string{}, make([][]uint32, n)
	taken := make([]bool, n)
	place := func(c *cbFeature, in map[int]*cbFeature) bool {
		_, twice := in[c.Index]
		if twice || c.Column < 0 || c.Column >= n || taken[c.Column] {
			return false
		}
		in[c.Index], taken[c.Column] = c, true
		if f.schema.Names[c.Column] = c.Name; c.Name == "" {
			f.schema.Names[c.Column] = strconv.Itoa(c.Column)
		}
		return true
	}
	ok := true
	for i := range f.Features.Floats {
		ok = ok && place(&f.Features.Floats[i], f.floats)
		f.first += len(f.Features.Floats[i].Borders)
	}
	for _, h := range f.Features.Hashes {
		f.names[h.Hash] = h.Name
	}
	has := make([]map[uint32]bool, n)
	for i := range f.Features.Categories {
		c := &f.Features.Categories[i]
		if ok = ok && place(c, f.cats); ok {
			has[c.Column] = map[uint32]bool{}
			for _, v := range c.Values {
				has[c.Column][uint32(v)] = true
			}
		}
		f.first += len(c.Values)
	}
	if !ok {
		return fmt.Errorf("%w: two features are one column, or its number is not below %d", boost.ErrFormat, n)
	}
	all := make([]uint32, 0, len(f.names))
	for h := range f.names {
		all = append(all, h)
	}
	for i := range f.Features.CTRs {
		c := &f.Features.CTRs[i]
		if err := f.table(c); err != nil {
			return err
		}
		for range c.Borders {
			f.ctrs = append(f.ctrs, c)
		}
		// All combinations that there could be.
		var levels []uint32
		var try func(hash uint64, k int)
		try = func(hash uint64, k int) {
			if f.work--; f.work < 0 {
				return
			}
			switch {
			case k == len(c.Elements):
				if _, ok := c.table.rows[hash]; ok {
					for k, h := range levels {
						has[f.cats[c.Elements[k].Cat].Column][h] = true
					}
				}
			case c.Elements[k].Element == "cat_feature_value":
				for _, h := range all {
					levels = append(levels, h)
					try(cbHash(hash, cbLevel(h)), k+1)
					levels = levels[:len(levels)-1]
				}
			default:
				try(cbHash(hash, 0), k+1)
				try(cbHash(hash, 1), k+1)
			}
		}
		try(0, 0)
	}
	if f.work < 0 {
		return fmt.Errorf("%w: too many combinations of categories", ErrUnsupported)
	}
	for j, set := range has {
		if set == nil {
			continue
		}
		if len(set) > 255 {
			return fmt.Errorf("%w: %d levels of column %q, at most 255", ErrUnsupported, len(set), f.schema.Names[j])
		}
		for h := range set {
			if _, ok := f.names[h]; !ok {
				return fmt.Errorf("%w: a level of column %q has no name: save the model with its pool", boost.ErrFormat, f.schema.Names[j])
			}
			f.hashes[j] = append(f.hashes[j], h)
		}
		slices.SortFunc(f.hashes[j], func(a, b uint32) int { return strings.Compare(f.names[a], f.names[b]) })
		if f.schema.Levels == nil {
			f.schema.Levels = make([][]string, n)
		}
		f.schema.Levels[j] = []string{}
		for _, h := range f.hashes[j] {
			f.schema.Levels[j] = append(f.schema.Levels[j], f.names[h])
		}
	}
	return nil
}

// cbHash adds a level, or a bit, to the hash of a combination.
func cbHash(a, b uint64) uint64 {
	const magic = 0x4906ba494954cb65
	return magic * (a + magic*b)
}

func cbLevel(h uint32) uint64 { return uint64(int64(int32(h))) }

// table checks a CTR, and gives it its table.
func (f *cbReader) table(c *cbCTR) error {
	want := map[string]int{"Borders": 2, "Buckets": 2, "BinarizedTargetMeanValue": 3, "FloatTargetMeanValue": 3, "Counter": 2, "FeatureFreq": 2}[c.Type]
	t := f.Tables[c.Table]
	if t == nil {
		t = &cbTable{}
	}
	ok := true
	if want == 0 || t.Stride < want || len(t.Values)%t.Stride != 0 {
		return fmt.Errorf("%w: a CTR of type %q with a table of %d numbers, %d a row", boost.ErrFormat, c.Type, len(t.Values), t.Stride)
	}
	if c.Target < 0 || want == 2 && c.Target >= t.Stride-1 {
		return fmt.Errorf("%w: CTR of target %d of %d", boost.ErrFormat, c.Target, t.Stride-1)
	}
	for k, e := range c.Elements {
		if e.Element == "cat_feature_value" { // levels come first
			ok = k == c.levels && f.cats[e.Cat] != nil && !slices.ContainsFunc(c.Elements[:k], func(o cbTest) bool { return o.Cat == e.Cat })
			c.levels++
		} else {
			_, err := f.plain(&c.Elements[k])
			ok = err == nil
		}
		if !ok || len(c.Elements) > 32 {
			return fmt.Errorf("%w: element %d of a CTR is %q", boost.ErrFormat, k, e.Element)
		}
	}
	if t.rows == nil {
		t.rows = map[uint64][]float32{}
		for i := 0; i < len(t.Values); i += t.Stride {
			hash, err := strconv.ParseUint(string(t.Values[i]), 10, 64)
			if err != nil {
				return fmt.Errorf("%w: the hash of a CTR is %s", boost.ErrFormat, t.Values[i])
			}
			row := make([]float32, t.Stride-1)
			for k := range row {
				v, _ := strconv.ParseFloat(string(t.Values[i+1+k]), 32)
				row[k] = float32(v)
			}
			if hash != math.MaxUint64 { // an empty place
				t.rows[hash] = row
			}
		}
	}
	c.table = t
	return nil
}

// value returns a CTR for a row of its table, nil meaning none.
func (c *cbCTR) value(row []float32) float32 {
	var good, total float32
	for k, v := range row {
		switch c.Type {
		case "Borders":
			if total += v; k > c.Target {
				good += v
			}
		case "Buckets":
			if total += v; k == c.Target {
				good += v
			}
		case "Counter", "FeatureFreq":
			good = row[0]
		default:
			good, total = row[0], row[1]
		}
	}
	if c.Type == "Counter" || c.Type == "FeatureFreq" {
		total = c.table.Of
	}
	return ((good+c.Prior)/(total+c.PriorOf) + c.Shift) * c.Scale
}

// size is roughly how many nodes a split becomes.
func (f *cbReader) size(t *cbTest) int {
	if c := f.ctr(t); c != nil {
		return 8*c.levels + len(c.Elements)
	}
	return 1
}

// plain returns the node of a test of one column.
func (f *cbReader) plain(t *cbTest) (n boost.Node, err error) {
	switch t.Split + t.Element {
	case "FloatFeature", "float_feature":
		if c := f.floats[t.Float]; c != nil {
			return boost.Node{Column: c.Column, Threshold: wide(math.Nextafter32(t.Border, float32(math.Inf(1)))), MissingLeft: c.Missing != "AsTrue"}, nil
		}
	case "OneHotFeature", "cat_feature_exact_value":
		if c := f.cats[t.Cat]; c != nil {
			in := [8]uint32{}
			if k := slices.Index(f.hashes[c.Column], uint32(t.Value)); k >= 0 {
				in[k/32] |= 1 << (k % 32)
			}
			return boost.Node{Column: c.Column, In: complement(&in), MissingLeft: true}, nil
		}
	}
	return n, fmt.Errorf("%w: split %q of float feature %d or category %d", boost.ErrFormat, t.Split+t.Element, t.Float, t.Cat)
}

// ctr returns the CTR that a split asks for.
func (f *cbReader) ctr(t *cbTest) *cbCTR {
	if k := t.Number - f.first; t.Split == "OnlineCtr" && k >= 0 && k < len(f.ctrs) {
		return f.ctrs[k]
	}
	return nil
}

// leaf appends a leaf, node one of a nested tree, and oblivious the splits of the
// order from number k on. They return what a parent calls it.
func (f *cbReader) leaf(values []float64) int32 {
	f.values = append(f.values, values)
	return int32(1 - len(f.values))
}

func (f *cbReader) node(n *cbNode, classes int) int32 {
	switch {
	case n == nil:
		f.fail(boost.ErrFormat, "a node has one child")
		return 0
	case n.Split != nil:
		return f.test(n.Split, func(bit int) int32 {
			if bit == 0 {
				return f.node(n.Left, classes)
			}
			return f.node(n.Right, classes)
		})
	}
	values := make([]float64, 1)
	if json.Unmarshal(n.Value, &values[0]) != nil && json.Unmarshal(n.Value, &values) != nil || len(values) != classes {
		f.fail(boost.ErrFormat, "the value of a leaf is %q", clip(string(n.Value)))
	}
	return f.leaf(values)
}

func (f *cbReader) oblivious(splits []cbTest, order []int, leaf int, value func(leaf int) []float64) int32 {
	if len(order) == 0 {
		return f.leaf(value(leaf))
	}
	return f.test(&splits[order[0]], func(bit int) int32 {
		return f.oblivious(splits, order[1:], leaf|bit<<order[0], value)
	})
}

// put appends a node, and what next makes of its sides, 0 for left; no node where
// those above have decided it.
func (f *cbReader) put(n boost.Node, next func(bit int) int32) int32 {
	k := &f.known[n.Column]
	was, sides := *k, [2]cbKnown{*k, *k}
	if n.In != nil {
		for w, bits := range n.In {
			sides[0].in[w] &= bits
			sides[1].in[w] &^= bits
		}
		sides[0].unknown, sides[1].unknown = was.unknown && n.MissingLeft, was.unknown && !n.MissingLeft
		for bit, s := range sides {
			if s.in == [8]uint32{} && !s.unknown {
				return next(1 - bit)
			}
		}
	} else {
		switch sides[0].hi, sides[1].lo = n.Threshold, n.Threshold; {
		case n.Threshold >= was.hi && !math.IsInf(was.hi, 1):
			return next(0)
		case n.Threshold <= was.lo:
			return next(1)
		}
	}
	if f.left--; f.left < 0 {
		f.fail(ErrUnsupported, "combinations of categories make too large trees")
	}
	if f.failed != nil {
		return 0
	}
	at := len(f.tree.Nodes)
	f.tree.Nodes = append(f.tree.Nodes, n)
	*k = sides[0]
	left := next(0)
	*k = sides[1]
	right := next(1)
	*k = was
	f.tree.Nodes[at].Left, f.tree.Nodes[at].Right = left, right
	return int32(at)
}

// test appends the nodes of a split.
func (f *cbReader) test(t *cbTest, next func(bit int) int32) int32 {
	c := f.ctr(t)
	if c == nil {
		n, err := f.plain(t)
		if err != nil {
			f.failed = err
			return 0
		}
		return f.put(n, next)
	}
	// each calls do for the values that an element may have here: levels, -1 for one
	// that is not known and so in no combination, or 0 and 1.
	each := func(k int, hash uint64, known bool, do func(value int, hash uint64, known bool)) {
		if k >= c.levels {
			do(0, cbHash(hash, 0), known)
			do(1, cbHash(hash, 1), known)
			return
		}
		column := f.cats[c.Elements[k].Cat].Column
		here := f.known[column]
		for l, h := range f.hashes[column] {
			if here.in[l/32]>>(l%32)&1 != 0 {
				do(l, cbHash(hash, cbLevel(h)), known)
			}
		}
		if here.unknown {
			do(-1, hash, false)
		}
	}
	// outcomes appends what the CTR says of all combinations of the elements from k on.
	var outcomes func(out []byte, k int, hash uint64, known bool) []byte
	outcomes = func(out []byte, k int, hash uint64, known bool) []byte {
		if f.work--; f.work < 0 {
			f.fail(ErrUnsupported, "too many combinations of categories")
			return out
		}
		if k < len(c.Elements) {
			each(k, hash, known, func(_ int, hash uint64, known bool) { out = outcomes(out, k+1, hash, known) })
			return out
		}
		var row []float32
		if known {
			row = c.table.rows[hash]
		}
		if c.value(row) > t.Border {
			return append(out, 1)
		}
		return append(out, 0)
	}
	// from divides the values of element k into groups of the same outcomes.
	var from func(k int, hash uint64, known bool) int32
	from = func(k int, hash uint64, known bool) int32 {
		if f.failed != nil {
			return 0
		}
		if k == len(c.Elements) {
			return next(int(append(outcomes(nil, k, hash, known), 0)[0]))
		}
		type group struct {
			node  boost.Node
			hash  uint64
			known bool
		}
		var groups []group
		of := map[string]int{}
		each(k, hash, known, func(value int, hash uint64, known bool) {
			all := string(outcomes(nil, k+1, hash, known))
			g, ok := of[all]
			if !ok {
				g, of[all] = len(groups), len(groups)
				n := boost.Node{In: &[8]uint32{}}
				if k >= c.levels {
					n, _ = f.plain(&c.Elements[k]) // table has seen it
				} else {
					n.Column = f.cats[c.Elements[k].Cat].Column
				}
				groups = append(groups, group{n, hash, known})
			}
			if n := &groups[g].node; value < 0 {
				n.MissingLeft = true
			} else if k < c.levels {
				n.In[value/32] |= 1 << (value % 32)
			}
		})
		var chain func(g int) int32
		chain = func(g int) int32 {
			if g == len(groups)-1 {
				return from(k+1, groups[g].hash, groups[g].known)
			}
			return f.put(groups[g].node, func(bit int) int32 {
				if bit == 0 {
					return from(k+1, groups[g].hash, groups[g].known)
				}
				return chain(g + 1)
			})
		}
		return chain(0)
	}
	return from(0, 0, true)
}
