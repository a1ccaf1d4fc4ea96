package boost

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// vote is a stump with output -1 below a threshold and +1 above it.
func sign(column int, threshold float64) *Tree {
	return &Tree{Nodes: []Node{{Column: column, Threshold: threshold, Left: 0, Right: -1}}, Leaves: []float64{-1, 1}}
}

func TestModelByHand(t *testing.T) {
	d := &Data{Columns: [][]float64{{0, 1, 2, 3}, {5, 5, -5, -5}}, Labels: []int8{-1, 1, -1, 1}, Weights: []float64{1, 2, 3, 4}}
	m := &Model{Columns: 2, Link: DoubleLogisticLink, Terms: []Term{{2, sign(0, 1)}, {1, sign(1, 0)}, {-1, sign(0, 3)}}}
	// Scores: -2+1+1, 2+1+1, 2-1+1, 2-1-1.
	if got, want := must.Get(m.Scores(d)), []float64{0, 4, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
	// A score of zero is class +1: rows 0 and 2 are wrong, with weights 1 and 3.
	if e := must.Get(m.Error(d)); math.Abs(e-0.4) > 1e-15 {
		t.Errorf("error %v, want 0.4", e)
	}
	if got, want := stagedErrors(m, d), []float64{0.4, 0.3, 0.3, 0.4}; !near0(got, want) {
		t.Errorf("staged errors %v, want %v", got, want)
	}
	margins := must.Get(m.Margins(d))
	if want := []float64{0, 1, -0.5, 0}; !near0(margins, want) {
		t.Errorf("margins %v, want %v", margins, want)
	}
	if p := m.Probability([]float64{1, 5}); math.Abs(p-1/(1+math.Exp(-8))) > 1e-15 {
		t.Errorf("probability %v", p)
	}
	if c := m.Truncate(1).Score([]float64{0, 0}); c != -2 || len(m.Terms) != 3 {
		t.Errorf("score of the first term %v, want -2", c)
	}
}

func near0(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
}

// TestLinks: probabilities rise with the score from 0 to 1, and are one half at zero.
func TestLinks(t *testing.T) {
	for _, l := range []Link{LogisticLink, DoubleLogisticLink, matsushitaLink, LinearLink, erfLink} {
		if p := l.probability(0); p != 0.5 {
			t.Errorf("link %d: probability %v at zero", l, p)
		}
		before := -1.0
		for _, s := range []float64{math.Inf(-1), -1e300, -30, -1, -0.5, 0, 0.5, 1, 30, 1e300, math.Inf(1)} {
			p := l.probability(s)
			if !(p >= before && p >= 0 && p <= 1) {
				t.Errorf("link %d: probability %v at %v, after %v", l, p, s, before)
			}
			before = p
		}
	}
	if p := NoLink.probability(1); p == p {
		t.Errorf("probability %v without a link", p)
	}
}

func TestSubset(t *testing.T) {
	d := &Data{Schema: Schema{Names: []string{"a"}}, Columns: [][]float64{{1, 2, 3}}, Labels: []int8{1, -1, 1}, Weights: []float64{4, 5, 6}}
	s := d.Subset([]int{2, 0, 2})
	if !slices.Equal(s.Columns[0], []float64{3, 1, 3}) || !slices.Equal(s.Labels, []int8{1, 1, 1}) || !slices.Equal(s.Weights, []float64{6, 4, 6}) || s.Names[0] != "a" {
		t.Errorf("subset %+v", s)
	}
}

// TestCriteria checks the formulas on one block and on two.
func TestCriteria(t *testing.T) {
	const s0, s1 = 0.8, 0.2 // W+ = 0.5, W- = 0.3
	h := func(p float64) float64 { return -p * math.Log(p) }
	for c, want := range map[Criterion]float64{
		ZeroOne:      0.3,
		Exponential:  2 * math.Sqrt(0.5*0.3),
		LeastSquares: -0.2 * 0.2 / 0.8,
		Gini:         2 * 0.5 * 0.3 / 0.8,
		Entropy:      0.8 * (h(5./8) + h(3./8)),
		Divergence:   -2 * 0.2 * math.Log(0.501/0.301),
	} {
		if got := c.block(s0, s1); math.Abs(got-want) > 1e-10 {
			t.Errorf("%v of the block is %v, want %v", c, got, want)
		}
		if got := c.split(s0, s1, s0, -s1); math.Abs(got-2*want) > 1e-10 {
			t.Errorf("%v of the split is %v, want %v", c, got, 2*want)
		}
		if got := c.block(0, 0); got != 0 {
			t.Errorf("%v of nothing is %v", c, got)
		}
	}
	// Quinlan's weather data, outlook: 5 rows 2 yes, 4 rows 4 yes, 5 rows 3 yes.
	// Gain 0.247 bits, split information 1.577 bits, ratio 0.156.
	got := GainRatio.partition([]float64{5, 4, 5}, []float64{-1, 4, 1})
	if math.Abs(got+0.156) > 0.001 {
		t.Errorf("gain ratio of Quinlan's example is %v, want 0.156", -got)
	}
	// Leaves.
	for _, l := range []struct {
		leaf Leaf
		want float64
	}{
		{Leaf{Kind: Majority}, 1}, {Leaf{Kind: Mean}, 0.25}, {Leaf{Kind: Logit}, math.Log(5./3) / 2},
		{Leaf{Kind: Logit, Smooth: 0.1}, math.Log(6./4) / 2},
	} {
		if got := l.leaf.value(s0, s1); math.Abs(got-l.want) > 1e-12 {
			t.Errorf("%+v answers %v, want %v", l.leaf, got, l.want)
		}
	}
	if v := (Leaf{Kind: Logit}).value(0.5, 0.5); !math.IsInf(v, 1) {
		t.Errorf("a pure leaf answers %v, want infinity", v)
	}
}

// stagedErrors returns the weighted fraction of wrong rows of d after no terms,
// after the first term, and so on: len(m.Terms)+1 numbers.
func stagedErrors(m *Model, d *Data) (errs []float64) {
	for n := range len(m.Terms) + 1 {
		errs = append(errs, must.Get(m.Truncate(n).Error(d)))
	}
	return errs
}

// everyKind is a model with a weak learner of every kind that can be saved.
func everyKind() *Model {
	tree := &Tree{
		Nodes:  []Node{{Column: 0, Threshold: 0.1, MissingLeft: true, Left: 1, Right: 0}, {Column: 2, Threshold: math.Inf(1), Left: -1, Right: -2}},
		Leaves: []float64{1.5, -2, 1e-300},
	}
	return &Model{
		Booster: "test", Columns: 3, Schema: Schema{Names: []string{"a", "b c", "\"\n"}}, Bias: -0.25, Link: matsushitaLink, Damping: 0.5,
		Terms: []Term{
			{1, tree},
			{-1e300, &Tree{Leaves: []float64{7}}},
			{0.1, &Histogram{Column: 1, Cuts: []float64{-1, 0.3}, Leaves: []float64{1, 2, 3}, Missing: 9}},
			{0.2, &joint{Over: []int{0, 2}, Cuts: [][]float64{{0}, nil}, Leaves: []float64{1, 2, 3, 4, 5, 6}}},
			{0.4, &coordinate{Column: 2, Factor: 0.125}},
			{0.6, &Tree{Nodes: []Node{{Column: 2, In: &[8]uint32{1, 0, 0xdeadbeef, 7: 1 << 31}, MissingLeft: true, Left: 0, Right: -1}}, Leaves: []float64{0.75, -1}}},
			{0.5, &Scaled{Factor: -1, Of: &vote{Terms: []Term{{1, tree}, {2, tree}, {-1, &coordinate{Column: 0, Factor: 1}}}, Bias: 0.1}}},
		},
	}
}

// saved returns a model as a file.
func saved(t testing.TB, m interface{ Save(w io.Writer) error }) string {
	t.Helper()
	return string(must.Bytes(m.Save))
}

// reloaded returns a model as it is read from its file. That is saved as the same text,
// and no beginning of it is a model.
func reloaded(t *testing.T, m *Model) *Model {
	t.Helper()
	text := saved(t, m)
	got := must.Get(Load(strings.NewReader(text)))
	if again := saved(t, got); again != text {
		t.Errorf("read and saved again:\n%s\nwas:\n%s", again, text)
	}
	for n := 0; n < len(text)-1; n += 1 + len(text)/4000*36 { // the last byte is a newline
		if _, err := Load(strings.NewReader(text[:n])); !errors.Is(err, ErrFormat) {
			t.Fatalf("%d of %d bytes: error %v, want ErrFormat", n, len(text), err)
		}
	}
	return got
}

// refusesEdits: a file with its first old replaced by new is refused, with an error that
// says why.
func refusesEdits(t *testing.T, text string, edits []edit) {
	t.Helper()
	for _, c := range edits {
		bad := strings.Replace(text, c.old, c.new, 1)
		if bad == text {
			t.Fatalf("%q is not in the text", c.old)
		}
		if _, err := Load(strings.NewReader(bad)); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one that says %q", c.new, c.old, err, c.want)
		}
	}
}

