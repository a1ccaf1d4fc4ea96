package compare

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"haarlem/boost"
	"haarlem/internal/boost/catalogue"
	"haarlem/internal/must"
)

func table(t testing.TB, recipe string) Table {
	t.Helper()
	r := must.Get(catalogue.ParseRecipe(recipe))
	return Table{recipe, must.Get(r.Table())}
}

func method(t testing.TB, text string) Method {
	t.Helper()
	return must.Get(ParseMethod(text, false))
}

func sample(t testing.TB) *Experiment {
	return &Experiment{
		Tables:  []Table{table(t, "twonorm:rows=120"), table(t, "monks1"), table(t, "balance:noise=0.1")},
		Methods: []Method{method(t, "discrete+stumps"), method(t, "gentle+stumps"), method(t, "adaboostr+stumps")},
		Rounds:  []int{2, 15}, Folds: 4, Repeats: 2, Seed: 3, Curves: true, Margins: []int{1, 10, 15},
	}
}

// written returns a report in a format.
func written(write func(io.Writer) error) string {
	var b strings.Builder
	must.Do(write(&b))
	return b.String()
}

// The report is the same bytes for any number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	want := ""
	var margins [][]float64
	for _, workers := range []int{1, 2, 7, 1000} {
		e := sample(t)
		e.Workers = workers
		calls := 0
		e.Progress = func(done, total int) {
			calls++
			if done != calls || total != 3*3*8 {
				t.Errorf("progress %d of %d in call %d", done, total, calls)
			}
		}
		r := must.Get(e.Run(context.Background()))
		if calls != 72 {
			t.Errorf("%d calls of Progress, want 72", calls)
		}
		r.ForgetTimes()
		got := written(r.WriteText) + written(r.WriteCSV) + written(r.WriteJSON)
		if want == "" {
			want, margins = got, r.Cells[0][0].TestMargins
			continue
		}
		if got != want {
			t.Errorf("%d workers give another report", workers)
		}
		if !slices.EqualFunc(margins, r.Cells[0][0].TestMargins, slices.Equal) {
			t.Errorf("%d workers give other margins", workers)
		}
	}
}

// The report equals boosting fold by fold.
func TestErrorsAreThoseOfBoosting(t *testing.T) {
	e := sample(t)
	e.Repeats = 1
	r := must.Get(e.Run(context.Background()))
	for ti, tab := range e.Tables {
		folds := must.Get(foldsOf(tab.Data, 4, 3))
		data := Indicators(tab.Data)
		for mi, m := range e.Methods {
			c := &r.Cells[ti][mi]
			for f := range 4 {
				train, test := split(folds, f)
				res := must.Get(boost.Fit(t.Context(), data.Subset(train), m.Booster, m.Learner, &boost.Settings{Rounds: 15, Seed: 3 + uint64(f)}))
				if got, want := c.At[1].Errors[f], must.Get(res.Model.Error(data.Subset(test))); got != want {
					t.Errorf("%s on %s, fold %d: error %v, want %v", m.Name, tab.Name, f, got, want)
				}
				var staged []float64
				for n := range len(res.Model.Terms) + 1 {
					staged = append(staged, must.Get(res.Model.Truncate(n).Error(data.Subset(test))))
				}
				if got, want := c.At[0].Errors[f], staged[min(2, len(staged)-1)]; got != want {
					t.Errorf("%s on %s, fold %d: error after two rounds %v, want %v", m.Name, tab.Name, f, got, want)
				}
			}
			for at, rounds := range r.Rounds {
				if got, want := c.TestCurve[rounds-1], c.At[at].Mean; math.Abs(got-want) > 1e-12 {
					t.Errorf("%s on %s: the curve says %v after %d rounds, the table %v", m.Name, tab.Name, got, rounds, want)
				}
				if got, want := c.TrainCurve[rounds-1], c.At[at].Train; math.Abs(got-want) > 1e-12 {
					t.Errorf("%s on %s: the training curve says %v after %d rounds, the table %v", m.Name, tab.Name, got, rounds, want)
				}
			}
		}
	}
}

