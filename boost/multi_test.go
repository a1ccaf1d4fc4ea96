package boost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// rings are K classes by the distance from the middle, with a categorical column
// that knows something and values that are missing.
func rings(rows, k int, seed uint64) *Data {
	r := rand.New(rand.NewPCG(seed, 31))
	d := &Data{Schema: Schema{Names: []string{"x", "y", "hint"}, Levels: [][]string{nil, nil, {"a", "b", "c"}}}, Columns: make([][]float64, 3)}
	for c := range k {
		d.Classes = append(d.Classes, fmt.Sprint("ring", c))
	}
	for range rows {
		x, y := r.NormFloat64(), r.NormFloat64()
		c := min(k-1, int(math.Hypot(x, y)*float64(k)/2.5))
		hint := float64(c % 3)
		if r.IntN(3) == 0 {
			hint = float64(r.IntN(3))
		}
		if r.IntN(10) == 0 {
			x = math.NaN()
		}
		d.Columns[0], d.Columns[1], d.Columns[2] = append(d.Columns[0], x), append(d.Columns[1], y), append(d.Columns[2], hint)
		d.Targets = append(d.Targets, float64(c))
	}
	return d
}

var multiBoosters = []MultiBooster{&OneVsRest{}, &OneVsRest{Booster: &Real{}}, &Softmax{}, &LogitBoostK{}, &AdaBoostMH{}, SAMME{}}

// asSeveral is a table of two classes as one of several.
func asSeveral(two *Data) *Data {
	d := &Data{Schema: Schema{Classes: []string{"-", "+"}}, Columns: two.Columns}
	for _, y := range two.Labels {
		d.Targets = append(d.Targets, float64(y+1)/2)
	}
	return d
}

func mustFitMulti(t *testing.T, d *Data, b MultiBooster, l Learner, s *Settings) *MultiResult {
	t.Helper()
	return must.Get(FitMulti(context.Background(), d, b, l, s))
}

// TestMultiLearns: every method learns the rings, gives probabilities that sum to
// 1 and agree with the class, is the same for any number of workers and weights
// that are repetitions, and comes back from a file.
func TestMultiLearns(t *testing.T) {
	for _, k := range []int{2, 5} {
		train, test := rings(800, k, 1), rings(500, k, 2)
		for _, b := range multiBoosters {
			s := &Settings{Rounds: 30, Shrinkage: 0.5, Seed: 1}
			m := mustFitMulti(t, train, b, &Trees{Depth: 3}, s).Model
			if e := must.Get(m.Error(test)); e > 0.16 {
				t.Errorf("%s, %d classes: test error %v", b.Name(), k, e)
			}
			if l := LogLoss.Value(must.Get(m.Predict(test)).Own()); !(l < 1) {
				t.Errorf("%s, %d classes: log loss %v", b.Name(), k, l)
			}
			var x, p []float64
			for i := range 50 {
				x = test.Row(x, i)
				p = m.Probabilities(p, x)
				sum := 0.0
				for _, v := range p {
					sum += v
				}
				if math.Abs(sum-1) > 1e-9 || slices.Min(p) < 0 || p[m.Class(x)] < slices.Max(p)-1e-12 {
					t.Fatalf("%s: probabilities %v, class %d", b.Name(), p, m.Class(x))
				}
			}
			text := saved(t, m)
			s.Workers = 1
			if saved(t, mustFitMulti(t, train, b, &Trees{Depth: 3}, s).Model) != text {
				t.Errorf("%s: one worker makes another model", b.Name())
			}
			if saved(t, must.Get(LoadMulti(strings.NewReader(text)))) != text {
				t.Errorf("%s: another file when read and written again", b.Name())
			}
		}
	}
}

