package interop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"haarlem/boost"
)

// readLightGBM reads a model that LightGBM saved as text. Trees of linear models,
// zeros that count as missing, and categories above 255 cannot be expressed.
func readLightGBM(text []byte) (*Model, error) {
	p := &lgbReader{in: bufio.NewScanner(bytes.NewReader(text))}
	p.in.Buffer(nil, len(text)+1)
	if !p.next() || p.text != "tree" {
		return nil, fmt.Errorf("%w: it does not begin with \"tree\"", boost.ErrFormat)
	}
	head := p.block()
	columns, classes := head.count("max_feature_idx", 1<<24)+1, head.count("num_tree_per_iteration", 1<<16)
	names := strings.Fields(head.values["feature_names"])
	switch {
	case head.err != nil:
		return nil, head.err
	case len(names) != columns:
		return nil, fmt.Errorf("%w: %d feature_names for %d features", boost.ErrFormat, len(names), columns)
	case classes < 1:
		return nil, fmt.Errorf("%w: no trees an iteration", boost.ErrFormat)
	}
	link, scale, softmax, err := lgbObjective(strings.Fields(head.values["objective"]))
	if err != nil {
		return nil, err
	}
	var terms []boost.Term
	var class []int
	for p.text != "end of trees" {
		number, ok := strings.CutPrefix(p.text, "Tree=")
		if !ok || number != strconv.Itoa(len(terms)) {
			return nil, fmt.Errorf("%w: line %d: %q, want Tree=%d", boost.ErrFormat, p.line, clip(p.text), len(terms))
		}
		b := p.block()
		t, err := b.tree(columns)
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", len(terms), err)
		}
		class = append(class, len(terms)%classes)
		terms = append(terms, boost.Term{Coef: 1, Weak: t})
		if p.text == "" {
			return nil, fmt.Errorf("%w: it ends without \"end of trees\"", boost.ErrFormat)
		}
	}
	if len(terms)%classes != 0 {
		return nil, fmt.Errorf("%w: %d trees of %d classes", boost.ErrFormat, len(terms), classes)
	}
	if _, average := head.values["average_output"]; average {
		for i := range terms {
			terms[i].Coef = float64(classes) / float64(len(terms))
		}
	}
	schema := boost.Schema{Names: names}
	if schema.Levels, err = p.pandas(strings.Fields(head.values["feature_infos"]), columns); err != nil {
		return nil, err
	}
	m, err := assemble(schema, columns, "lightgbm", terms, class, make([]float64, classes), softmax, link)
	if err == nil && m.One != nil && scale != 1 {
		m.One.LinkScale = 1 / scale
	}
	return m, err
}

// pandas reads the names of the categories, which are numbers in trees, of a model
// that was fitted on a table of pandas: a list for each categorical feature.
func (p *lgbReader) pandas(infos []string, columns int) ([][]string, error) {
	var lists [][]any
	for p.next() {
		if text, ok := strings.CutPrefix(p.text, "pandas_categorical:"); ok {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber() // as it is written
			if err := d.Decode(&lists); err != nil {
				return nil, fmt.Errorf("%w: pandas_categorical: %v", boost.ErrFormat, err)
			}
		}
	}
	if len(lists) == 0 {
		return nil, nil
	}
	levels, next := make([][]string, columns), 0
	for j, info := range infos {
		if info == "none" || strings.HasPrefix(info, "[") || j >= columns {
			continue // numbers, or a feature that is constant
		}
		if next < len(lists) {
			levels[j] = []string{}
			for _, v := range lists[next] {
				levels[j] = append(levels[j], fmt.Sprint(v))
			}
		}
		next++
	}
	if next != len(lists) {
		return nil, fmt.Errorf("%w: pandas_categorical has %d lists, and %d features are categorical", ErrUnsupported, len(lists), next)
	}
	return levels, nil
}

// lgbObjective returns the inverse link of an objective, the factor of scores
// before it, and whether several classes are a softmax.
func lgbObjective(words []string) (link boost.Link, scale float64, softmax bool, err error) {
	name := ""
	if len(words) > 0 {
		name = words[0]
	}
	scale = 1
	for _, w := range words[min(1, len(words)):] {
		if v, ok := strings.CutPrefix(w, "sigmoid:"); ok {
			if scale, err = strconv.ParseFloat(v, 64); err != nil || !(scale > 0) || math.IsInf(scale, 0) {
				return 0, 0, false, fmt.Errorf("%w: %q", boost.ErrFormat, w)
			}
		}
		if w == "sqrt" {
			return 0, 0, false, fmt.Errorf("%w: a regression of roots", ErrUnsupported)
		}
	}
	switch name {
	case "binary", "cross_entropy", "xentropy":
		return boost.LogisticLink, scale, false, nil
	case "regression", "regression_l2", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank", "rank_xendcg", "":
		return boost.IdentityLink, 1, false, nil
	case "poisson", "gamma", "tweedie":
		return boost.LogLink, 1, false, nil
	case "multiclass":
		return boost.NoLink, 1, true, nil
	}
	return 0, 0, false, fmt.Errorf("%w: objective %q", ErrUnsupported, name)
}

// lgbReader reads lines.
type lgbReader struct {
	in   *bufio.Scanner
	text string
	line int
}