// The share of margins below zero is the error, and no margin leaves -1 to 1.
func TestMargins(t *testing.T) {
	e := sample(t)
	e.Repeats = 1
	r := must.Get(e.Run(context.Background()))
	for ti, tab := range e.Tables {
		for mi := range e.Methods {
			c := &r.Cells[ti][mi]
			last := c.TestMargins[2]
			if len(last) != tab.Rows() || len(c.TrainMargins[2]) != 3*tab.Rows() {
				t.Fatalf("%d and %d margins for %d rows and 4 folds", len(last), len(c.TrainMargins[2]), tab.Rows())
			}
			if !slices.IsSorted(last) || last[0] < -1-1e-12 || last[len(last)-1] > 1+1e-12 {
				t.Errorf("%s on %s: margins from %v to %v, want them sorted in -1 to 1", r.Methods[mi], tab.Name, last[0], last[len(last)-1])
			}
			below, zero := 0, 0
			for _, m := range last {
				if m < 0 {
					below++
				}
				if m == 0 {
					zero++
				}
			}
			wrong := 0.0
			for f, err := range c.At[1].Errors {
				_, test := split(must.Get(foldsOf(tab.Data, 4, 3)), f)
				wrong += err * float64(len(test))
			}
			if w := int(math.Round(wrong)); w < below || w > below+zero {
				t.Errorf("%s on %s: %d rows are wrong, but %d margins are negative and %d zero", r.Methods[mi], tab.Name, w, below, zero)
			}
		}
	}
}

// A separable table ends early: both measurements are those of its last round.
func TestEarlyEnd(t *testing.T) {
	x := Table{"line", &boost.Data{Schema: boost.Schema{Names: []string{"x"}, Classes: []string{"a", "b"}}, Columns: [][]float64{nil}}}
	for i := range 40 {
		x.Columns[0] = append(x.Columns[0], float64(i))
		y := int8(-1)
		if i >= 20 {
			y = 1
		}
		x.Labels = append(x.Labels, y)
	}
	e := &Experiment{
		Tables: []Table{x}, Methods: []Method{method(t, "discrete+stumps")},
		Rounds: []int{5, 9}, Folds: 4, Curves: true, Margins: []int{3},
	}
	r := must.Get(e.Run(context.Background()))
	c := &r.Cells[0][0]
	if c.RoundsMade != 1 || c.At[0].Train != 0 || c.At[1].Train != 0 {
		t.Errorf("%v rounds, training errors %v and %v: want one round and none", c.RoundsMade, c.At[0].Train, c.At[1].Train)
	}
	if len(c.TestCurve) != 9 || c.TestCurve[0] != c.TestCurve[8] {
		t.Errorf("the curve %v is not drawn out", c.TestCurve)
	}
	if len(c.TestMargins) != 1 || len(c.TestMargins[0]) != 40 {
		t.Error("margins of a run that ended early are missing")
	}
}

func TestTrainAndTestRows(t *testing.T) {
	tab := table(t, "twonorm:rows=500")
	e := &Experiment{Tables: []Table{tab}, Methods: []Method{method(t, "gentle+stumps")}, Rounds: []int{20}, TrainRows: 200}
	r := must.Get(e.Run(context.Background()))
	if n := len(r.Cells[0][0].At[0].Errors); n != 1 || r.Folds != 0 {
		t.Errorf("%d errors and %d folds, want one error", n, r.Folds)
	}
	if s := written(r.WriteText); !strings.Contains(s, "first 200 rows") {
		t.Errorf("report:\n%s", s)
	}
}

func TestRanks(t *testing.T) {
	r := &Report{Methods: []string{"a", "b", "c"}, Rounds: []int{1}}
	for _, means := range [][3]float64{
		{0.1, 0.2, 0.3},         // a, b, c
		{0.2, 0.2, 0.3},         // a and b best, no second, c worst
		{0.3, 0.1, 0.3},         // b best, a and c share second and worst
		{0.2, 0.2, 0.2},         // all best, none worst
		{0.5, 0.4, 0.4 + 1e-15}, // b and c tie
	} {
		var row []Cell
		for _, m := range means {
			row = append(row, Cell{At: []Measurement{{Mean: m, Seconds: m / 10}}})
		}
		r.Cells = append(r.Cells, row)
	}
	want := []Ranks{
		{Method: "a", Best: 3, Second: 1, Worst: 2, Mean: (1 + 1.5 + 2.5 + 2 + 3) / 5, Error: 0.26, Seconds: 0.026},
		{Method: "b", Best: 4, Second: 1, Worst: 0, Mean: (2 + 1.5 + 1 + 2 + 1.5) / 5, Error: 0.22, Seconds: 0.022},
		{Method: "c", Best: 2, Second: 1, Worst: 3, Mean: (3 + 3 + 2.5 + 2 + 1.5) / 5, Error: 0.3, Seconds: 0.03},
	}
	for i, got := range r.Ranks(0) {
		w := want[i]
		if got.Best != w.Best || got.Second != w.Second || got.Worst != w.Worst || math.Abs(got.Mean-w.Mean) > 1e-12 ||
			math.Abs(got.Error-w.Error) > 1e-12 || math.Abs(got.Seconds-w.Seconds) > 1e-12 {
			t.Errorf("%+v, want %+v", got, w)
		}
	}
}