type edit struct{ old, new, want string }

func TestSaveEveryKind(t *testing.T) {
	m := everyKind()
	got := reloaded(t, m)
	for _, x := range [][]float64{{0, 0, 0}, {1, 5, -9}, {math.NaN(), math.NaN(), math.NaN()}, {-1, -1, 4}} {
		if a, b := m.Score(x), got.Score(x); a != b {
			t.Errorf("score of %v: %v, was %v", x, b, a)
		}
	}
	if !reflect.DeepEqual(got.Terms[3], m.Terms[3]) {
		t.Errorf("joint histogram %+v, was %+v", got.Terms[3], m.Terms[3])
	}
}

func TestSaveRefusesFunctions(t *testing.T) {
	m := &Model{Columns: 1, Terms: []Term{{1, &function{func([]float64) float64 { return 1 }}}}}
	if err := m.Save(&bytes.Buffer{}); !errors.Is(err, ErrUnsaved) {
		t.Errorf("error %v, want ErrUnsaved", err)
	}
}

// TestLoadNamesTheLine: an error says where it is.
func TestLoadNamesTheLine(t *testing.T) {
	text := saved(t, everyKind())
	refusesEdits(t, text, []edit{
		{"haarlem-boost 1", "haarlem-boost 4", "line 1"},
		{"link matsushita", "link magic", "line 3"},
		{"bias -0.25", "bias NaN", "line 4"},
		{"damping 0.5", "damping -1", "line 5"},
		{"columns 3", "columns 2", "names"},
		{"columns 3", "columns 99999999999", "line 9"},
		{"names 3", "names 2", "names"},
		{"terms 7", "terms 8", "term"},
		{"terms 7", "terms 6", "want \"end\""},
		{"node 0 0.1 left 1 0", "node 3 0.1 left 1 0", "line 19"},
		{"node 0 0.1 left 1 0", "node 0 0.1 up 1 0", "left or right"},
		{"node 0 0.1 left 1 0", "node 0 0.1 left 0 0", "two parents"},
		{"node 0 0.1 left 1 0", "node 0 0.1 left 2 0", "later node"},
		{"node 2 +Inf right -1 -2", "node 2 +Inf right 1 -2", "later node"},
		{"node 2 +Inf right -1 -2", "node 2 +Inf right -1 -3", "later node"},
		{"cut -1", "cut 1", "ascend"},
		{"joint 2 6", "joint 2 7", "cells"},
		{"coordinate 2 0.125", "coordinate -2 0.125", "line"},
		{"vote 3 0.1 0\n", "vote 3 0.1\n", "3 words"},
		{"levels 2 left", "levels 3 left", "line 49"},
		{"levels 2 left", "levels 2 up", "left or right"},
		{"in 00000001", "in 1", "eight digits"},
		{"in 00000001", "in 0000000x", "eight digits"},
		{"in 00000001", "", "want \"in\""},
		{"end\n", "end\nmore\n", "after the end"},
		{"tree 2\n", "tree 99999999\n", "line 18"},
		{"tree 2\n", "shrub 2\n", "no weak learner"},
	})
	if _, err := Load(strings.NewReader(strings.Repeat("x", maxLine+10))); err == nil {
		t.Error("a line without end is a model")
	}
}

