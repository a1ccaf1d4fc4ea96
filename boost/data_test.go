package boost

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"haarlem/internal/must"
)

// computed hands out columns that it computes when asked, and counts how often.
type computed struct {
	of    Columns
	asked atomic.Int64
}

func (c *computed) Rows() int            { return c.of.Rows() }
func (c *computed) Len() int             { return c.of.Len() }
func (c *computed) Cuts(j int) []float64 { return c.of.Cuts(j) }
func (c *computed) Codes(j int, buf []byte) []byte {
	c.asked.Add(1)
	copy(buf, c.of.Codes(j, nil))
	return buf[:c.of.Rows()]
}

// TestComputedColumns: a trainer that brings labels and columns of its own
// gets the model that the table itself would give.
func TestComputedColumns(t *testing.T) {
	d := mixture(700, 12)
	for _, l := range []Learner{&Stumps{}, &Histograms{Bins: 256}, &Trees{}, &Monomials{}, &LinearTrees{}, &Joints{Group: 2}} {
		bins := 256
		if l.Name() == "joints" {
			bins = 5
		}
		q := must.Get(Quantize(d, bins, EqualFrequency))
		c := &computed{of: q}
		s := &Settings{Rounds: 10, Trim: 0.05, Workers: 3}
		run := finish(must.Get(Start(&Problem{Data: &Data{Labels: d.Labels}, Columns: c}, &Real{}, l, s)))
		want := mustFit(t, d, &Real{}, l, s)
		if saved(t, run.Result().Model) != saved(t, want.Model) {
			t.Errorf("%s: columns that are computed make another model", l.Name())
		}
		if c.asked.Load() == 0 {
			t.Errorf("%s: nobody asked for a column", l.Name())
		}
	}
	for _, l := range []Learner{SortedStumps{}, Coordinates{}, Functions{func([]float64) float64 { return 1 }}} {
		q := must.Get(Quantize(d, 16, EqualFrequency))
		if _, err := Start(&Problem{Data: &Data{Labels: d.Labels}, Columns: q}, &Real{}, l, nil); err == nil {
			t.Errorf("%s works without Data.Columns", l.Name())
		}
	}
}

// TestCounted: the distinct values of a column and how often they come are what
// sorting them says, whatever the numbers are.
func TestCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for n := range 300 {
		c := make([]float64, n)
		for i := range c {
			switch r.IntN(6) {
			case 0:
				c[i] = math.NaN()
			case 1:
				c[i] = float64(r.IntN(5)) - 2
			case 2:
				c[i] = math.Copysign(0, -1)
			case 3:
				c[i] = float64(float32(r.NormFloat64()))
			default:
				c[i] = r.NormFloat64() * math.Exp(60*r.NormFloat64())
			}
		}
		var want []weighted
		sorted := slices.DeleteFunc(slices.Clone(c), math.IsNaN)
		slices.Sort(sorted)
		for _, v := range sorted {
			if k := len(want); k > 0 && want[k-1].value == v {
				want[k-1].weight++
			} else {
				want = append(want, weighted{v, 1})
			}
		}
		if got := new(sorter).counted(c); !slices.Equal(got, want) {
			t.Fatalf("%d values: %v, want %v", n, got, want)
		}
	}
}

// TestEncode: codes are those of the plain search, also of values that are missing,
// infinite, cuts themselves or beside them, for any number of cuts, and of many values,
// which even cells divide well or badly.
func TestEncode(t *testing.T) {
	same := func(name string, values, cuts []float64) {
		codes, missing := encode(values, cuts)
		if missing != slices.ContainsFunc(values, math.IsNaN) {
			t.Fatalf("%s, %d cuts: missing values: %v", name, len(cuts), missing)
		}
		for i, v := range values {
			if want := code(v, cuts); codes[i] != want {
				t.Fatalf("%s, %d cuts: %v has code %d, want %d", name, len(cuts), v, codes[i], want)
			}
		}
	}
	r := rand.New(rand.NewPCG(10, 9))
	draw := func(n int, of func() float64) (values []float64) {
		for range n {
			values = append(values, of())
		}
		return values
	}
	for name, of := range map[string]func() float64{
		"normal":      r.NormFloat64,
		"exponential": func() float64 { return math.Exp(20 * r.NormFloat64()) },
		"wide":        func() float64 { return math.Ldexp(r.NormFloat64(), 1022) },
		"tiny":        func() float64 { return r.Float64() * 1e-320 },
		"holes": func() float64 {
			return []float64{math.NaN(), math.Inf(1), math.Inf(-1), r.NormFloat64()}[min(3, r.IntN(20))]
		},
	} {
		values := draw(20000, of)
		for _, bins := range []int{9, 100, 255} {
			cuts := equalFrequency(new(sorter).counted(values), bins)
			for k, c := range cuts {
				values[3*k], values[3*k+1], values[3*k+2] = c, math.Nextafter(c, math.Inf(-1)), math.Nextafter(c, math.Inf(1))
			}
			same(name, values, cuts)
		}
	}
	for n := range maxBins {
		cuts := draw(n, r.NormFloat64)
		slices.Sort(cuts)
		values := append(draw(50, r.NormFloat64), append(slices.Clone(cuts), math.Inf(1), math.Inf(-1), 0)...)
		if n < maxBins-1 {
			values = append(values, math.NaN())
		}
		same("few", values, cuts)
	}
}

