package boost_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/boost/boosttest"
	"haarlem/internal/must"
)

// methods are all boosters of the package, each with weak learners that suit
// it. A booster is not finished before it stands here.
var methods = []method{
	{Booster: &boost.Discrete{}, Learner: &boost.Stumps{}},
	{Booster: &boost.Discrete{}, Learner: boost.SortedStumps{}},
	{Booster: &boost.Discrete{}, Learner: &boost.Trees{}},
	{Booster: &boost.Discrete{}, Learner: &boost.Trees{Criterion: boost.GainRatio, Depth: 2}},
	{Booster: &boost.Discrete{}, Learner: &boost.Monomials{}},
	{Booster: &boost.Discrete{}, Learner: &boost.LinearTrees{}},
	{Name: "discrete/lineartrees-matsushita", Booster: &boost.Discrete{}, Learner: &boost.LinearTrees{Loss: boost.MatsushitaLoss}},
	{Booster: &boost.Discrete{}, Learner: &boost.ObliqueTrees{}},
	{Name: "discrete-friedman/stumps", Booster: &boost.Discrete{Friedman: true}, Learner: &boost.Stumps{}, Rises: true},
	{Booster: &boost.Real{}, Learner: &boost.Stumps{}, WeakBound: true},
	{Booster: &boost.Real{}, Learner: &boost.Histograms{}, RunsOn: true, WeakBound: true},
	{Booster: &boost.Real{}, Learner: &boost.Joints{Bins: 8}, RunsOn: true, WeakBound: true},
	{Booster: &boost.Real{}, Learner: &boost.Trees{Leaves: 4}, WeakBound: true},
	{Booster: &boost.RealNumeric{}, Learner: &boost.Stumps{}},
	{Booster: &boost.RealNumeric{}, Learner: &boost.Monomials{}},
	{Booster: &boost.RealNumeric{}, Learner: boost.Coordinates{}},
	{Booster: &boost.AdaBoostR{}, Learner: &boost.Stumps{}},
	{Booster: &boost.AdaBoostR{}, Learner: &boost.Monomials{}},
	{Booster: &boost.AdaBoostR{}, Learner: &boost.Trees{}},
	{Name: "adaboostr-logit/stumps", Booster: &boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}, Learner: &boost.Stumps{}},
	{Name: "adaboostr-logit/monomials", Booster: &boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}, Learner: &boost.Monomials{}},
	{Name: "adaboostr-logit/trees", Booster: &boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}, Learner: &boost.Trees{}},
	{Booster: &boost.Gentle{}, Learner: &boost.Stumps{}, WeakBound: true},
	{Booster: &boost.Gentle{}, Learner: &boost.Trees{}, WeakBound: true},
	{Booster: &boost.Gentle{}, Learner: &boost.Histograms{}, RunsOn: true, WeakBound: true},
	{Booster: &boost.LogitBoost{}, Learner: &boost.Stumps{}, Unbounded: true, Rises: true},
	{Booster: &boost.LogitBoost{}, Learner: &boost.Trees{}, Unbounded: true, Rises: true},
	{Booster: &boost.Newton{}, Learner: &boost.Stumps{}, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Booster: &boost.Newton{}, Learner: &boost.Trees{}, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Booster: &boost.Cyclic{}, Learner: &boost.Stumps{}, Unbounded: true, Rises: true, RunsOn: true, Curved: true, Ties: true},
	{Name: "newton-exponential/trees", Booster: &boost.Newton{Loss: boost.ExponentialLoss}, Learner: &boost.Trees{Depth: 3}, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Name: "newton-matsushita/trees", Booster: &boost.Newton{Loss: boost.MatsushitaLoss}, Learner: &boost.Trees{Depth: 3}, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Name: "newton-hinge/trees", Booster: &boost.Newton{Loss: boost.HingeLoss(0)}, Learner: &boost.Trees{Depth: 3}, Ties: true, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Name: "newton-hinge-smooth/trees", Booster: &boost.Newton{Loss: boost.HingeLoss(1)}, Learner: &boost.Trees{Depth: 3}, Ties: true, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Booster: &boost.Float{}, Learner: &boost.Stumps{}, Rises: true, WeakBound: true},
	{Booster: &boost.Float{Real: true, ByLoss: true}, Learner: &boost.Histograms{Bins: 8}, Rises: true, WeakBound: true, RunsOn: true},
	{Name: "float-relearn/stumps", Booster: &boost.Float{Relearn: true}, Learner: &boost.Stumps{}, Rises: true, WeakBound: true},
	{Booster: &boost.KL{}, Learner: &boost.Histograms{}, WeakBound: true, RunsOn: true},
	{Booster: &boost.Discrete{}, Learner: boost.Categories{}, Recode: boosttest.Scrambled},
	{Booster: &boost.Real{}, Learner: boost.Categories{}, Recode: boosttest.Scrambled, WeakBound: true},
	{Booster: &boost.Gentle{}, Learner: boost.Categories{}, Recode: boosttest.Scrambled, WeakBound: true},
	{Booster: &boost.LogitBoost{}, Learner: boost.Categories{}, Recode: boosttest.Scrambled, Unbounded: true, Rises: true},
	{Booster: &boost.Star{}, Learner: &boost.Stumps{}, Rises: true, WeakBound: true},
	{Booster: &boost.Marginal{}, Learner: &boost.Stumps{}, Rises: true, WeakBound: true, Worst: 0.4},
	{Booster: &boost.WeightBoost{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Booster: &boost.Epsilon{}, Learner: &boost.Stumps{}, WeakBound: true},
	{Booster: &boost.Decay{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Booster: &boost.BrownBoost{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-logistic/stumps", Booster: &boost.ULS{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-squared/stumps", Booster: &boost.ULS{Loss: boost.SquaredLoss}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-matsushita/stumps", Booster: &boost.ULS{Loss: boost.MatsushitaLoss}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-closed/stumps", Booster: &boost.ULS{ClosedForm: true}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-corrective/stumps", Booster: &boost.ULS{Corrective: true}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-corrective-matsushita/stumps", Booster: &boost.ULS{Loss: boost.MatsushitaLoss, Corrective: true}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls/coordinates", Booster: &boost.ULS{}, Learner: boost.Coordinates{}, Rises: true, Unbounded: true},
	{Booster: &boost.Bagging{}, Learner: &boost.Trees{}, Rises: true, Unbounded: true, Draws: true, RunsOn: true, EdgeByChance: true},
	{Booster: &boost.Discrete{}, Learner: &boost.Boosted{}},
	{Name: "discrete/boosted-trees", Booster: &boost.Discrete{}, Learner: &boost.Boosted{Booster: &boost.Gentle{}, Learner: &boost.Trees{Leaves: 3}, Rounds: 3}, WeakBound: true},
	{Booster: &boost.Filtering{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true, Draws: true},
}

// With -short, as under CI's emulators and race detector, each kind of weak
// learner has one booster: the learners do the work and start the goroutines,
// and TestBits holds that all methods do there what they do here.
func TestConformance(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range methods {
		if learner := fmt.Sprintf("%T", m.Learner); !testing.Short() || !seen[learner] {
			seen[learner] = true
			conform(t, m)
		}
	}
}

// A method is a booster with weak learners, and its exemptions.
type method struct {
	Name    string // empty means the booster's and the learner's
	Booster boost.Booster
	Learner boost.Learner

	// Recode, if not nil, transforms the values of the problems, for learners
	// that do not accept any number.
	Recode func(v float64) float64

	// Rises says that the mean of exp(-y score) may rise from round to round.
	Rises bool
	// Unbounded says that the booster gives no bound on the training error.
	Unbounded bool
	// WeakBound says that the bound may be larger than exp(-sum edge^2 / 2).
	WeakBound bool
	// Draws says that rows are sampled at random, so that other orders of rows, and
	// rows in place of weights, give another model.
	Draws bool
	// Ties says that weights are few different numbers, so that splits tie and
	// the first column, or what sums are rounded to, decides.
	Ties bool
	// RunsOn says that the run need not end early on a separable problem.
	RunsOn bool
	// EdgeByChance says that the booster does not report a missing edge on a
	// hopeless problem; its scores must still be zero.
	EdgeByChance bool
	// Curved says that weights are curvatures of the loss, which sum to anything.
	Curved bool
	// Worst is the largest error allowed on new rows of Noisy, whose best
	// possible is 0.1. 0 means 0.3: forty rounds on 400 rows overfit.
	Worst float64
}

// conform makes the subtests that every method must pass.
func conform(t *testing.T, m method) {
	m.Worst = cmp.Or(m.Worst, 0.3)
	t.Run(m.name(), func(t *testing.T) {
		for _, c := range []struct {
			name string
			f    func(*testing.T, method)
		}{
			{"learns", learns}, {"loss", loss}, {"weights", weights}, {"bound", bound},
			{"duplicates", duplicates}, {"flip", flip}, {"columns", columns}, {"rows", rowOrder},
			{"workers", workers}, {"separable", separable}, {"hopeless", hopeless}, {"oneclass", oneClass},
			{"extreme", extreme}, {"resume", resume}, {"file", file}, {"scores", scores}, {"missing", missing},
			{"cancel", cancel}, {"options", options},
		} {
			t.Run(c.name, func(t *testing.T) { c.f(t, m) })
		}
	})
}

func (m *method) name() string { return cmp.Or(m.Name, m.Booster.Name()+"/"+m.Learner.Name()) }

func fit(t *testing.T, m method, d *boost.Data, s boost.Settings) *boost.Result {
	t.Helper()
	if s.Rounds == 0 {
		s.Rounds = 15
	}
	if s.Seed == 0 {
		s.Seed = 7
	}
	r := must.Get(boost.Fit(context.Background(), d, m.Booster, m.Learner, &s))
	for i, v := range must.Get(r.Model.Scores(d)) {
		if v-v != 0 {
			t.Fatalf("score %v of row %d is not finite", v, i)
		}
	}
	return r
}

// on is a problem in a form that the method accepts.
func (m *method) on(d *boost.Data) *boost.Data {
	if m.Recode == nil {
		return d
	}
	for _, c := range d.Columns {
		for i, v := range c {
			if v == v {
				c[i] = m.Recode(v)
			}
		}
	}
	return d
}

// same reports scores that differ by more than rounding.
func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-6*(1+math.Abs(want[i])) {
			t.Fatalf("%s: score %v of row %d, want %v", what, got[i], i, want[i])
		}
	}
}

func learns(t *testing.T, m method) {
	r := fit(t, m, m.on(boosttest.Noisy(400, 1)), boost.Settings{Rounds: 40})
	if e := must.Get(r.Model.Error(m.on(boosttest.Noisy(4000, 2)))); e > m.Worst {
		t.Errorf("error %.3f on new rows, want at most %.3f", e, m.Worst)
	}
	if len(r.Model.Terms) == 0 {
		t.Error("no terms")
	}
}

func loss(t *testing.T, m method) {
	if m.Rises {
		t.Skip("the exponential loss may rise")
	}
	d := m.on(boosttest.Noisy(300, 3))
	r := fit(t, m, d, boost.Settings{Rounds: 30})
	before := math.Inf(1)
	for terms := range len(r.Model.Terms) + 1 {
		sum, total := 0.0, 0.0
		for i, s := range must.Get(r.Model.Truncate(terms).Scores(d)) {
			sum += d.Weights[i] * math.Exp(-float64(d.Labels[i])*s)
			total += d.Weights[i]
		}
		if sum /= total; sum > before*(1+1e-12) {
			t.Errorf("exponential loss %v after %d terms, %v before", sum, terms, before)
		} else {
			before = sum
		}
	}
}

func weights(t *testing.T, m method) {
	run := must.Get(boost.Start(&boost.Problem{Data: m.on(boosttest.Noisy(200, 4))}, m.Booster, m.Learner, &boost.Settings{Rounds: 25, Seed: 1}))
	for run.Status() == boost.Going {
		sum := 0.0
		for i, w := range boost.WeightsOf(run) {
			if !(w >= 0) {
				t.Fatalf("round %d: weight %v of row %d", run.Result().Rounds, w, i)
			}
			sum += w
		}
		if !m.Curved && math.Abs(sum-1) > 1e-9 || !(sum > 0) {
			t.Fatalf("round %d: weights sum to %v", run.Result().Rounds, sum)
		}
		must.Get(run.Next(context.Background()))
	}
}

func bound(t *testing.T, m method) {
	if m.Unbounded {
		t.Skip("no bound")
	}
	for _, d := range []*boost.Data{m.on(boosttest.Noisy(200, 5)), m.on(boosttest.Separable(200, 5)), m.on(boosttest.WithMissing(200, 5))} {
		squares := 0.0
		fit(t, m, d, boost.Settings{Rounds: 20, Recorder: func(r *boost.Round) error {
			if r.Weak == nil {
				return nil
			}
			squares += r.Edge * r.Edge
			if !(r.TrainError <= r.Bound+1e-9) {
				t.Errorf("round %d: training error %v is above the bound %v", r.Number, r.TrainError, r.Bound)
			}
			if top := math.Exp(-squares / 2); !m.WeakBound && !(r.Bound <= top+1e-9) {
				t.Errorf("round %d: bound %v is above exp(-2 sum gamma^2) = %v", r.Number, r.Bound, top)
			}
			return nil
		}})
	}
}

func duplicates(t *testing.T, m method) {
	if m.Draws || m.Ties {
		t.Skip("rows are drawn, or splits tie")
	}
	d := m.on(boosttest.Noisy(150, 6))
	weighted, repeated := *d, []int{}
	weighted.Weights = make([]float64, d.Rows())
	r := rand.New(rand.NewPCG(6, 6))
	for i := range d.Rows() {
		k := r.IntN(4)
		weighted.Weights[i] = float64(k)
		for range k {
			repeated = append(repeated, i)
		}
	}
	twice := weighted.Subset(repeated)
	twice.Weights = nil
	a, b := fit(t, m, &weighted, boost.Settings{}), fit(t, m, twice, boost.Settings{})
	// Rows of weight zero affect the bins, so only rows with weight must agree.
	same(t, "repeated rows", must.Get(b.Model.Scores(twice)), must.Get(a.Model.Scores(twice)))
}

func flip(t *testing.T, m method) {
	for _, d := range []*boost.Data{m.on(boosttest.Noisy(250, 7)), m.on(boosttest.Tied(97, 7))} {
		a, b := fit(t, m, d, boost.Settings{}), fit(t, m, boosttest.Flipped(d), boost.Settings{})
		want := must.Get(a.Model.Scores(d))
		for i := range want {
			want[i] = -want[i]
		}
		same(t, "other labels", must.Get(b.Model.Scores(d)), want)
	}
}

func columns(t *testing.T, m method) {
	if m.Draws || m.Ties {
		t.Skip("rows that are drawn as often weigh the same, and of columns that are as good the first wins")
	}
	d := m.on(boosttest.Noisy(120, 8))
	p := boosttest.Permuted(d, []int{4, 2, 0, 5, 1, 3})
	a, b := fit(t, m, d, boost.Settings{}), fit(t, m, p, boost.Settings{})
	same(t, "columns in another order", must.Get(b.Model.Scores(p)), must.Get(a.Model.Scores(d)))
}

func rowOrder(t *testing.T, m method) {
	if m.Draws {
		t.Skip("rows are drawn")
	}
	d := m.on(boosttest.Noisy(120, 9))
	order := rand.New(rand.NewPCG(9, 9)).Perm(d.Rows())
	a, b := fit(t, m, d, boost.Settings{}), fit(t, m, d.Subset(order), boost.Settings{})
	same(t, "rows in another order", must.Get(b.Model.Scores(d)), must.Get(a.Model.Scores(d)))
}

// text is a model, or a checkpoint, as a file.
func text(m interface{ Save(w io.Writer) error }) string {
	return string(must.Bytes(m.Save))
}

func workers(t *testing.T, m method) {
	d := m.on(boosttest.WithMissing(2800, 10)) // enough for several workers
	want := ""
	for _, w := range []int{1, 2, 5} {
		got := text(fit(t, m, d, boost.Settings{Rounds: 2, Workers: w}).Model)
		if want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d workers make another model", w)
		}
	}
}

func separable(t *testing.T, m method) {
	d := m.on(boosttest.Separable(200, 11))
	r := fit(t, m, d, boost.Settings{Rounds: 200})
	if e := must.Get(r.Model.Error(d)); e != 0 {
		t.Errorf("training error %v on a separable problem, want 0", e)
	}
	if !m.RunsOn && r.Status == boost.RoundsDone {
		t.Errorf("the run took all %d rounds, want an early end", r.Rounds)
	}
}

func hopeless(t *testing.T, m method) {
	d := m.on(boosttest.Hopeless(60))
	r := fit(t, m, d, boost.Settings{})
	if !m.EdgeByChance && (r.Status != boost.NoEdge || len(r.Model.Terms) != 0) {
		t.Errorf("status %v with %d terms, want no edge and none", r.Status, len(r.Model.Terms))
	}
	if !m.Draws {
		for i, s := range must.Get(r.Model.Scores(d)) {
			if math.Abs(s) > 1e-6 {
				t.Fatalf("score %v of row %d, want 0", s, i)
			}
		}
	}
}

func oneClass(t *testing.T, m method) {
	for _, y := range []int8{-1, 1} {
		d := m.on(boosttest.Noisy(50, 12))
		for i := range d.Labels {
			d.Labels[i] = y
		}
		if e := must.Get(fit(t, m, d, boost.Settings{}).Model.Error(d)); e != 0 {
			t.Errorf("error %v where all rows are of class %d", e, y)
		}
	}
}

func extreme(t *testing.T, m method) {
	d := m.on(boosttest.Extreme(200, 13))
	r := fit(t, m, d, boost.Settings{Rounds: 20})
	if e := must.Get(r.Model.Error(d)); !(e < 0.35) {
		t.Errorf("weighted error %v with weights from 1e-300 to 1e300", e)
	}
}

func resume(t *testing.T, m method) {
	d, v := m.on(boosttest.Noisy(200, 14)), m.on(boosttest.Noisy(100, 15))
	s := boost.Settings{Rounds: 7, Seed: 3, Validation: v, ColumnShare: 0.7, Shrinkage: 0.8}
	ctx := context.Background()
	whole := must.Get(boost.Fit(ctx, d, m.Booster, m.Learner, &s))
	run := must.Get(boost.Start(&boost.Problem{Data: d}, m.Booster, m.Learner, &s))
	for run.Status() == boost.Going {
		must.Get(run.Next(ctx))
		if run.Status() != boost.Going {
			break
		}
		c := must.Get(boost.LoadCheckpoint(strings.NewReader(text(run.Checkpoint()))))
		run = must.Get(boost.Resume(&boost.Problem{Data: d}, m.Booster, m.Learner, &s, c))
	}
	if text(run.Result().Model) != text(whole.Model) {
		t.Error("a run that was interrupted after every round makes another model")
	}
	if run.Result().Status != whole.Status || run.Result().Rounds != whole.Rounds {
		t.Errorf("it ended %v after %d rounds, want %v after %d", run.Result().Status, run.Result().Rounds, whole.Status, whole.Rounds)
	}
}

func file(t *testing.T, m method) {
	d := m.on(boosttest.WithMissing(200, 16))
	model := fit(t, m, d, boost.Settings{}).Model
	first := text(model)
	read := must.Get(boost.Load(strings.NewReader(first)))
	if !slices.Equal(must.Get(read.Scores(d)), must.Get(model.Scores(d))) {
		t.Error("the model that was read back has other scores")
	}
	if text(read) != first {
		t.Error("the model that was read back is saved as another text")
	}
}

func scores(t *testing.T, m method) {
	d := m.on(boosttest.WithMissing(200, 17))
	run := must.Get(boost.Start(&boost.Problem{Data: d}, m.Booster, m.Learner, &boost.Settings{Rounds: 6, Seed: 2}))
	for run.Status() == boost.Going {
		must.Get(run.Next(context.Background()))
	}
	model := run.Result().Model
	same(t, "the run's scores against the model's", run.Scores(), must.Get(model.Scores(d)))
}

func missing(t *testing.T, m method) {
	r := fit(t, m, m.on(boosttest.WithMissing(600, 18)), boost.Settings{Rounds: 30})
	if e := must.Get(r.Model.Error(m.on(boosttest.WithMissing(1500, 19)))); e > m.Worst+0.12 {
		t.Errorf("error %.3f with a fifth of the values missing, want at most %.3f", e, m.Worst+0.12)
	}
}

func cancel(t *testing.T, m method) {
	ctx, stop := context.WithCancel(context.Background())
	s := &boost.Settings{Rounds: 50, Recorder: func(r *boost.Round) error {
		if r.Number == 2 {
			stop()
		}
		return nil
	}}
	r, err := boost.Fit(ctx, m.on(boosttest.Noisy(200, 20)), m.Booster, m.Learner, s)
	if !errors.Is(err, context.Canceled) && r.Rounds > 2 {
		t.Errorf("error %v after a cancelled run of %d rounds", err, r.Rounds)
	}
	if r == nil || r.Rounds == 0 {
		t.Error("no result of the rounds before")
	}
}

// options checks that the settings of the loop work with every booster.
func options(t *testing.T, m method) {
	d := m.on(boosttest.Noisy(150, 21))
	for _, s := range []boost.Settings{
		{Shrinkage: 0.3}, {Trim: 0.1}, {ColumnShare: 0.5}, {Prior: 0.5}, {Cost: 5},
		{Validation: m.on(boosttest.Noisy(100, 22)), Patience: 3},
	} {
		s.Rounds, s.Seed = 10, 5
		r := fit(t, m, d, s)
		if e := must.Get(r.Model.Error(d)); !(e < 0.45) {
			t.Errorf("%+v: training error %v", s, e)
		}
	}
}

var update = flag.Bool("update", false, "write testdata/bits.txt")

// TestBits: the same data, settings and seed make the same bytes on every
// architecture. The file has a hash of the model of each method of the
// conformance suite; to make it anew after a change that is meant to change models, run
//
//	go test ./boost -run TestBits -update
func TestBits(t *testing.T) {
	var lines []string
	for _, m := range methods {
		d := boosttest.WithMissing(300, 77)
		// Weights of few bits, so that the table itself is the same everywhere;
		// its values come from the normal generator, which uses no logarithms but
		// in the far tail.
		for i := range d.Weights {
			d.Weights[i] = float64(i%7 + 1)
		}
		d = m.on((&method{Recode: func(v float64) float64 { return float64(int(v*4096)) / 4096 }}).on(d))
		res := must.Get(boost.Fit(context.Background(), d, m.Booster, m.Learner, &boost.Settings{Rounds: 12, Seed: 3, Shrinkage: 0.9, Trim: 0.02}))
		lines = append(lines, fmt.Sprintf("%s %x", m.name(), sha256.Sum256([]byte(text(res.Model)))))
	}
	const file = "testdata/bits.txt"
	if *update {
		must.Do(os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666))
	}
	want := strings.Split(strings.TrimSpace(string(must.Get(os.ReadFile(file)))), "\n")
	if len(want) != len(lines) {
		t.Fatalf("%d methods, %s has %d", len(lines), file, len(want))
	}
	for k := range lines {
		if lines[k] != want[k] {
			t.Errorf("%s, want %s", lines[k], want[k])
		}
	}
}
