package boost

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"haarlem/internal/must"
)

func TestShrinkage(t *testing.T) {
	d := mixture(200, 1)
	whole := mustFit(t, d, &Gentle{}, &Stumps{}, &Settings{Rounds: 1})
	part := mustFit(t, d, &Gentle{}, &Stumps{}, &Settings{Rounds: 1, Shrinkage: 0.25})
	for i, s := range must.Get(whole.Model.Scores(d)) {
		if got := must.Get(part.Model.Scores(d))[i]; math.Abs(got-s/4) > 1e-15 {
			t.Fatalf("row %d: score %v, want a quarter of %v", i, got, s)
		}
	}
}

// TestTrim: the search sees the rows but the lightest, up to the share.
func TestTrim(t *testing.T) {
	st := &state{}
	weights := []float64{0.4, 0.02, 0.1, 0.02, 0.3, 0.06, 0.1}
	for _, c := range []struct {
		share float64
		want  []int32
	}{
		{0.01, []int32{0, 1, 2, 3, 4, 5, 6}},
		{0.03, []int32{0, 1, 2, 3, 4, 5, 6}}, // two of equal weight stay together
		{0.05, []int32{0, 2, 4, 5, 6}},
		{0.11, []int32{0, 2, 4, 6}},
		{0.25, []int32{0, 2, 4, 6}},
		{0.35, []int32{0, 4}},
	} {
		if got := st.trim(weights, c.share); !slices.Equal(got, c.want) {
			t.Errorf("share %v: rows %v, want %v", c.share, got, c.want)
		}
	}
}

// TestTrimIsNotTheEnd: trimmed rows are searched again before a run ends for
// lack of an edge.
func TestTrimIsNotTheEnd(t *testing.T) {
	d := &Data{Columns: [][]float64{{0, 0, 1}}, Labels: []int8{1, -1, -1}, Weights: []float64{0.45, 0.45, 0.1}}
	res := mustFit(t, d, &Real{}, &Stumps{}, &Settings{Rounds: 5, Trim: 0.2})
	if len(res.Model.Terms) == 0 || res.Model.Class([]float64{1}) != -1 {
		t.Errorf("status %v, %d terms: the light row was not learned", res.Status, len(res.Model.Terms))
	}
}

func TestPriorAndCost(t *testing.T) {
	d := mixture(300, 2)
	positives := func(s Settings) float64 {
		sum := 0.0
		for i, w := range baseWeights(d, &s) {
			if d.Labels[i] > 0 {
				sum += w
			}
		}
		return sum
	}
	if p := positives(Settings{Prior: 0.2, Cost: 1}); math.Abs(p-0.2) > 1e-12 {
		t.Errorf("prior 0.2: positive rows weigh %v", p)
	}
	if p := positives(Settings{Prior: 0.2, Cost: 4}); math.Abs(p-0.5) > 1e-12 {
		t.Errorf("prior 0.2, cost 4: positive rows weigh %v, want 0.8/(0.8+0.8)", p)
	}
	// The higher the cost of a miss, the fewer there are.
	rate := func(s *Settings) (missed, alarms float64) {
		m := mustFit(t, d, &Real{}, &Stumps{}, s).Model
		for i, v := range must.Get(m.Scores(d)) {
			if d.Labels[i] > 0 && v < 0 {
				missed++
			}
			if d.Labels[i] < 0 && v >= 0 {
				alarms++
			}
		}
		return missed, alarms
	}
	m0, a0 := rate(&Settings{Rounds: 10})
	if m1, a1 := rate(&Settings{Rounds: 10, Cost: 20}); !(m1 < m0 && a1 > a0) {
		t.Errorf("%v missed and %v alarms at cost 20, %v and %v at cost 1", m1, a1, m0, a0)
	}
}

// TestColumnShare: each round chooses from as many columns as it should, the
// seed decides which.
func TestColumnShare(t *testing.T) {
	st := &state{Model: &Model{Columns: 40}, settings: Settings{ColumnShare: 0.25, Seed: 9}}
	count := make([]int, 40)
	for st.Rounds = range 400 {
		cols := st.drawColumns()
		if len(cols) != 10 || !slices.IsSorted(cols) {
			t.Fatalf("drew %v", cols)
		}
		for _, j := range cols {
			count[j]++
		}
	}
	for j, n := range count {
		if n < 60 || n > 140 { // 100 expected, deviation 8.7
			t.Errorf("column %d was drawn %d times of 400", j, n)
		}
	}
}