func BenchmarkEncode(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	c := make([]float64, 900_000)
	for i := range c {
		c[i] = float64(float32(r.NormFloat64()))
	}
	cuts := equalFrequency(new(sorter).counted(c), 256)
	for b.Loop() {
		encode(c, cuts)
	}
}

// TestMergeRare: of many levels the frequent ones stay themselves; a model takes levels
// that it has not seen for rare ones.
func TestMergeRare(t *testing.T) {
	d := &Data{Schema: Schema{Names: []string{"zip", "x"}, Levels: [][]string{nil, nil}, Classes: []string{"no", "yes"}}, Columns: make([][]float64, 2)}
	for k := range 400 {
		d.Levels[0] = append(d.Levels[0], fmt.Sprintf("z%03d", k))
	}
	names := slices.Clone(d.Levels[0])
	var was []string
	for k := range 400 { // the odd ones are frequent, and positive
		for i := range 1 + 2*(k%2) {
			d.Columns[0], d.Columns[1] = append(d.Columns[0], float64(k)), append(d.Columns[1], float64(i))
			d.Labels, was = append(d.Labels, int8(2*(k%2)-1)), append(was, names[k])
		}
	}
	if merged := d.MergeRare(); len(merged) != 1 || len(d.Levels[0]) != 255 || d.Levels[0][254] != RareLevel {
		t.Fatalf("merged %v, levels %v", merged, d.Levels[0])
	}
	for i, v := range d.Columns[0] {
		if got := d.Levels[0][int(v)]; got != was[i] && (got != RareLevel || d.Labels[i] > 0) {
			t.Fatalf("row %d: level %q, was %q", i, got, was[i])
		}
	}
	if again := d.MergeRare(); again != nil {
		t.Errorf("merged again: %v", again)
	}
	m := must.Get(Fit(context.Background(), d, &Newton{}, &Trees{}, &Settings{Rounds: 20})).Model
	fresh := &Data{Schema: Schema{Names: d.Names, Levels: [][]string{{"unheard of", "z399"}, nil}}, Columns: [][]float64{{0, 1}, {0, 0}}}
	if n := m.ForgetUnknown(fresh); n != 0 {
		t.Errorf("%d unknown levels", n)
	}
	a := must.Get(m.Align(fresh))
	if got := a.Levels[0][int(a.Columns[0][0])]; got != RareLevel || m.Class(a.Row(nil, 0)) != -1 || m.Class(a.Row(nil, 1)) != 1 {
		t.Errorf("an unknown level becomes %q; scores %v", got, must.Get(m.Scores(a)))
	}
}

