package boost

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

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
			{2, &linearTree{Root: 0.5, Nodes: tree.Nodes, Left: []float64{1, 2}, Right: []float64{3, 4}, Sign: true}},
			{0.1, &Histogram{Column: 1, Cuts: []float64{-1, 0.3}, Leaves: []float64{1, 2, 3}, Missing: 9}},
			{0.2, &joint{Over: []int{0, 2}, Cuts: [][]float64{{0}, nil}, Leaves: []float64{1, 2, 3, 4, 5, 6}}},
			{0.3, &monomial{Literals: []literal{{Column: 1, Threshold: 3, Above: true}, {Column: 2, Threshold: -3}}, In: 1, Out: -1}},
			{0.4, &coordinate{Column: 2, Factor: 0.125}},
			{0.6, &Subset{Column: 2, In: [8]uint32{1, 0, 0xdeadbeef, 7: 1 << 31}, MissingLeft: true, Left: 0.75, Right: -1}},
			{0.5, &Scaled{Factor: -1, Of: &majority3{Of: [3]Weak{tree, tree, &coordinate{Column: 0, Factor: 1}}}}},
		},
	}
}

func saved(t testing.TB, m *Model) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(m.Save(&b))
	return b.String()
}

func TestSaveEveryKind(t *testing.T) {
	m := everyKind()
	text := saved(t, m)
	got := must.Get(Load(strings.NewReader(text)))
	if again := saved(t, got); again != text {
		t.Errorf("read and saved again:\n%s\nwas:\n%s", again, text)
	}
	for _, x := range [][]float64{{0, 0, 0}, {1, 5, -9}, {math.NaN(), math.NaN(), math.NaN()}, {-1, -1, 4}} {
		if a, b := m.Score(x), got.Score(x); a != b {
			t.Errorf("score of %v: %v, was %v", x, b, a)
		}
	}
	if !reflect.DeepEqual(got.Terms[4], m.Terms[4]) {
		t.Errorf("joint histogram %+v, was %+v", got.Terms[4], m.Terms[4])
	}
}

func TestSaveRefusesFunctions(t *testing.T) {
	m := &Model{Columns: 1, Terms: []Term{{1, &function{func([]float64) float64 { return 1 }}}}}
	if err := m.Save(&bytes.Buffer{}); !errors.Is(err, ErrUnsaved) {
		t.Errorf("error %v, want ErrUnsaved", err)
	}
}

// TestLoadTruncated: no beginning of a file is a file.
func TestLoadTruncated(t *testing.T) {
	text := saved(t, everyKind())
	for n := range len(text) - 1 { // the last byte is a newline
		if m, err := Load(strings.NewReader(text[:n])); err == nil {
			t.Fatalf("%d of %d bytes make a model with %d terms", n, len(text), len(m.Terms))
		} else if !errors.Is(err, ErrFormat) {
			t.Fatalf("%d bytes: error %v, want ErrFormat", n, err)
		}
	}
}

// TestLoadNamesTheLine: an error says where it is.
func TestLoadNamesTheLine(t *testing.T) {
	text := saved(t, everyKind())
	for _, c := range []struct{ old, new, want string }{
		{"haarlem-boost 1", "haarlem-boost 4", "line 1"},
		{"link matsushita", "link magic", "line 3"},
		{"bias -0.25", "bias NaN", "line 4"},
		{"damping 0.5", "damping -1", "line 5"},
		{"columns 3", "columns 2", "names"},
		{"columns 3", "columns 99999999999", "line 6"},
		{"names 3", "names 2", "names"},
		{"terms 9", "terms 10", "term"},
		{"terms 9", "terms 8", "want \"end\""},
		{"node 0 0.1 left 1 0", "node 3 0.1 left 1 0", "line 14"},
		{"node 0 0.1 left 1 0", "node 0 0.1 up 1 0", "left or right"},
		{"node 0 0.1 left 1 0", "node 0 0.1 left 0 0", "two parents"},
		{"node 0 0.1 left 1 0", "node 0 0.1 left 2 0", "later node"},
		{"node 2 +Inf right -1 -2", "node 2 +Inf right 1 -2", "later node"},
		{"node 2 +Inf right -1 -2", "node 2 +Inf right -1 -3", "later node"},
		{"cut -1", "cut 1", "ascend"},
		{"joint 2 6", "joint 2 7", "cells"},
		{"coordinate 2 0.125", "coordinate -2 0.125", "line"},
		{"majority\n", "majority 3\n", "0 words"},
		{"literal 1 above 3", "literal 1 under 3", "above or below"},
		{"subset 2 left", "subset 3 left", "line 53"},
		{"subset 2 left", "subset 2 up", "left or right"},
		{"in 00000001", "in 1", "eight digits"},
		{"in 00000001", "in 0000000x", "eight digits"},
		{"in 00000001", "", "want \"in\""},
		{"end\n", "end\nmore\n", "after the end"},
		{"tree 2\n", "tree 99999999\n", "line 13"},
		{"tree 2\n", "shrub 2\n", "no weak learner"},
	} {
		bad := strings.Replace(text, c.old, c.new, 1)
		if bad == text {
			t.Fatalf("%q is not in the text", c.old)
		}
		if _, err := Load(strings.NewReader(bad)); err == nil || !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v, want one that says %q", c.new, c.old, err, c.want)
		}
	}
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
	f.Add([]byte("haarlem-boost 3\nbooster x\nlink none\nbias 0\ndamping 0\nlinkscale 0\ncalibration table 2\nstep -1 0.1\nstep 1 0.9\nthreshold 0.3\ncolumns 1\nnames 0\nlevels 0\nclasses 0\nterms 1\nterm 1\ncovered 1\nnode 0 1 left 0 -1\nleaf 1 20\nleaf -1 5\nend\n"))
	f.Add([]byte("haarlem-boost 1\nbooster x\nlink none\nbias 0\ndamping 0\ncolumns 0\nnames 0\nterms 1\nterm 1\ntree 1\n"))
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
		var b bytes.Buffer
		must.Do(run.Checkpoint().Save(&b))
		f.Add(b.Bytes())
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

// bytesOf returns a model as a file.
func bytesOf(t *testing.T, m *Model) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	must.Do(m.Save(&b))
	return &b
}