// TestScoresContinue: a run that starts from the scores of another goes on
// where it ended.
func TestScoresContinue(t *testing.T) {
	d := mixture(200, 5)
	for _, b := range []Booster{&Gentle{}, &Discrete{}, &Discrete{Friedman: true}, &Real{}, &RealNumeric{}, &LogitBoost{}, &ULS{}, &WeightBoost{}, &Epsilon{}} {
		whole := mustFit(t, d, b, &Stumps{}, &Settings{Rounds: 20})
		first := mustFit(t, d, b, &Stumps{}, &Settings{Rounds: 8})
		run := finish(must.Get(Start(&Problem{Data: d, Scores: must.Get(first.Model.Scores(d))}, b, &Stumps{}, &Settings{Rounds: 12})))
		near(t, b.Name(), run.st.Scores, must.Get(whole.Model.Scores(d)), 1e-6)
		if got, want := run.Result().Bound, whole.Bound; math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s: bound %v, want %v", b.Name(), got, want)
		}
	}
}

func TestBadSettings(t *testing.T) {
	d := mixture(20, 6)
	for _, s := range []*Settings{
		{Rounds: -1}, {Shrinkage: 2}, {Shrinkage: math.NaN()}, {Trim: 1}, {Trim: -0.1}, {ColumnShare: 1.1}, {Prior: 1},
		{Cost: -1}, {Cost: math.Inf(1)}, {Patience: -1}, {Workers: -2}, {Validation: &Data{}},
		{Validation: &Data{Columns: [][]float64{{1}}, Labels: []int8{1}}},
	} {
		refuses(t, s, ErrSettings, d, &Real{}, &Stumps{}, s)
	}
	for _, b := range []Booster{&LogitBoost{Clip: -1}, &BrownBoost{Error: 1}, &Star{Nu: 2}, &Marginal{Nu: -1}, &Real{Smooth: -1},
		&WeightBoost{Beta: -1}, &Epsilon{Step: math.NaN()}, &Decay{C: -1}, &Filtering{Depth: 9}, &Filtering{Sample: -1}, &KL{Smooth: 2},
		&AdaBoostR{Leaf: Leaf{Kind: 9}}} {
		refuses(t, b, ErrSettings, d, b, &Stumps{}, nil)
	}
	for _, l := range []Learner{&Stumps{Bins: 1}, &Stumps{Bins: 257}, &Histograms{Bins: 1}, &Trees{Leaves: 1}, &Trees{Depth: -1},
		&Monomials{Length: -1}, &Joints{Group: 9, Bins: 60}, &LinearTrees{Leaves: 1}, Functions{}} {
		refuses(t, l, ErrSettings, d, &Real{}, l, nil)
	}
	refuses(t, "discrete with coordinates", ErrSettings, d, &Discrete{}, Coordinates{}, nil)
}

func TestBadData(t *testing.T) {
	for name, d := range map[string]*Data{
		"nil":             nil,
		"empty":           {},
		"no columns":      {Labels: []int8{1}},
		"label 0":         {Labels: []int8{0}, Columns: [][]float64{{1}}},
		"short column":    {Labels: []int8{1, -1}, Columns: [][]float64{{1}}},
		"infinite":        {Labels: []int8{1}, Columns: [][]float64{{math.Inf(1)}}},
		"names":           {Labels: []int8{1}, Columns: [][]float64{{1}}, Schema: Schema{Names: []string{"a", "b"}}},
		"few weights":     {Labels: []int8{1, 1}, Columns: [][]float64{{1, 2}}, Weights: []float64{1}},
		"negative":        {Labels: []int8{1}, Columns: [][]float64{{1}}, Weights: []float64{-1}},
		"NaN weight":      {Labels: []int8{1}, Columns: [][]float64{{1}}, Weights: []float64{math.NaN()}},
		"all weights 0":   {Labels: []int8{1}, Columns: [][]float64{{1}}, Weights: []float64{0}},
		"infinite weight": {Labels: []int8{1}, Columns: [][]float64{{1}}, Weights: []float64{math.Inf(1)}},
	} {
		refuses(t, name, ErrData, d, &Real{}, &Stumps{}, nil)
	}
}