// TestBinsOfASample: of a large table, bins hold about the same number of rows; a
// column of few values has a bin for each, even if the sample lacks one; missing
// values have room, even if the sample has none; and rows without weight, however
// many, change nothing.
func TestBinsOfASample(t *testing.T) {
	const rows = sampledRows + 50_000
	r := rand.New(rand.NewPCG(3, 3))
	d := &Data{Columns: make([][]float64, 3), Labels: make([]int8, rows)}
	for i := range rows {
		d.Labels[i] = 1
		d.Columns[0] = append(d.Columns[0], r.ExpFloat64())
		d.Columns[1] = append(d.Columns[1], float64(r.IntN(40)))
		d.Columns[2] = append(d.Columns[2], r.NormFloat64())
	}
	sample := d.sample()
	if len(sample) != sampledRows || !slices.IsSorted(sample) || len(slices.Compact(slices.Clone(sample))) != sampledRows {
		t.Fatalf("%d rows in the sample, want %d, each once", len(sample), sampledRows)
	}
	outside := 0
	for _, i := range sample {
		if int(i) != outside {
			break
		}
		outside++
	}
	d.Columns[1][outside], d.Columns[2][outside] = 17.5, math.NaN()
	q := must.Get(quantize(d, 0, EqualFrequency))
	var count [maxBins]int
	for _, c := range q.codes[0] {
		count[c]++
	}
	for b, n := range count {
		if share := float64(n) / rows * maxBins; share < 0.7 || share > 1.4 {
			t.Errorf("bin %d has %v of its share", b, share)
		}
	}
	if len(q.cuts[1]) != 40 {
		t.Errorf("%d cuts of 41 values", len(q.cuts[1]))
	}
	if c := q.codes[2][outside]; len(q.cuts[2]) != maxBins-2 || c != maxBins-1 {
		t.Errorf("%d cuts beside a missing value, whose code is %d", len(q.cuts[2]), c)
	}

	weighed := *d
	weighed.Weights = make([]float64, rows)
	some := r.Perm(rows)[:3000]
	slices.Sort(some)
	for _, i := range some {
		weighed.Weights[i] = 2
	}
	got := must.Get(quantize(&weighed, 0, EqualFrequency))
	want := must.Get(quantize(d.Subset(some), 0, EqualFrequency))
	for _, j := range []int{0, 1} {
		if !slices.Equal(got.cuts[j], want.cuts[j]) {
			t.Errorf("column %d: rows without weight change bins", j)
		}
	}
}

// colours is a table with a categorical column between two numeric ones.
func colours(rows int, seed uint64) *Data {
	d := mixture(rows, seed)
	d.Columns = d.Columns[:3]
	d.Schema = Schema{
		Names:   []string{"length", "colour", "width"},
		Levels:  [][]string{nil, {"a", "b", "c", "d"}, nil},
		Classes: []string{"bad", "good"},
	}
	for i, v := range d.Columns[1] {
		d.Columns[1][i] = math.Trunc(min(3, max(0, 2+v)))
	}
	return d
}

// TestModelKeepsSchema: a model knows what it was fitted on, in a file too.
func TestModelKeepsSchema(t *testing.T) {
	d := colours(200, 1)
	m := mustFit(t, d, &Gentle{}, &Stumps{}, &Settings{Rounds: 5}).Model
	for _, m := range []*Model{m, reloaded(t, m)} {
		if !slices.Equal(m.Names, d.Names) || !slices.EqualFunc(m.Levels, d.Levels, slices.Equal) || !slices.Equal(m.Classes, d.Classes) {
			t.Errorf("schema %+v, want %+v", m.Schema, d.Schema)
		}
	}
	refusesEdits(t, saved(t, m), []edit{
		{"levels 3", "levels 2", "2 levels for 3 columns"},
		{"numeric\n", "number\n", "want \"numeric\""},
		{"categorical 4", "categorical 5", "quoted name"},
		{`"b"`, `"a"`, "two levels"},
		{"classes 2", "classes 1", "want at least two names"},
		{`"good"`, `"bad"`, "two classes"},
		{`"width"`, `"length"`, "two columns"},
		{"linkscale 0", "linkscale -1", "negative"},
	})
}