// TestTwoClassesAreTwo: where there are two classes, SAMME is Discrete AdaBoost
// with the same trees, and AdaBoost.MH real AdaBoost.
func TestTwoClassesAreTwo(t *testing.T) {
	two := mixture(300, 5)
	d := asSeveral(two)
	settings := &Settings{Rounds: 15}
	samme := mustFitMulti(t, d, SAMME{}, &Stumps{}, settings).Model
	discrete := mustFit(t, two, &Discrete{Criterion: Gini, Friedman: true}, &Stumps{}, settings).Model
	mh := mustFitMulti(t, d, &AdaBoostMH{Smooth: 1e-4}, &Stumps{}, settings).Model
	real := mustFit(t, two, &Real{Smooth: 2e-4}, &Stumps{}, settings).Model
	a, b := must.Get(samme.table(d)), must.Get(mh.table(d))
	want, sums := must.Get(discrete.Scores(two)), must.Get(real.Scores(two))
	for i := range want {
		if math.Abs(a[1][i]-a[0][i]-want[i]) > 1e-6 {
			t.Fatalf("row %d: SAMME says %v, Discrete %v", i, a[1][i]-a[0][i], want[i])
		}
		if math.Abs(b[1][i]-sums[i]) > 1e-6 || math.Abs(b[0][i]+sums[i]) > 1e-6 {
			t.Fatalf("row %d: AdaBoost.MH says %v and %v, Real %v", i, b[0][i], b[1][i], sums[i])
		}
	}
	// Half the distance of the two scores of softmax is that of Newton with the
	// logistic loss, from the same start.
	soft := mustFitMulti(t, d, &Softmax{Newton{L2: 1e-9}}, &Stumps{}, settings).Model
	newton := mustFit(t, two, &Newton{L2: 1e-9}, &Stumps{}, settings).Model
	c, scores := must.Get(soft.table(d)), must.Get(newton.Scores(two))
	for i, s := range scores {
		if math.Abs(c[1][i]-c[0][i]-s) > 1e-6 {
			t.Fatalf("row %d: softmax says %v, Newton %v", i, c[1][i]-c[0][i], s)
		}
	}
}

// TestMultiPatience: early stopping goes back to the best round.
func TestMultiPatience(t *testing.T) {
	train, valid := rings(200, 3, 7), rings(400, 3, 8)
	dart := &OneVsRest{Booster: &Newton{Drop: 0.3}} // which changes old terms
	for name, c := range map[string]struct {
		b      MultiBooster
		metric *Metric
	}{"softmax": {&Softmax{}, nil}, "loss": {&Softmax{}, &LogLoss}, "dart": {dart, &LogLoss}, "dart's error": {dart, nil}} {
		s := Settings{Rounds: 300, Shrinkage: 0.5, Validation: valid, Patience: 10, Metric: c.metric}
		res := mustFitMulti(t, train, c.b, &Trees{}, &s)
		if res.Status != Patience {
			t.Fatalf("%s: %v after %d rounds", name, res.Status, res.Rounds)
		}
		s.Rounds, s.Validation, s.Patience = res.Rounds-10, nil, 0
		want := mustFitMulti(t, train, c.b, &Trees{}, &s).Model
		if saved(t, res.Model) != saved(t, want) {
			t.Errorf("%s: the model is not that of its best round, %d", name, s.Rounds)
		}
	}
}

// TestMultiRefuses: impossible data and settings are errors.
func TestMultiRefuses(t *testing.T) {
	d := rings(100, 3, 9)
	other := rings(50, 3, 9)
	other.Names[0] = "z"
	wrong := *d
	wrong.Targets = slices.Clone(d.Targets)
	wrong.Targets[7] = 3
	for name, c := range map[string]struct {
		d *Data
		b MultiBooster
		l Learner
		s *Settings
	}{
		"labels":     {mixture(20, 1), &Softmax{}, &Trees{}, nil},
		"no class":   {&wrong, &Softmax{}, &Trees{}, nil},
		"cost":       {d, &Softmax{}, &Trees{}, &Settings{Cost: 2}},
		"auc":        {d, &Softmax{}, &Trees{}, &Settings{Metric: &AUC}},
		"validation": {d, &Softmax{}, &Trees{}, &Settings{Validation: other}},
		"learner":    {d, SAMME{}, &Histograms{}, nil},
	} {
		if _, err := FitMulti(t.Context(), c.d, c.b, c.l, c.s); !errors.Is(err, ErrSettings) && !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	m := mustFitMulti(t, d, &Softmax{}, &Trees{}, &Settings{Rounds: 2}).Model
	if _, err := m.table(other); !errors.Is(err, ErrSchema) {
		t.Errorf("other columns: error %v, want ErrSchema", err)
	}
}

func FuzzLoadMulti(f *testing.F) {
	d := rings(60, 3, 1)
	res := must.Get(FitMulti(context.Background(), d, SAMME{}, &Trees{}, &Settings{Rounds: 2}))
	f.Add([]byte(saved(f, res.Model)))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := LoadMulti(bytes.NewReader(file))
		if err != nil {
			if !errors.Is(err, ErrFormat) && !strings.Contains(err.Error(), "line") {
				t.Errorf("error %v", err)
			}
			return
		}
		m.Class(make([]float64, m.Columns))
		if err := m.Save(&bytes.Buffer{}); err != nil {
			t.Errorf("cannot be saved again: %v", err)
		}
	})
}
