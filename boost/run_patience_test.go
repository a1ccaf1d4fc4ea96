package boost

import (
	"bytes"
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// TestPatienceFindsRounds: without Validation, the number of rounds is that with
// the smallest loss of rows, each scored by a run in which its part has no weight,
// and the model is that of so many rounds on all rows.
func TestPatienceFindsRounds(t *testing.T) {
	for _, d := range []*Data{mixture(150, 3), curve(150, 3, 0.5)} {
		s := Settings{Rounds: 200, Shrinkage: 0.3, RowShare: 0.6, Patience: 15, Seed: 4}
		bare := s
		bare.Patience = 0
		losses, folds := make([]float64, s.Rounds), deal(d, nil, 5, s.Seed)
		for f := range 5 {
			part := *d
			part.Weights = make([]float64, d.Rows())
			var held []int
			for i, g := range folds {
				if part.Weights[i] = 1; g == f {
					part.Weights[i] = 0
					held = append(held, i)
				}
			}
			n, terms := 0, []int(nil) // after each round, which may have none
			each := bare
			each.Recorder = func(r *Round) error {
				if r.Weak != nil {
					n++
				}
				terms = append(terms, n)
				return nil
			}
			m, test := mustFit(t, &part, &Newton{}, &Trees{}, &each).Model, d.Subset(held)
			metric := MeanLoss(LogisticLoss)
			if d.Labels == nil {
				metric = MeanLoss(LeastSquaresLoss)
			}
			for n := range losses {
				start := *m
				start.Terms = m.Terms[:terms[n]]
				losses[n] += metric.Value(must.Get(start.Predict(test)))
			}
		}
		want := slices.Index(losses, slices.Min(losses)) + 1
		if want < 3 || want > 180 {
			t.Fatalf("%d rounds are best: the test shows nothing", want)
		}
		bare.Rounds = want
		expected := mustFit(t, d, &Newton{}, &Trees{}, &bare).Model
		for _, workers := range []int{1, 3} {
			s.Workers = workers
			res := mustFit(t, d, &Newton{}, &Trees{}, &s)
			if res.Rounds != want || saved(t, res.Model) != saved(t, expected) {
				t.Errorf("%d workers: %d rounds, want %d and the same model", workers, res.Rounds, want)
			}
		}
	}
}

// TestPatienceOfSeveralClasses: every booster finds a number of rounds, which the
// number of workers does not change, and returns the model of so many.
func TestPatienceOfSeveralClasses(t *testing.T) {
	d := rings(200, 3, 7)
	for _, b := range []MultiBooster{&Softmax{}, &LogitBoostK{}, &AdaBoostMH{}, SAMME{}, &OneVsRest{}} {
		var rounds []int
		for _, workers := range []int{1, 2} {
			res := mustFitMulti(t, d, b, &Trees{}, &Settings{Rounds: 60, Shrinkage: 0.5, Patience: 10, Seed: 2, Workers: workers})
			fixed := mustFitMulti(t, d, b, &Trees{}, &Settings{Rounds: res.Rounds, Shrinkage: 0.5, Seed: 2})
			var got, want bytes.Buffer
			if res.Model.Save(&got) != nil || fixed.Model.Save(&want) != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("%s: not the model of %d rounds", b.Name(), res.Rounds)
			}
			rounds = append(rounds, res.Rounds)
		}
		if rounds[0] < 1 || rounds[0] >= 60 || rounds[0] != rounds[1] {
			t.Errorf("%s: %d and %d rounds with one and two workers", b.Name(), rounds[0], rounds[1])
		}
	}
}

// TestPatienceRefuses: where no rows can be held out, or measured, is an error.
func TestPatienceRefuses(t *testing.T) {
	one := mixture(200, 3)
	one.Weights = make([]float64, 200)
	one.Weights[5] = 1
	grouped := curve(50, 1, 0.1)
	grouped.Groups = make([]int, 50)
	for name, d := range map[string]*Data{"one row with weight": one, "one group": grouped} {
		if _, err := Fit(context.Background(), d, &Newton{}, &Trees{}, &Settings{Patience: 3}); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: error %v, want ErrSettings", name, err)
		}
	}
	same := mixture(50, 1)
	for i := range same.Labels {
		same.Labels[i] = 1
	}
	if _, err := Fit(context.Background(), same, &Newton{}, &Trees{}, &Settings{Patience: 3, Metric: &AUC}); !errors.Is(err, ErrSettings) {
		t.Errorf("AUC of one class: error %v, want ErrSettings", err)
	}
	if _, err := Start(&Problem{Data: mixture(50, 1)}, &Newton{}, &Trees{}, &Settings{Patience: 3}); !errors.Is(err, ErrSettings) {
		t.Errorf("Start: error %v, want ErrSettings", err)
	}
}

