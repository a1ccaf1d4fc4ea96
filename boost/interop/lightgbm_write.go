package interop

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"haarlem/boost"
)

// WriteLightGBM writes a model of trees as LightGBM's text.
func WriteLightGBM(w io.Writer, m *Model) error {
	models, terms, link, factor, err := m.form()
	if err != nil {
		return err
	}
	objective := "regression"
	switch {
	case m.Several != nil:
		objective = fmt.Sprintf("multiclass num_class:%d", len(models))
	case link == boost.LogisticLink:
		objective = "binary sigmoid:" + number(factor)
	case link == boost.LogLink:
		objective = "poisson"
	}
	columns := models[0].Columns
	names, infos := make([]string, columns), make([]string, columns)
	for j := range names {
		names[j], infos[j] = fmt.Sprintf("Column_%d", j), "[-1e+308:1e+308]"
		if models[0].Names != nil {
			// LightGBM's names have no blanks.
			names[j] = strings.Join(strings.Fields(models[0].Names[j]), "_")
		}
	}
	var levels [][]string // as pandas_categorical
	for j := range columns {
		if l := models[0].LevelsOf(j); l != nil {
			levels, infos[j] = append(levels, l), lgbLevels
		}
	}
	var trees strings.Builder
	var sizes []int
	for i, t := range terms {
		text, err := lgbTree(i, t, infos)
		if err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
		trees.WriteString(text)
		sizes = append(sizes, len(text))
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "tree\nversion=v4\nnum_class=%d\nnum_tree_per_iteration=%d\nlabel_index=0\nmax_feature_idx=%d\nobjective=%s\n", len(models), len(models), columns-1, objective)
	fmt.Fprintf(out, "feature_names=%s\nfeature_infos=%s\n", strings.Join(names, " "), strings.Join(infos, " "))
	fmt.Fprintf(out, "tree_sizes=%s\n\n%s", lgbList(sizes), trees.String())
	pandas, err := json.Marshal(levels)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "end of trees\n\nfeature_importances:\n\nparameters:\nend of parameters\n\npandas_categorical:%s\n", pandas)
	return out.Flush()
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// lgbTree writes one tree, followed by two empty lines.
func lgbTree(i int, t turn, infos []string) (string, error) {
	var b strings.Builder
	var columns, kinds, lefts, rights []int
	var cuts, values []float64
	var words []uint32
	bounds := []int{0}
	for _, q := range t.tree.Nodes {
		left, right := child(q.Left), child(q.Right)
		columns = append(columns, q.Column)
		if q.In == nil {
			kind := 8
			if q.MissingLeft {
				kind |= lgbDefaultLeft
			}
			kinds, cuts = append(kinds, kind), append(cuts, math.Nextafter(q.Threshold, math.Inf(-1))) // v <= cut
		} else {
			in := q.In
			if q.MissingLeft { // in LightGBM a missing value goes right
				in, left, right = complement(in), right, left
			}
			infos[q.Column] = lgbLevels
			kinds, cuts = append(kinds, 9), append(cuts, float64(len(bounds)-1))
			words = append(words, in[:]...)
			bounds = append(bounds, len(words))
		}
		lefts, rights = append(lefts, left), append(rights, right)
	}
	for _, v := range t.tree.Leaves {
		v = t.coef*v + t.add
		if v-v != 0 {
			return "", fmt.Errorf("%w: a leaf of %v", ErrUnsupported, v)
		}
		values = append(values, v)
	}
	zeros := make([]int, len(values)) // of leaves
	line := func(key string, list any) { fmt.Fprintf(&b, "%s=%s\n", key, lgbList(list)) }
	fmt.Fprintf(&b, "Tree=%d\nnum_leaves=%d\nnum_cat=%d\n", i, len(values), len(bounds)-1)
	line("split_feature", columns)
	line("split_gain", zeros[1:])
	line("threshold", cuts)
	line("decision_type", kinds)
	line("left_child", lefts)
	line("right_child", rights)
	line("leaf_value", values)
	line("leaf_weight", zeros)
	line("leaf_count", zeros)
	line("internal_value", zeros[1:])
	line("internal_weight", zeros[1:])
	line("internal_count", zeros[1:])
	if len(bounds) > 1 {
		line("cat_boundaries", bounds)
		line("cat_threshold", words)
	}
	b.WriteString("is_linear=0\nshrinkage=1\n\n\n")
	return b.String(), nil
}

// lgbList is numbers with blanks between them.
func lgbList(numbers any) string { return strings.Trim(fmt.Sprint(numbers), "[]") }

// lgbLevels declares a feature with the categories 0 to 255.
var lgbLevels = func() string {
	all := make([]string, 256)
	for k := range all {
		all[k] = strconv.Itoa(k)
	}
	return strings.Join(all, ":")
}()

// child is a node's number in LightGBM: leaves are ~k.
func child(c int32) int {
	if c > 0 {
		return int(c)
	}
	return ^int(-c)
}