// TestScoringChecksSchema: data of another schema is an error that says what
// differs, in everything that scores.
func TestScoringChecksSchema(t *testing.T) {
	d := colours(200, 2)
	m := mustFit(t, d, &Gentle{}, &Stumps{}, nil).Model
	change := func(f func(d *Data)) *Data {
		c := d.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7})
		c.Schema = d.Schema.clone()
		f(c)
		return c
	}
	for name, c := range map[string]struct {
		d    *Data
		want string
	}{
		"a column less": {change(func(d *Data) { d.Columns, d.Names, d.Levels = d.Columns[:2], d.Names[:2], d.Levels[:2] }), `no column is called "width"`},
		"a column more": {change(func(d *Data) {
			d.Columns, d.Names, d.Levels = append(d.Columns, d.Columns[0]), append(d.Names, "depth"), append(d.Levels, nil)
		}), `no column called "depth"`},
		"another name": {change(func(d *Data) { d.Names[2] = "with" }), `no column is called "width", and no model column "with"`},
		"another order": {change(func(d *Data) {
			d.Names[0], d.Names[2] = d.Names[2], d.Names[0]
			d.Columns[0], d.Columns[2] = d.Columns[2], d.Columns[0]
		}), `column 0 is "width", want "length"`},
		"no names, a column less": {change(func(d *Data) { d.Columns, d.Names, d.Levels = d.Columns[:2], nil, nil }), "2 columns, want 3"},
		"unknown level":           {change(func(d *Data) { d.Levels[1] = []string{"a", "b", "c", "z"} }), `level "z"`},
		"other numbers":           {change(func(d *Data) { d.Levels[1] = []string{"b", "c", "d"}; clear(d.Columns[1]) }), "another order"},
		"numbers for levels":      {change(func(d *Data) { d.Levels[1] = nil }), `column "colour" is numeric`},
		"levels for numbers":      {change(func(d *Data) { d.Levels[0] = []string{"x"}; clear(d.Columns[0]) }), `column "length" is categorical`},
		"no level":                {change(func(d *Data) { d.Levels = nil; d.Columns[1][3] = 4 }), "row 3 is 4"},
		"a part of a level":       {change(func(d *Data) { d.Levels = nil; d.Columns[1][3] = 0.5 }), "row 3 is 0.5"},
		"ragged":                  {change(func(d *Data) { d.Columns[2] = d.Columns[2][:5] }), "5 values, want 8"},
		"too few levels":          {change(func(d *Data) { d.Levels = d.Levels[:1] }), "levels of 1 columns"},
	} {
		_, scores := m.Scores(c.d)
		_, wrong := m.Error(c.d)
		_, margins := m.Margins(c.d)
		for _, err := range []error{scores, wrong, margins, m.Check(c.d)} {
			if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrSchema) && !errors.Is(err, ErrData) {
				t.Errorf("%s: error %v, want one that says %s", name, err, c.want)
			}
		}
		if _, err := Fit(t.Context(), d, &Gentle{}, &Stumps{}, &Settings{Rounds: 1, Validation: c.d}); err == nil {
			t.Errorf("%s: the validation data are taken", name)
		}
	}
	swapped := change(func(d *Data) { d.Classes[0], d.Classes[1] = d.Classes[1], d.Classes[0] })
	if _, err := m.Error(swapped); !errors.Is(err, ErrSchema) {
		t.Errorf("classes exchanged: error %v, want ErrSchema", err)
	}
	if _, err := m.Scores(swapped); err != nil {
		t.Errorf("scores need no classes: %v", err)
	}
}

// TestScoreOfShortRow: a row of the wrong length is the caller's bug, and the
// panic says so.
func TestScoreOfShortRow(t *testing.T) {
	m := mustFit(t, colours(100, 3), &Gentle{}, &Stumps{}, nil).Model
	if s, _ := must.Recover(func() { m.Class([]float64{1, 2}) }).(string); !strings.Contains(s, "2 values for a model of 3 columns") {
		t.Errorf("panic %q", s)
	}
}

// TestAlign: columns and levels are found by their names.
func TestAlign(t *testing.T) {
	d := colours(200, 4)
	m := mustFit(t, d, &Gentle{}, &Stumps{}, nil).Model
	want := must.Get(m.Scores(d))
	other := &Data{
		Schema: Schema{
			Names:   []string{"id", "width", "colour", "length"},
			Levels:  [][]string{{"x"}, nil, {"never", "d", "c", "b", "a"}, nil},
			Classes: d.Classes,
		},
		Columns: [][]float64{make([]float64, d.Rows()), d.Columns[2], make([]float64, d.Rows()), d.Columns[0]},
		Labels:  d.Labels,
	}
	for i, v := range d.Columns[1] {
		other.Columns[2][i] = 4 - v
	}
	if _, err := m.Scores(other); !errors.Is(err, ErrSchema) {
		t.Fatalf("error %v before it is aligned", err)
	}
	a := must.Get(m.Align(other))
	if got := must.Get(m.Scores(a)); !slices.Equal(got, want) {
		t.Error("other scores for the same rows")
	}
	other.Columns[2][7] = 0 // a level unknown to the model
	if _, err := m.Align(other); !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), `"never" in row 7`) {
		t.Errorf("error %v, want the unknown level and its row", err)
	}
	other.Columns[2][7] = math.NaN()
	if _, err := m.Align(other); err != nil {
		t.Errorf("a missing value: %v", err)
	}
	other.Names[1] = "breadth"
	if _, err := m.Align(other); !errors.Is(err, ErrSchema) || !strings.Contains(err.Error(), `no column is called "width"`) {
		t.Errorf("error %v, want the missing column", err)
	}
}

