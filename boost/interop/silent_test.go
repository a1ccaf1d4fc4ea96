package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/must"
)

// deep makes a random tree of that many leaves over the four columns of rows.csv,
// split now here, now there, so that children are far from each other in Nodes.
func deep(r *rand.Rand, leaves int) *boost.Tree {
	t := &boost.Tree{Leaves: []float64{r.NormFloat64()}}
	var place []*int32 // of each leaf in its parent
	for len(t.Leaves) < leaves {
		k := r.IntN(len(t.Leaves))
		n := boost.Node{Column: r.IntN(4), Threshold: float64(float32(r.NormFloat64())), MissingLeft: r.IntN(2) == 0, Left: int32(-k), Right: int32(-len(t.Leaves))}
		if n.Column == 3 {
			n.In, n.Threshold = &[8]uint32{r.Uint32() & 63}, 0
		}
		at := int32(len(t.Nodes))
		t.Nodes = append(t.Nodes, n)
		place = place[:0]
		for i := range t.Nodes[:at] {
			for _, c := range []*int32{&t.Nodes[i].Left, &t.Nodes[i].Right} {
				if *c == int32(-k) && (k > 0 || i > 0 || c == &t.Nodes[i].Left) {
					place = append(place, c)
				}
			}
		}
		if at > 0 {
			if len(place) != 1 {
				panic("a leaf has one place")
			}
			*place[0] = at
		}
		t.Leaves = append(t.Leaves, r.NormFloat64())
	}
	return t
}

// deepModels are twenty models of ten trees of 4 to 40 leaves.
func deepModels() []*Model {
	var all []*Model
	for n := range 20 {
		r := rand.New(rand.NewPCG(uint64(n), 6))
		m := &boost.Model{Columns: 4, Booster: "newton", Link: []boost.Link{boost.LogisticLink, boost.IdentityLink, boost.NoLink}[n%3], Bias: r.NormFloat64()}
		for range 10 {
			m.Terms = append(m.Terms, boost.Term{Coef: 0.3, Weak: deep(r, 4+2*n)})
		}
		all = append(all, &Model{One: m})
	}
	return all
}

// TestDeepTrees: XGBoost finds the right child next to the left one, whatever the
// file's right_children say. Its scores, as LightGBM's, are ours; check.py holds the
// real libraries to that.
func TestDeepTrees(t *testing.T) {
	rows := table(t, "rows.csv")
	for _, x := range rows {
		for j, v := range x {
			x[j] = float64(float32(v)) // as XGBoost sees them
		}
	}
	for n, m := range deepModels() {
		var b bytes.Buffer
		must.Do(WriteXGBoost(&b, m))
		var f xgbFile
		must.Do(json.Unmarshal(b.Bytes(), &f))
		for i, tree := range f.Learner.Booster.Model.Trees {
			for k, left := range tree.LeftChildren {
				if left >= 0 && tree.RightChildren[k] != left+1 {
					t.Fatalf("model %d, tree %d, node %d: children %d and %d, want siblings side by side", n, i, k, left, tree.RightChildren[k])
				}
			}
			if !slices.IsSorted(tree.CategoriesNodes) {
				t.Fatalf("model %d, tree %d: nodes %v of categories, want them to ascend", n, i, tree.CategoriesNodes)
			}
		}
		for to, write := range writers {
			var b bytes.Buffer
			must.Do(write(&b, m))
			text := b.Bytes()
			again := must.Get(Read(bytes.NewReader(text)))
			for i, x := range rows {
				if got, want := again.One.Score(x), m.One.Score(x); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
					t.Fatalf("model %d as %s, row %d: score %v, want %v", n, to, i, got, want)
				}
			}
			keep(t, fmt.Sprintf("deep-%02d.as%s", n, to), text, rows, m)
		}
	}
}

// TestPandasCategorical: the names of LightGBM's and XGBoost's categories become levels,
// in the order of the codes, and come back; what does not fit is refused.
func TestPandasCategorical(t *testing.T) {
	m := &boost.Model{Columns: 2, Booster: "newton", Link: boost.IdentityLink, Schema: boost.Schema{Names: []string{"size", "colour"}, Levels: [][]string{nil, {"blue", "green", "red"}}}}
	m.Terms = []boost.Term{{Coef: 1, Weak: &boost.Tree{Nodes: []boost.Node{{Column: 1, In: &[8]uint32{5}, Left: 0, Right: -1}}, Leaves: []float64{2, 3}}}}
	var text string
	for _, write := range []func(io.Writer, *Model) error{WriteXGBoost, WriteLightGBM} {
		var b bytes.Buffer
		must.Do(write(&b, &Model{One: m}))
		text = b.String()
		again := must.Get(Read(strings.NewReader(text)))
		if got := again.One.LevelsOf(1); !slices.Equal(got, m.Levels[1]) || again.One.LevelsOf(0) != nil {
			t.Errorf("levels %q, want %q", again.One.Levels, m.Levels)
		}
		d := must.Get(again.One.Align(&boost.Data{Schema: boost.Schema{Names: []string{"colour", "size"}, Levels: [][]string{{"red", "green"}, nil}}, Columns: [][]float64{{0, 1}, {1, 1}}}))
		if scores, err := again.One.Scores(d); err != nil || !slices.Equal(scores, []float64{2, 3}) {
			t.Errorf("red and green score %v, want 2 and 3 (%v)", scores, err)
		}
	}
	const line = `pandas_categorical:[["blue","green","red"]]`
	if !strings.Contains(text, line) {
		t.Fatalf("no %s in\n%s", line, text)
	}
	for bad, want := range map[string]string{
		`pandas_categorical:[["blue","green"],["x"]]`: "2 lists",
		`pandas_categorical:[["blue"`:                 "pandas_categorical",
		`pandas_categorical:[["blue","blue","red"]]`:  "two levels",
	} {
		if _, err := ReadLightGBM(strings.NewReader(strings.Replace(text, line, bad, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", bad, err, want)
		}
	}
	numbers, err := ReadLightGBM(strings.NewReader(strings.Replace(text, line, `pandas_categorical:[[10,20,30]]`, 1)))
	if err != nil || !slices.Equal(numbers.One.LevelsOf(1), []string{"10", "20", "30"}) {
		t.Errorf("numbers as categories: %v", err)
	}
}

// TestLogitRaw: the base score of a model without a link is the score's, as
// XGBoost has it, in both directions.
func TestLogitRaw(t *testing.T) {
	m := &boost.Model{Columns: 1, Booster: "newton", Link: boost.NoLink, Bias: 0.25, Terms: []boost.Term{{Coef: 1, Weak: &boost.Tree{Leaves: []float64{1}}}}}
	var b bytes.Buffer
	must.Do(WriteXGBoost(&b, &Model{One: m}))
	var f xgbFile
	must.Do(json.Unmarshal(b.Bytes(), &f))
	if f.Learner.Objective["name"] != "binary:logitraw" || f.Learner.Param.BaseScore != "0E0" {
		t.Errorf("objective %v with the base score %s, want binary:logitraw with 0E0", f.Learner.Objective, f.Learner.Param.BaseScore)
	}
	text := strings.Replace(b.String(), `"base_score":"0E0"`, `"base_score":"7.5E-1"`, 1)
	again := must.Get(ReadXGBoost(strings.NewReader(text)))
	if got := again.One.Score([]float64{0}); got != 2 {
		t.Errorf("score %v, want 0.75 + 1.25", got)
	}
}