func TestMeanAndDeviation(t *testing.T) {
	for _, c := range []struct {
		v          []float64
		mean, want float64
	}{
		{[]float64{0.25}, 0.25, 0},
		{[]float64{0.1, 0.1, 0.1}, 0.1, 0},
		{[]float64{2, 4, 4, 4, 5, 5, 7, 9}, 5, math.Sqrt(32.0 / 7)},
	} {
		mean, deviation := MeanAndDeviation(c.v)
		if math.Abs(mean-c.mean) > 1e-15 || math.Abs(deviation-c.want) > 1e-15 {
			t.Errorf("%v: %v +- %v, want %v +- %v", c.v, mean, deviation, c.mean, c.want)
		}
	}
}

func TestFormats(t *testing.T) {
	r := must.Get(sample(t).Run(context.Background()))
	if lines := must.Get(csv.NewReader(strings.NewReader(written(r.WriteCSV))).ReadAll()); len(lines) != 1+3*3*2 {
		t.Errorf("%d lines of CSV, want 19", len(lines))
	}
	var back Report
	must.Do(json.Unmarshal([]byte(written(r.WriteJSON)), &back))
	if got, want := back.Cells[2][1].At[1].Mean, r.Cells[2][1].At[1].Mean; got != want || want == 0 {
		t.Errorf("error %v through JSON, want %v", got, want)
	}
	text := written(r.WriteText)
	for _, want := range []string{"After 2 rounds", "After 15 rounds", "balance:noise=0.1", "#best", "4-fold", "2 times"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Long names go to a list, so that the table stays readable.
func TestLongNamesAreNumbered(t *testing.T) {
	e := sample(t)
	e.Methods = append(e.Methods, method(t, "gentle+monomials(length=3,criterion=exponential)"))
	e.Rounds, e.Margins = []int{2}, nil
	r := must.Get(e.Run(context.Background()))
	text := written(r.WriteText)
	for _, want := range []string{"  (1): discrete+stumps\n", "  (4): gentle+monomials(length=3,criterion=exponential)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if lines := strings.Split(text, "\n"); strings.Contains(lines[7], "monomials") || !strings.Contains(lines[7], "(4)") {
		t.Errorf("the table's head is %q", lines[7])
	}
}

func TestBadExperiments(t *testing.T) {
	for want, spoil := range map[string]func(*Experiment){
		"no tables":          func(e *Experiment) { e.Tables = nil },
		"no methods":         func(e *Experiment) { e.Methods = nil },
		"rounds are [5 5]":   func(e *Experiment) { e.Rounds = []int{5, 5} },
		"rounds are [0]":     func(e *Experiment) { e.Rounds = []int{0} },
		"1 folds":            func(e *Experiment) { e.Folds = 1 },
		"-1 repeats":         func(e *Experiment) { e.Repeats = -1 },
		"TrainRows is -1":    func(e *Experiment) { e.TrainRows = -1 },
		"leave none":         func(e *Experiment) { e.Repeats, e.TrainRows = 1, 432 },
		"one split":          func(e *Experiment) { e.TrainRows = 20 },
		"-2 workers":         func(e *Experiment) { e.Workers = -2 },
		"margins are wanted": func(e *Experiment) { e.Margins = []int{16} },
		"empty or taken":     func(e *Experiment) { e.Methods[1].Name = e.Methods[0].Name },
		"lacks a booster":    func(e *Experiment) { e.Methods[1].Booster = nil },
		"two tables are":     func(e *Experiment) { e.Tables[1] = e.Tables[0] },
		"label 0 of row 0":   func(e *Experiment) { e.Tables[0].Labels[0] = 0 },
		"use fewer folds":    func(e *Experiment) { e.Folds = 100 },
	} {
		e := sample(t)
		spoil(e)
		if _, err := e.Run(context.Background()); !errors.Is(err, ErrExperiment) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Every booster of the registry runs in an experiment, and learns: the plane of
// twonorm is easy for all.
func TestEveryBoosterRuns(t *testing.T) {
	e := &Experiment{Tables: []Table{table(t, "twonorm:rows=200")}, Rounds: []int{5, 60}, Folds: 2, Margins: []int{60}}
	for _, b := range Boosters() {
		if b.Name != "lambdamart" && b.Name != "cox" && b.Name != "aft" { // of numbers
			e.Methods = append(e.Methods, method(t, b.Name+"+stumps"))
		}
	}
	r := must.Get(e.Run(context.Background()))
	for m, name := range r.Methods {
		c := &r.Cells[0][m]
		if got := c.At[1].Mean; got > 0.3 {
			t.Errorf("%s: error %.3f", name, got)
		}
		if margins := c.TrainMargins[0]; margins[0] < -1-1e-9 || margins[len(margins)-1] > 1+1e-9 {
			t.Errorf("%s: margins from %v to %v", name, margins[0], margins[len(margins)-1])
		}
	}
}

func TestErrorsOfRunsAndCancelling(t *testing.T) {
	e := sample(t)
	e.Methods[1].Settings.Trim = 7
	if _, err := e.Run(context.Background()); !errors.Is(err, boost.ErrSettings) || !strings.Contains(err.Error(), "gentle+stumps on ") {
		t.Errorf("error %v, want boosting's own with the method's and the table's name", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sample(t).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestParseMethod(t *testing.T) {
	for _, b := range Boosters() {
		for _, l := range Learners() {
			if m := method(t, b.Name+"+"+l.Name); m.Booster == nil || m.Learner == nil {
				t.Errorf("%s+%s lacks a part", b.Name, l.Name)
			}
		}
	}
	m := method(t, "real( smooth = 0.5 )+stumps(bins=16)")
	if m.Booster.(*boost.Real).Smooth != 0.5 || m.Learner.(*boost.Stumps).Bins != 16 {
		t.Errorf("settings were lost: %+v %+v", m.Booster, m.Learner)
	}
	if m := method(t, "adaboostr(leaf=mean)+stumps"); m.Booster.(*boost.AdaBoostR).Leaf.Kind != boost.Mean {
		t.Error("the leaf was lost")
	}
	if m := method(t, "gentle+monomials(length=3,criterion=exponential,binning=width)"); *m.Learner.(*boost.Monomials) !=
		(boost.Monomials{Length: 3, Criterion: boost.Exponential, Binning: boost.EqualWidth}) {
		t.Errorf("settings were lost: %+v", m.Learner)
	}
	if m := method(t, "uls(loss=matsushita,corrective=yes)+stumps"); *m.Booster.(*boost.ULS) != (boost.ULS{Loss: boost.MatsushitaLoss, Corrective: true}) {
		t.Errorf("settings were lost: %+v", m.Booster)
	}
	for text, want := range map[string]string{
		"discrete":                       "want BOOSTER+LEARNER",
		"nosuch+stumps":                  `no booster is called "nosuch"; there are discrete, real`,
		"discrete+nosuch":                `no learner is called "nosuch"; there are stumps, sortedstumps`,
		"gentle(rounds=3)+stumps":        "gentle has no settings",
		"discrete+coordinates(bins=3)":   "coordinates has no settings",
		"real(smooth=x)+stumps":          `smooth is "x", want a number`,
		"real(smooth=1+stumps":           "closing parenthesis",
		"float(real=1)+stumps":           `real is "1", want one of no, yes`,
		"real(smooth)+stumps":            "want KEY=VALUE",
		"real(smooth=1,smooth=2)+stumps": "each key once",
		"real(colour=1)+stumps":          `no setting is called "colour"; there are: smooth, criterion`,
		"discrete+stumps(bins=1.5)":      `bins is "1.5"`,
		"adaboostr(leaf=red)+stumps":     `leaf is "red", want one of default, majority`,
	} {
		if _, err := ParseMethod(text, false); !errors.Is(err, ErrExperiment) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// The text of any method is refused, or gives a complete method whose name
// parses to the same.
func FuzzParseMethod(f *testing.F) {
	f.Add("discrete+stumps")
	f.Add("uls(loss=matsushita,corrective=yes)+trees(leaves=8,criterion=gini)")
	f.Add("real( smooth = 1e-3 )+joints(group=2)")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMethod(text, false)
		if err != nil {
			return
		}
		if m.Booster == nil || m.Learner == nil || m.Name != text {
			t.Fatalf("%q made %+v", text, m)
		}
		must.Get(ParseMethod(m.Name, false))
	})
}

// TestOtherTargets: numbers are measured by the root of the mean squared error, and
// several classes by the error; the better method is first.
func TestOtherTargets(t *testing.T) {
	numbers, several := &boost.Data{Columns: make([][]float64, 2)}, &boost.Data{Columns: make([][]float64, 2)}
	several.Classes = []string{"a", "b", "c"}
	numbers.Names, several.Names = []string{"x", "z"}, []string{"x", "z"}
	for i := range 300 {
		x, z := float64(i*37%100)/10, float64(i*61%7)
		for _, d := range []*boost.Data{numbers, several} {
			d.Columns[0], d.Columns[1] = append(d.Columns[0], x), append(d.Columns[1], z)
		}
		numbers.Targets = append(numbers.Targets, x*z)
		several.Targets = append(several.Targets, float64(min(2, int(x*z/8))))
	}
	for _, c := range []struct {
		name    string
		data    *boost.Data
		methods []string // the better one first
	}{
		{"numbers", numbers, []string{"newton+trees(leaves=8)", "newton+stumps"}},
		{"several", several, []string{"softmax+trees(leaves=8)", "softmax+stumps"}},
	} {
		e := &Experiment{Tables: []Table{{c.name, c.data}}, Rounds: []int{5, 30}, Folds: 3, Workers: 1}
		for _, text := range c.methods {
			e.Methods = append(e.Methods, must.Get(ParseMethod(text, c.name == "several")))
		}
		r := must.Get(e.Run(context.Background()))
		good, bad := &r.Cells[0][0], &r.Cells[0][1]
		if len(good.At[1].Errors) != 3 || !(good.At[1].Mean < bad.At[1].Mean) || !(good.At[1].Mean < good.At[0].Mean) || r.Ranks(1)[0].Best != 1 {
			t.Errorf("%s: %+v, %+v", c.name, good.At, bad.At)
		}
		// The first fold once more, by hand.
		folds := must.Get(foldsOf(c.data, 3, e.Seed))
		train, test := split(folds, 0)
		settings, want := &boost.Settings{Rounds: 30, Workers: 1, Seed: e.Seed}, 0.0
		if c.name == "several" {
			res := must.Get(boost.FitMulti(context.Background(), c.data.Subset(train), e.Methods[0].Multi, e.Methods[0].Learner, settings))
			want = must.Get(res.Model.Error(c.data.Subset(test)))
		} else {
			res := must.Get(boost.Fit(context.Background(), c.data.Subset(train), e.Methods[0].Booster, e.Methods[0].Learner, settings))
			want = boost.RMSE.Value(must.Get(res.Model.Predict(c.data.Subset(test))))
		}
		if got := good.At[1].Errors[0]; got != want {
			t.Errorf("%s: the first fold has %v, by hand %v", c.name, got, want)
		}
		if first, _, _ := strings.Cut(written(r.WriteText), "\n"); strings.Contains(first, "mean squared") != (c.name == "numbers") {
			t.Errorf("%s: %s", c.name, first)
		}
		e.Margins = []int{5}
		if _, err := e.Run(context.Background()); !errors.Is(err, ErrExperiment) {
			t.Errorf("%s with margins: %v", c.name, err)
		}
		e.Margins, e.Tables = nil, append(e.Tables, Table{"two", table(t, "monks1").Data})
		if _, err := e.Run(context.Background()); !errors.Is(err, ErrExperiment) {
			t.Errorf("%s beside two classes: %v", c.name, err)
		}
	}
}

func TestFoldsAreStratified(t *testing.T) {
	tab := table(t, "balance-even")
	for _, k := range []int{2, 3, 10, 49} {
		folds := must.Get(foldsOf(tab.Data, k, 4))
		size, positives := make([]int, k), make([]int, k)
		for row, f := range folds {
			size[f]++
			if tab.Labels[row] > 0 {
				positives[f]++
			}
		}
		for f := range k {
			if size[f] < 625/k || size[f] > 625/k+1 || positives[f] < 49/k || positives[f] > 49/k+1 {
				t.Errorf("%d folds: fold %d has %d rows, %d positive", k, f, size[f], positives[f])
			}
			train, test := split(folds, f)
			if len(test) != size[f] || len(train)+len(test) != 625 {
				t.Errorf("%d folds: fold %d is split %d to %d", k, f, len(train), len(test))
			}
		}
		again, _ := foldsOf(tab.Data, k, 4)
		other, _ := foldsOf(tab.Data, k, 5)
		if !reflect.DeepEqual(again, folds) || reflect.DeepEqual(other, folds) {
			t.Errorf("%d folds: the seed does not decide", k)
		}
	}
	if _, err := foldsOf(tab.Data, 50, 0); err == nil {
		t.Error("50 folds of 49 positives were made")
	}
	if _, err := foldsOf(tab.Data, 1, 0); err == nil {
		t.Error("one fold was made")
	}
}

func TestIndicators(t *testing.T) {
	nan := math.NaN()
	d := &boost.Data{
		Schema: boost.Schema{
			Names: []string{"x", "colour", "flag", "same", "colour=red"}, Levels: [][]string{nil, {"blue", "green", "red"}, {"no", "yes"}, {"one"}, nil},
			Classes: []string{"no", "yes"},
		},
		Columns: [][]float64{{0.5, nan, -2}, {0, 2, nan}, {1, 0, 1}, {0, 0, 0}, {1, 2, 3}},
		Labels:  []int8{-1, 1, 1}, Weights: []float64{1, 2, 0.5},
	}
	in := Indicators(d)
	must.Do(in.Check())
	if want := []string{"x", "colour=blue", "colour=green", "colour=red'", "flag=yes", "colour=red"}; !reflect.DeepEqual(in.Names, want) || in.Levels != nil {
		t.Errorf("columns %q with levels %q, want %q and none", in.Names, in.Levels, want)
	}
	for j, want := range [][]float64{{0.5, nan, -2}, {1, 0, nan}, {0, 0, nan}, {0, 1, nan}, {1, 0, 1}, {1, 2, 3}} {
		for i, v := range in.Columns[j] {
			if v != want[i] && !(math.IsNaN(v) && math.IsNaN(want[i])) {
				t.Errorf("column %s is %v, want %v", in.Names[j], in.Columns[j], want)
			}
		}
	}
}

// TestInfiniteAnswersDrownOthers shows why AdaBoostR's default outputs are
// means. The pure sides of monomials on the first of the monks problems are
// small; with infinite outputs there, everything else keeps the score 0, which
// counts as +1: an error of one half.
func TestInfiniteAnswersDrownOthers(t *testing.T) {
	d := Indicators(table(t, "monks1").Data)
	fit := func(b boost.Booster) (wrong float64, unanswered int) {
		res := must.Get(boost.Fit(context.Background(), d, b, &boost.Monomials{}, &boost.Settings{Rounds: 50}))
		for _, s := range must.Get(res.Model.Scores(d)) {
			if s == 0 {
				unanswered++
			}
		}
		return must.Get(res.Model.Error(d)), unanswered
	}
	if e, n := fit(&boost.AdaBoostR{}); !(e < 0.3) || n > 0 {
		t.Errorf("default: error %.3f, %d rows of score 0; want less than 0.3 and none", e, n)
	}
	if e, n := fit(&boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}); !(e > 0.4) || n < d.Rows()/3 {
		t.Errorf("infinite answers: error %.3f, %d rows of score 0; the comment says one half", e, n)
	}
	if e, n := fit(&boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit, Smooth: 1. / 432}}); !(e < 0.3) || n > 0 {
		t.Errorf("smoothed: error %.3f, %d rows of score 0; want less than 0.3 and none", e, n)
	}
}
