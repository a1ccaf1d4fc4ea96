package boost

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/must"
)

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