// next moves to the next line that is not empty; at the end the text is empty.
func (p *lgbReader) next() bool {
	for p.in.Scan() {
		p.line++
		if p.text = strings.TrimSpace(p.in.Text()); p.text != "" {
			return true
		}
	}
	p.text = ""
	return false
}

// A block is lines of the form KEY=VALUE; the value may be empty. It keeps its first error.
type block struct {
	values map[string]string
	err    error
}

// block reads lines up to the next tree, or to the end.
func (p *lgbReader) block() *block {
	b := &block{values: map[string]string{}}
	for p.next() && !strings.HasPrefix(p.text, "Tree=") && p.text != "end of trees" {
		key, value, _ := strings.Cut(p.text, "=")
		b.values[key] = value
	}
	return b
}

func (b *block) fail(format string, values ...any) {
	if b.err == nil {
		b.err = fmt.Errorf("%w: "+format, append([]any{boost.ErrFormat}, values...)...)
	}
}

// count reads a number from 0 to a limit.
func (b *block) count(key string, limit int) int {
	n, err := strconv.Atoi(b.values[key])
	if err != nil || n < 0 || n > limit {
		b.fail("%s is %q, want a number from 0 to %d", key, clip(b.values[key]), limit)
		return 0
	}
	return n
}

func (b *block) ints(key string, n int) []int { return list(b, key, n, strconv.Atoi) }

func (b *block) floats(key string, n int) []float64 {
	return list(b, key, n, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
}

// list reads n numbers.
func list[T int | float64](b *block, key string, n int, parse func(string) (T, error)) (out []T) {
	words := strings.Fields(b.values[key])
	if len(words) != n {
		b.fail("%d numbers of %s, want %d", len(words), key, n)
	}
	for _, w := range words {
		v, err := parse(w)
		if out = append(out, v); err != nil || v != v {
			b.fail("%s: %q", key, clip(w))
		}
	}
	return out
}

func clip(s string) string { return s[:min(len(s), 40)] }

// The bits of a decision_type.
const (
	lgbCategorical = 1
	lgbDefaultLeft = 2
	lgbMissing     = 12 // 0 none, 4 zero, 8 NaN
)

// tree makes one of our trees.
func (b *block) tree(columns int) (*boost.Tree, error) {
	if b.values["is_linear"] == "1" {
		return nil, fmt.Errorf("%w: leaves with linear models", ErrUnsupported)
	}
	leaves := b.count("num_leaves", 1<<20)
	values := b.floats("leaf_value", leaves)
	if leaves == 0 {
		b.fail("no leaves")
	}
	if leaves == 1 && b.err == nil { // perhaps without nodes
		return grow(0, 1, columns, nil, func(int) (visited, error) { return visited{leaf: true, value: values[0]}, nil })
	}
	n := leaves - 1
	columnOf, kind, left, right := b.ints("split_feature", n), b.ints("decision_type", n), b.ints("left_child", n), b.ints("right_child", n)
	thresholds := b.floats("threshold", n)
	var bounds, words []int
	if cats := b.count("num_cat", 1<<20); cats > 0 {
		bounds = b.ints("cat_boundaries", cats+1)
		words = b.ints("cat_threshold", len(strings.Fields(b.values["cat_threshold"])))
	}
	if b.err != nil {
		return nil, b.err
	}
	// A node below 0 is a leaf: ~k. Here leaves come after the nodes.
	place := func(c int) int {
		if c < 0 {
			return n + ^c
		}
		return c
	}
	var covers []float64
	if counts := b.floats("leaf_count", leaves); b.err == nil { // which may be missing
		covers = append(make([]float64, n), counts...)
	}
	return grow(0, n+leaves, columns, covers, func(k int) (v visited, err error) {
		if k >= n {
			return visited{leaf: true, value: values[k-n]}, nil
		}
		v.Column, v.left, v.right = columnOf[k], place(left[k]), place(right[k])
		cut := thresholds[k]
		if kind[k]&lgbCategorical != 0 {
			v.In, err = categories(bounds, words, cut)
			return v, err
		}
		v.Threshold, v.MissingLeft = math.Nextafter(cut, math.Inf(1)), kind[k]&lgbDefaultLeft != 0 // v <= cut
		switch kind[k] & lgbMissing {
		case 0: // a missing value is a zero
			v.MissingLeft = 0 <= cut
		case 8:
		default:
			if v.MissingLeft != (0 <= cut) {
				return v, fmt.Errorf("%w: zeros that count as missing", ErrUnsupported)
			}
		}
		return v, nil
	})
}

// categories returns the set of a categorical node, whose threshold is the
// index of the set.
func categories(bounds, words []int, cut float64) (*[8]uint32, error) {
	k := int(cut)
	if !(cut >= 0) || float64(k) != cut || k+1 >= len(bounds) || bounds[k] < 0 || bounds[k+1] < bounds[k] || bounds[k+1] > len(words) {
		return nil, fmt.Errorf("%w: set %v of categories", boost.ErrFormat, cut)
	}
	in := &[8]uint32{}
	for i, w := range words[bounds[k]:bounds[k+1]] {
		if w < 0 || int64(w) > math.MaxUint32 || i >= len(in) && w != 0 {
			return nil, fmt.Errorf("%w: categories above 255", ErrUnsupported)
		}
		if i < len(in) {
			in[i] = uint32(w)
		}
	}
	return in, nil
}
