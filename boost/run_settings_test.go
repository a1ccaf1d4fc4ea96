package boost

import (
	"context"
	"errors"
	"math"
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
	// The higher the cost of a miss, the fewer there are; spread out or not.
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
	for _, spread := range []bool{false, true} {
		m1, a1 := rate(&Settings{Rounds: 10, Cost: 20, SpreadCost: spread})
		if !(m1 < m0 && a1 > a0) {
			t.Errorf("spread %v: %v missed and %v alarms at cost 20, %v and %v at cost 1", spread, m1, a1, m0, a0)
		}
	}
	// Spread out, the product of the factors is the cost.
	run, err := Start(&Problem{Data: d}, &Real{}, &Stumps{}, &Settings{Rounds: 10, Cost: 20, SpreadCost: true})
	if err != nil {
		t.Fatal(err)
	}
	for run.Status() == Going {
		if _, err := run.Next(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	var class [2]float64
	for i, w := range run.st.Base {
		class[(d.Labels[i]+1)/2] = w
	}
	if got := class[1] / class[0]; math.Abs(got-20) > 1e-9 {
		t.Errorf("after all rounds a positive row weighs %v times a negative one, want 20", got)
	}
}

// TestPatience: the model goes back to the round with the smallest error on
// the validation data, and the run ends that many rounds later.
func TestPatience(t *testing.T) {
	d, v := mixture(120, 3), mixture(400, 4)
	var errs []float64
	s := &Settings{Rounds: 500, Validation: v, Patience: 12, Recorder: func(r *Round) error {
		errs = append(errs, r.ValidError)
		return nil
	}}
	res := mustFit(t, d, &Real{}, &Trees{Leaves: 6}, s)
	if res.Status != Patience {
		t.Fatalf("status %v", res.Status)
	}
	best := slices.Index(errs, slices.Min(errs)) + 1
	if res.Rounds != best+12 || len(res.Model.Terms) != best {
		t.Errorf("%d rounds and %d terms, want %d and %d", res.Rounds, len(res.Model.Terms), best+12, best)
	}
	if e := must.Get(res.Model.Error(v)); e != errs[best-1] {
		t.Errorf("validation error %v, the recorder heard %v", e, errs[best-1])
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
		run, err := Start(&Problem{Data: d, Scores: must.Get(first.Model.Scores(d))}, b, &Stumps{}, &Settings{Rounds: 12})
		if err != nil {
			t.Fatal(err)
		}
		for run.Status() == Going {
			if _, err := run.Next(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		near(t, b.Name(), run.st.Scores, must.Get(whole.Model.Scores(d)), 1e-6)
		if got, want := run.Result().Bound, whole.Bound; math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s: bound %v, want %v", b.Name(), got, want)
		}
	}
}

func TestBadSettings(t *testing.T) {
	d := mixture(20, 6)
	ctx := context.Background()
	for _, s := range []*Settings{
		{Rounds: -1}, {Shrinkage: 2}, {Shrinkage: math.NaN()}, {Trim: 1}, {Trim: -0.1}, {ColumnShare: 1.1}, {Prior: 1},
		{Cost: -1}, {Cost: math.Inf(1)}, {Patience: -1}, {Workers: -2}, {Validation: &Data{}},
		{Validation: &Data{Columns: [][]float64{{1}}, Labels: []int8{1}}},
	} {
		if _, err := Fit(ctx, d, &Real{}, &Stumps{}, s); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v, want ErrSettings", s, err)
		}
	}
	for _, b := range []Booster{&LogitBoost{Clip: -1}, &BrownBoost{Error: 1}, &Star{Nu: 2}, &Marginal{Nu: -1}, &Real{Smooth: -1},
		&WeightBoost{Beta: -1}, &Epsilon{Step: math.NaN()}, &Decay{C: -1}, &Filtering{Depth: 9}, &Filtering{Sample: -1}, &KL{Smooth: 2},
		&AdaBoostR{Leaf: Leaf{Kind: 9}}} {
		if _, err := Fit(ctx, d, b, &Stumps{}, nil); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v, want ErrSettings", b, err)
		}
	}
	for _, l := range []Learner{&Stumps{Bins: 1}, &Stumps{Bins: 257}, &Histograms{Bins: 1}, &Trees{Leaves: 1}, &Trees{Depth: -1},
		&Monomials{Length: -1}, &Joints{Group: 9, Bins: 60}, &LinearTrees{Leaves: 1}, Functions{}} {
		if _, err := Fit(ctx, d, &Real{}, l, nil); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v, want ErrSettings", l, err)
		}
	}
	if _, err := Fit(ctx, d, &Discrete{}, Coordinates{}, nil); !errors.Is(err, ErrSettings) {
		t.Errorf("discrete with coordinates: error %v, want ErrSettings", err)
	}
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
		if _, err := Fit(context.Background(), d, &Real{}, &Stumps{}, nil); !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v, want ErrData", name, err)
		}
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