// TestLoadDepth: weak learners inside weak learners end somewhere.
func TestLoadDepth(t *testing.T) {
	text := saved(t, &Model{Booster: "x", Columns: 1, Terms: []Term{{1, &coordinate{Column: 0, Factor: 1}}}})
	deep := strings.Replace(text, "coordinate 0 1", strings.Repeat("scaled 1\n", 100)+"coordinate 0 1", 1)
	if _, err := Load(strings.NewReader(deep)); !errors.Is(err, ErrFormat) {
		t.Errorf("error %v, want ErrFormat", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(saved(f, everyKind())))
	f.Add([]byte(saved(f, &Model{Booster: "two words", Columns: 1})))
	vote := &vote{Terms: []Term{{2, &coordinate{Column: 0, Factor: 0.5}}}, Bias: -1}
	f.Add([]byte(saved(f, &Model{Columns: 1, Terms: []Term{{1, &obliqueTree{Nodes: []obliqueNode{{vote, 0, 1}, {vote, -1, -2}}, Leaves: []float64{1, -1, 2}}}}})))
	f.Add([]byte("haarlem-boost 1\nbooster x\nlink none\nbias 0\ndamping 0\nlinkscale 0\ncalibration table 2\nstep -1 0.1\nstep 1 0.9\nthreshold 0.3\ncolumns 1\nnames 0\nlevels 0\nclasses 0\nterms 1\nterm 1\ncovered 1\nnode 0 1 left 0 -1\nleaf 1 20\nleaf -1 5\nend\n"))
	f.Add([]byte("haarlem-boost 1\nbooster x\nlink none\nbias 0\ndamping 0\nlinkscale 0\ncalibration none\nthreshold 0\ncolumns 0\nnames 0\nlevels 0\nclasses 0\nterms 1\nterm 1\ntree 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Load(bytes.NewReader(data))
		if err != nil {
			return
		}
		// What can be read can be used, and saved as the same.
		x := make([]float64, m.Columns)
		m.Score(x)
		for j := range x {
			x[j] = math.NaN()
		}
		m.Score(x)
		first := saved(t, m)
		again, err := Load(strings.NewReader(first))
		if err != nil {
			t.Fatalf("what was saved cannot be read: %v", err)
		}
		if saved(t, again) != first {
			t.Error("saved and read, the model is another")
		}
	})
}

func FuzzLoadCheckpoint(f *testing.F) {
	run := must.Get(Start(&Problem{Data: tutorial()}, &Star{}, &Stumps{}, &Settings{Validation: tutorial()}))
	for range 3 {
		f.Add([]byte(saved(f, run.Checkpoint())))
		must.Get(run.Next(f.Context()))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := LoadCheckpoint(bytes.NewReader(data))
		if err != nil {
			return
		}
		// Resume must refuse or work, whatever the file says.
		run, err := Resume(&Problem{Data: tutorial()}, &Star{}, &Stumps{}, nil, c)
		if err != nil || run.Status() != Going {
			return
		}
		run.Next(t.Context())
	})
}