// TestRecorderEndsTheRun: its error comes back, with the rounds so far.
func TestRecorderEndsTheRun(t *testing.T) {
	enough := errors.New("enough")
	res, err := Fit(context.Background(), mixture(100, 7), &Real{}, &Stumps{}, &Settings{Recorder: func(r *Round) error {
		if r.Number == 4 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || res.Rounds != 4 || len(res.Model.Terms) != 4 || res.Status != Stopped {
		t.Errorf("error %v, result %+v", err, res)
	}
}

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
	d := rings(120, 3, 7)
	for _, b := range []MultiBooster{&Softmax{}, &LogitBoostK{}, &AdaBoostMH{}, SAMME{}, &OneVsRest{}} {
		var rounds []int
		for _, workers := range []int{1, 2} {
			res := mustFitMulti(t, d, b, &Trees{}, &Settings{Rounds: 60, Shrinkage: 0.5, Patience: 10, Seed: 2, Workers: workers})
			fixed := mustFitMulti(t, d, b, &Trees{}, &Settings{Rounds: res.Rounds, Shrinkage: 0.5, Seed: 2})
			if saved(t, res.Model) != saved(t, fixed.Model) {
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
		refuses(t, name, ErrSettings, d, &Newton{}, &Trees{}, &Settings{Patience: 3})
	}
	same := mixture(50, 1)
	for i := range same.Labels {
		same.Labels[i] = 1
	}
	refuses(t, "AUC of one class", ErrSettings, same, &Newton{}, &Trees{}, &Settings{Patience: 3, Metric: &AUC})
	if _, err := Start(&Problem{Data: mixture(50, 1)}, &Newton{}, &Trees{}, &Settings{Patience: 3}); !errors.Is(err, ErrSettings) {
		t.Errorf("Start: error %v, want ErrSettings", err)
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
		rounds = must.Get(FitMulti(context.Background(), asSeveral(d), &Softmax{}, &Trees{}, s)).Rounds
	}
	seen = nil
	must.Get(CrossValidate(context.Background(), d, &Newton{}, &Stumps{}, s, &CrossValidation{Folds: 3}))
	if want := [][2]int{{1, 3}, {2, 3}, {3, 3}}; !slices.Equal(seen, want) {
		t.Errorf("progress %v, want %v", seen, want)
	}
}

// TestBoundAfterRestart: the bound is one on the present model, not on removed
// terms.
func TestBoundAfterRestart(t *testing.T) {
	for _, c := range []struct {
		b Booster
		l Learner
	}{
		{&Marginal{}, &Trees{}}, {&Marginal{}, &Stumps{}}, {&Marginal{Nu: 0.2}, &Trees{Leaves: 4}},
		{&Star{}, &Trees{}}, {&Float{Relearn: true}, &Stumps{}},
	} {
		for _, scores := range []bool{false, true} {
			d := mixture(300, 1)
			p := &Problem{Data: d}
			if scores { // where other stages have left the scores
				p.Scores = make([]float64, d.Rows())
				for i, v := range d.Columns[0] {
					p.Scores[i] = max(-1, min(1, v))
				}
			}
			run := must.Get(Start(p, c.b, c.l, &Settings{Rounds: 60, Seed: 1}))
			for run.Status() == Going {
				r := must.Get(run.Next(context.Background()))
				if !(r.TrainError <= r.Bound+1e-9) {
					t.Errorf("%s+%s, scores %v, round %d: bound %v, training error %v", c.b.Name(), c.l.Name(), scores, r.Number, r.Bound, r.TrainError)
					break
				}
			}
		}
	}
}

// TestShrinkageGoesOn: a weak learner without error does not end a run with
// small steps or sampled columns, which are meant to spread the work over many
// weak learners.
func TestShrinkageGoesOn(t *testing.T) {
	d := mixture(60, 1)
	deep := &Trees{Leaves: 60}
	for _, b := range []Booster{
		&Discrete{}, &Discrete{Friedman: true}, &Real{}, &RealNumeric{}, &AdaBoostR{}, &Gentle{},
		&ULS{}, &WeightBoost{}, &Epsilon{}, &Decay{}, &Float{}, &BrownBoost{},
	} {
		whole := mustFit(t, d, b, deep, &Settings{Rounds: 20})
		if b.Name() != "epsilon" && (whole.Status != Separated || whole.Rounds != 1) {
			t.Errorf("%s: %v after %d rounds with whole steps, want separated after one", b.Name(), whole.Status, whole.Rounds)
		}
		if b.Name() == "brown" { // one weak learner without error takes all its time
			continue
		}
		for _, s := range []Settings{{Shrinkage: 0.1}, {ColumnShare: 0.4}, {Shrinkage: 0.1, ColumnShare: 0.4}} {
			s.Rounds, s.Seed = 20, 1
			if res := mustFit(t, d, b, deep, &s); res.Status == Separated || res.Rounds == 1 {
				t.Errorf("%s, shrinkage %v, columns %v: %v after %d rounds", b.Name(), s.Shrinkage, s.ColumnShare, res.Status, res.Rounds)
			}
		}
	}
}