// TestDrawnRowsHaveWeight: a sample of the rows is one of those with weight.
func TestDrawnRowsHaveWeight(t *testing.T) {
	st := &state{Labels: make([]float64, 100), Base: make([]float64, 100), settings: Settings{RowShare: 0.5}}
	for i := range 40 {
		st.Base[2*i+1] = 1
	}
	rows := st.drawRows(nil)
	if len(rows) != 20 || !slices.IsSorted(rows) || slices.ContainsFunc(rows, func(i int32) bool { return st.Base[i] == 0 }) {
		t.Errorf("drew %v, want 20 of the 40 rows with weight", rows)
	}
}

// TestPatienceKeepsTrees: of a large table the trees are those of the trial, and leaves
// those of Newton steps of all rows; with constraints all is fitted anew.
func TestPatienceKeepsTrees(t *testing.T) {
	d := curve(20_100, 3, 0.5)
	for i := range d.Columns[0] {
		if i%7 == 0 {
			d.Columns[0][i] = math.NaN()
		}
	}
	s := Settings{Rounds: 12, Shrinkage: 0.5, Patience: 3, Seed: 4}
	trial, bare := *d, s
	trial.Weights, bare.Patience = make([]float64, d.Rows()), 0
	for i, f := range deal(d, nil, 10, s.Seed) {
		trial.Weights[i] = float64(min(1, f))
	}
	bins := must.Get(Quantize(d, 0, EqualFrequency)) // of all rows
	grown := must.Get(FitProblem(t.Context(), &Problem{Data: &trial, Columns: bins}, &Newton{}, &Trees{}, &bare)).Model
	var models []string
	for _, workers := range []int{1, 3} {
		s.Workers = workers
		m := mustFit(t, d, &Newton{}, &Trees{}, &s).Model
		models = append(models, saved(t, m))
		scores := make([]float64, d.Rows())
		for i := range scores {
			scores[i] = m.Bias
		}
		for k, term := range m.Terms {
			tree := term.Weak.(*Tree)
			if !reflect.DeepEqual(tree.Nodes, grown.Terms[k].Weak.(*Tree).Nodes) {
				t.Fatalf("tree %d is another", k)
			}
			sums := make([]float64, len(tree.Leaves))
			rows := make([]float64, len(tree.Leaves))
			for i, y := range d.Targets {
				leaf := tree.leaf(d.Row(nil, i))
				sums[leaf] += y - scores[i]
				rows[leaf]++
				scores[i] += term.Coef * tree.Leaves[leaf]
			}
			for j, v := range tree.Leaves {
				if want := sums[j] / (rows[j] + 1); math.Abs(v-want) > 1e-9 {
					t.Errorf("tree %d, leaf %d: %v, want %v", k, j, v, want)
				}
			}
		}
	}
	if models[0] != models[1] {
		t.Error("three workers make another model")
	}
	free := make([]int8, len(d.Columns))
	res := mustFit(t, d, &Newton{Monotone: free}, &Trees{}, &s)
	bare.Rounds = res.Rounds
	if saved(t, res.Model) != saved(t, mustFit(t, d, &Newton{}, &Trees{}, &bare).Model) {
		t.Error("constrained trees are not those of all rows")
	}
}

// TestProgress: a fit reports the rounds of its search and then its own, a
// cross-validation its folds alone.
func TestProgress(t *testing.T) {
	d := mixture(200, 4)
	several := *d
	several.Labels, several.Classes, several.Targets = nil, []string{"a", "b"}, make([]float64, d.Rows())
	for i, y := range d.Labels {
		several.Targets[i] = float64(y+1) / 2
	}
	var seen [][2]int
	s := &Settings{Rounds: 30, Shrinkage: 0.3, Patience: 3, Progress: func(done, total int) { seen = append(seen, [2]int{done, total}) }}
	rounds := must.Get(Fit(context.Background(), d, &Newton{}, &Stumps{}, s)).Rounds
	for _, of := range []string{"two classes", "several"} {
		search := slices.IndexFunc(seen, func(p [2]int) bool { return p[1] != 30 })
		if rounds == 30 || search < rounds || len(seen) != search+rounds {
			t.Fatalf("%s: %d rounds, progress %v", of, rounds, seen)
		}
		for i, p := range seen {
			if i < search && p[0] != i+1 || i >= search && p != [2]int{i - search + 1, rounds} {
				t.Fatalf("%s: progress %v", of, seen)
			}
		}
		seen = nil
		rounds = must.Get(FitMulti(context.Background(), &several, &Softmax{}, &Trees{}, s)).Rounds
	}
	seen = nil
	must.Get(CrossValidate(context.Background(), d, &Newton{}, &Stumps{}, s, &CrossValidation{Folds: 3}))
	if want := [][2]int{{1, 3}, {2, 3}, {3, 3}}; !slices.Equal(seen, want) {
		t.Errorf("progress %v, want %v", seen, want)
	}
}