// TestCover: leaves have the weights of the rows that come to them, and files keep
// that, and the threshold, by which rows are of class +1.
func TestCover(t *testing.T) {
	d := mixture(300, 3)
	res := must.Get(Fit(context.Background(), d, &Newton{}, &Trees{Leaves: 5}, &Settings{Rounds: 8}))
	m, before := res.Model, saved(t, res.Model)
	d.Weights = make([]float64, d.Rows())
	for i := range d.Weights {
		d.Weights[i] = float64(i % 3)
	}
	must.Do(m.Cover(d))
	for k, term := range m.Terms {
		tree := term.Weak.(*Tree)
		want := make([]float64, len(tree.Leaves))
		for i, w := range d.Weights {
			want[tree.leaf(d.Row(nil, i))] += w
		}
		if !reflect.DeepEqual(tree.Covers, want) {
			t.Fatalf("term %d: covers %v, want %v", k, tree.Covers, want)
		}
	}
	wrong := must.Get(m.Error(d))
	m.Threshold = 0.9
	high := must.Get(m.Error(d))
	text := saved(t, m)
	got := reloaded(t, m)
	if !reflect.DeepEqual(got.Terms, m.Terms) || got.Threshold != 0.9 || text == before {
		t.Errorf("what is read is another model:\n%s", text)
	}
	sum := 0.0
	for i, w := range d.Weights {
		x := d.Row(nil, i)
		if c := got.Class(x); c > 0 != (got.Probability(x) >= 0.9) {
			t.Fatalf("row %d: class %d, probability %v", i, c, got.Probability(x))
		} else if c != d.Labels[i] {
			sum += w
		}
	}
	if high == wrong || high-sum/float64(d.Rows()) > 1e-9 || sum/float64(d.Rows())-high > 1e-9 {
		t.Errorf("error %v at 0.9, %v before, counted %v", high, wrong, sum/float64(d.Rows()))
	}
	refusesEdits(t, text, []edit{{"threshold 0.9", "threshold 1.5", ""}, {"covered ", "tree ", ""}, {"leaf ", "leaf x ", ""}})
}