// TestResumeChecksSchema: a checkpoint of other columns is refused.
func TestResumeChecksSchema(t *testing.T) {
	d := colours(100, 5)
	run := begin(d, &Gentle{}, &Stumps{}, nil)
	c := run.Checkpoint()
	d.Schema = d.Schema.clone()
	d.Names[0] = "height"
	if _, err := Resume(&Problem{Data: d}, &Gentle{}, &Stumps{}, nil, c); !errors.Is(err, ErrSchema) {
		t.Errorf("error %v, want ErrSchema", err)
	}
}

// thin is a table with few values that are not zero, dense and sparse.
func thin(rows, columns int, seed uint64) (*Data, *Sparse) {
	r := rand.New(rand.NewPCG(seed, 61))
	d, s := blank(rows, columns), &Sparse{Starts: []int{0}, Columns: columns}
	for i := range rows {
		score := 0.0
		for j := range columns {
			if r.IntN(8) != 0 {
				continue
			}
			v := math.Round(10*r.NormFloat64()) / 4
			if r.IntN(20) == 0 {
				v = math.NaN()
			}
			d.Columns[j][i] = v
			s.Index, s.Value = append(s.Index, int32(j)), append(s.Value, v) // a zero may be there too
			if j < 6 && v == v {
				score += v
			}
		}
		s.Starts = append(s.Starts, len(s.Index))
		y := int8(1)
		if score+r.NormFloat64() < 0 {
			y = -1
		}
		d.Labels = append(d.Labels, y)
	}
	return d, s
}

// TestSparseIsDense: a sparse table makes the same model as the same numbers in
// full, and is scored the same.
func TestSparseIsDense(t *testing.T) {
	d, s := thin(500, 30, 1)
	for _, bins := range []int{0, 7} {
		columns := must.Get(s.Quantize(bins))
		q := must.Get(Quantize(d, bins, EqualFrequency))
		buf := make([]byte, 500)
		for j := range 30 {
			if !slices.Equal(columns.Cuts(j), q.Cuts(j)) || !slices.Equal(columns.Codes(j, buf), q.Codes(j, nil)) {
				t.Fatalf("column %d: other codes", j)
			}
		}
		for _, b := range []Booster{&Newton{}, &Gentle{}, &Discrete{}, &Newton{L1: 0.5}} {
			settings := &Settings{Rounds: 10}
			if n, ok := b.(*Newton); ok && n.L1 > 0 {
				settings = &Settings{Rounds: 10, RowShare: 0.7, ColumnShare: 0.3, Seed: 5}
			}
			run := finish(must.Get(Start(&Problem{Data: &Data{Labels: d.Labels}, Columns: columns}, b, &Trees{}, settings)))
			dense := mustFit(t, d, b, &Trees{Bins: bins}, settings).Model
			want := must.Get(dense.Scores(d))
			got, err := run.Result().Model.Predictor().ScoresOf(s)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %d bins: other scores (%v)", b.Name(), bins, err)
			}
		}
	}
	for name, bad := range map[string]*Sparse{
		"no starts":       {Columns: 2},
		"a column beyond": {Starts: []int{0, 1}, Index: []int32{2}, Value: []float64{1}, Columns: 2},
		"out of order":    {Starts: []int{0, 2}, Index: []int32{1, 0}, Value: []float64{1, 1}, Columns: 2},
		"infinite":        {Starts: []int{0, 1}, Index: []int32{1}, Value: []float64{math.Inf(1)}, Columns: 2},
		"ends early":      {Starts: []int{0, 2, 1, 2}, Index: []int32{0, 1}, Value: []float64{1, 1}, Columns: 2},
	} {
		if _, err := bad.Quantize(0); !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v, want ErrData", name, err)
		}
	}
	if _, err := mustFit(t, d, &Gentle{}, &Stumps{}, nil).Model.Predictor().ScoresOf(&Sparse{Starts: []int{0}, Columns: 3}); !errors.Is(err, ErrSchema) {
		t.Errorf("other columns: error %v, want ErrSchema", err)
	}
}