// TestPredictorIsTheModel: a predictor's scores are the model's, to the last bit,
// for every kind of weak learner, depth, missing value and number of workers.
func TestPredictorIsTheModel(t *testing.T) {
	d := mixture(700, 1)
	r := rand.New(rand.NewPCG(1, 9))
	holes := d.Subset(seq(d.Rows()))
	for _, c := range holes.Columns {
		for i := range c {
			if r.IntN(9) == 0 {
				c[i] = math.NaN()
			}
		}
	}
	inf := d.Subset(seq(d.Rows()))
	inf.Columns[1][3], inf.Columns[2][4] = math.Inf(1), math.Inf(-1)
	levels := colours(300, 2)
	for _, c := range []struct {
		d *Data
		b Booster
		l Learner
		s Settings
	}{
		{d, &Newton{}, &Stumps{}, Settings{}}, {d, &Newton{}, &Trees{Depth: 2}, Settings{}}, {holes, &Newton{}, &Trees{Depth: 3}, Settings{}},
		{holes, &Newton{MinWeight: 1e-6}, &Trees{Leaves: 12}, Settings{}}, {d, &Newton{MinWeight: 1e-6}, &Trees{Leaves: 80}, Settings{Rounds: 5}},
		{levels, &Newton{}, &Trees{Leaves: 6}, Settings{}}, {d, &WeightBoost{}, &Trees{}, Settings{Rounds: 10}},
		{holes, &Gentle{}, &Histograms{}, Settings{}}, {d, &Discrete{}, &Monomials{}, Settings{}}, {d, &Discrete{}, &LinearTrees{}, Settings{Rounds: 7}},
		{d, &Real{}, SortedStumps{}, Settings{Shrinkage: 0.3}},
	} {
		m := mustFit(t, c.d, c.b, c.l, &c.s).Model
		p := m.Predictor()
		for _, on := range []*Data{c.d, holes, inf} {
			if len(on.Columns) != m.Columns {
				continue
			}
			var want []float64
			for i := range on.Rows() {
				want = append(want, m.Score(on.Row(nil, i)))
			}
			for _, workers := range []int{0, 1, 3} {
				if got := must.Get(p.Scores(on, workers)); !slices.Equal(got, want) {
					t.Errorf("%s+%s, %d workers: other scores", c.b.Name(), c.l.Name(), workers)
				}
			}
			for i := range want {
				if s := p.Score(on.Row(nil, i)); s != want[i] {
					t.Fatalf("%s+%s: score %v of row %d, want %v", c.b.Name(), c.l.Name(), s, i, want[i])
				}
			}
			if got := must.Get(m.Scores(on)); !slices.Equal(got, want) {
				t.Errorf("%s+%s: the model has other scores of a table than of its rows", c.b.Name(), c.l.Name())
			}
		}
	}
	mixed := everyKind()
	x := []float64{0.2, 1, 0.5}
	mixed.Damping = 0
	if got, want := mixed.Predictor().Score(x), mixed.Score(x); got != want {
		t.Errorf("score %v, want %v", got, want)
	}
}

// TestPredictorAllocates: nothing, once it is made.
func TestPredictorAllocates(t *testing.T) {
	d := mixture(300, 1)
	p := mustFit(t, d, &Newton{}, &Trees{Depth: 3}, nil).Model.Predictor()
	x := d.Row(nil, 0)
	if n := testing.AllocsPerRun(100, func() { p.Score(x) }); n != 0 {
		t.Errorf("%v allocations for a row", n)
	}
}

func BenchmarkPredictRow(b *testing.B) {
	d := mixture(5000, 1)
	for _, depth := range []int{1, 3, 6} {
		m := must.Get(Fit(b.Context(), d, &Newton{MinWeight: 1e-6}, &Trees{Depth: depth}, &Settings{Shrinkage: 0.1}))
		p := m.Model.Predictor()
		rows := make([][]float64, 1000)
		for i := range rows {
			rows[i] = d.Row(nil, i)
		}
		b.Run("depth"+string(rune('0'+depth)), func(b *testing.B) {
			sum := 0.0
			for i := range b.N {
				sum += p.Score(rows[i%1000])
			}
		})
		b.Run("batch"+string(rune('0'+depth)), func(b *testing.B) {
			for range b.N {
				p.Scores(d, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*d.Rows()), "ns/row")
		})
	}
}
