package explain

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/boost"
	"haarlem/internal/must"
)

// table is a regression on five columns, of which the fourth does nothing and the
// fifth is categorical; some values are missing.
func table(rows int, seed uint64) *boost.Data {
	r := rand.New(rand.NewPCG(seed, 51))
	d := &boost.Data{
		Schema:  boost.Schema{Levels: [][]string{nil, nil, nil, nil, {"a", "b", "c", "d"}}},
		Columns: make([][]float64, 5), Targets: make([]float64, rows),
	}
	for i := range rows {
		x := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), float64(r.IntN(4))}
		y := 2*x[0] + x[1]*x[2]
		if x[4] == 1 || x[4] == 3 {
			y++
		}
		if r.IntN(12) == 0 {
			x[0] = math.NaN()
		}
		for j, v := range x {
			d.Columns[j] = append(d.Columns[j], v)
		}
		d.Targets[i] = y + 0.1*r.NormFloat64()
	}
	return d
}

func fit(t *testing.T, d *boost.Data, b boost.Booster, l boost.Learner, rounds int) *boost.Model {
	t.Helper()
	res := must.Get(boost.Fit(context.Background(), d, b, l, &boost.Settings{Rounds: rounds, Shrinkage: 0.2}))
	return res.Model
}

// known returns the expected value of a tree where only the columns of a set are
// known: the definition that Shapley values are computed from.
func known(t *boost.Tree, covers func(int32) float64, at int32, root bool, set int, x []float64) float64 {
	if at < 0 || at == 0 && !root {
		return t.Leaves[-at]
	}
	n := &t.Nodes[at]
	if set>>n.Column&1 == 1 {
		return known(t, covers, n.Next(x), false, set, x)
	}
	l, r := covers(n.Left), covers(n.Right)
	return (l*known(t, covers, n.Left, false, set, x) + r*known(t, covers, n.Right, false, set, x)) / (l + r)
}

// TestShapleyByDefinition: the values are those of the sum over all sets, and add
// up to the score.
func TestShapleyByDefinition(t *testing.T) {
	d := table(300, 1)
	m := fit(t, d, &boost.Newton{}, &boost.Trees{Leaves: 9}, 12)
	e := must.Get(NewExplainer(m, d))
	factorial := []float64{1, 1, 2, 6, 24, 120}
	for i := 0; i < 40; i++ {
		x := d.Row(nil, i)
		got := e.Explain(nil, x)
		want := make([]float64, 5)
		for _, c := range e.trees {
			for set := range 32 {
				size := 0
				for j := range 5 {
					size += set >> j & 1
				}
				for j := range 5 {
					if set>>j&1 == 1 {
						continue
					}
					w := factorial[size] * factorial[4-size] / factorial[5]
					want[j] += w * c.coef * (known(c.tree, c.cover, 0, true, set|1<<j, x) - known(c.tree, c.cover, 0, true, set, x))
				}
			}
		}
		sum := e.Mean
		for j := range want {
			sum += got[j]
			if math.Abs(got[j]-want[j]) > 1e-9 {
				t.Fatalf("row %d: column %d has %v, want %v", i, j, got[j], want[j])
			}
		}
		if math.Abs(sum-m.Score(x)) > 1e-9 {
			t.Fatalf("row %d: the values add up to %v, the score is %v", i, sum, m.Score(x))
		}
	}
}

// TestShapleyOfCovers: what the model holds of its data is as good as the data, of up
// to 5,000 rows.
func TestShapleyOfCovers(t *testing.T) {
	d := table(400, 5)
	m := fit(t, d, &boost.Newton{}, &boost.Trees{Leaves: 9}, 12)
	if _, err := NewExplainer(m, nil); !errors.Is(err, ErrUnsupported) {
		t.Errorf("without covers: %v", err)
	}
	must.Do(m.Cover(d))
	all, own := must.Get(NewExplainer(m, d)), must.Get(NewExplainer(m, nil))
	for i := range d.Rows() {
		x := d.Row(nil, i)
		a, b := all.Explain(nil, x), own.Explain(nil, x)
		for j := range a {
			if a[j] != b[j] || all.Mean != own.Mean {
				t.Fatalf("row %d: %v by the data, %v by the model", i, a, b)
			}
		}
	}
}

// TestShapleyOfSeparateSums: where each tree uses one column, a column's value
// is the output of its trees less their mean.
func TestShapleyOfSeparateSums(t *testing.T) {
	d := table(200, 2)
	m := fit(t, d, &boost.Newton{}, &boost.Stumps{}, 60)
	e := must.Get(NewExplainer(m, d))
	mean, shapes := must.Get2(Shapes(m, d))
	if math.Abs(mean-e.Mean) > 1e-9 {
		t.Errorf("means %v and %v", mean, e.Mean)
	}
	addUp(t, m, d, mean, shapes)
	for i := range d.Rows() {
		x := d.Row(nil, i)
		phi := e.Explain(nil, x)
		for _, s := range shapes {
			if v := s.Values[s.bin(x)]; math.Abs(v-phi[s.Columns[0]]) > 1e-9 {
				t.Fatalf("row %d: shape of column %d says %v, Shapley %v", i, s.Columns[0], v, phi[s.Columns[0]])
			}
		}
	}
}

// addUp: the score of a row is the mean and the values of its shapes.
func addUp(t *testing.T, m *boost.Model, d *boost.Data, mean float64, shapes []Shape) {
	t.Helper()
	for i := range d.Rows() {
		x, sum := d.Row(nil, i), mean
		for _, s := range shapes {
			sum += s.Values[s.bin(x)]
		}
		if math.Abs(sum-m.Score(x)) > 1e-9 {
			t.Fatalf("row %d: shapes add up to %v, the score is %v", i, sum, m.Score(x))
		}
	}
}

// TestShapesOfPairs: an additive model with the pair that matters is the sum of
// its shapes, and needs the pair.
func TestShapesOfPairs(t *testing.T) {
	d, test := table(600, 3), table(600, 4)
	alone := fit(t, d, &boost.Cyclic{}, &boost.Trees{Leaves: 4}, 60)
	pairs, err := Pairs(alone, d, boost.LeastSquaresLoss, 16, 1)
	if err != nil || len(pairs) != 1 || pairs[0] != [2]int{1, 2} {
		t.Fatalf("pairs %v, %v; want columns 1 and 2", pairs, err)
	}
	both := fit(t, d, &boost.Cyclic{Pairs: pairs}, &boost.Trees{Leaves: 4}, 60)
	rmse := func(m *boost.Model) float64 {
		p := must.Get(m.Predict(test))
		return boost.RMSE.Value(p)
	}
	if a, b := rmse(alone), rmse(both); !(b < 0.7*a) {
		t.Errorf("error %v with the pair, %v without", b, a)
	}
	mean, shapes := must.Get2(Shapes(both, d))
	addUp(t, both, test, mean, shapes)
	for _, s := range shapes {
		total, weighted := 0.0, 0.0
		for b, w := range s.weight {
			total += w
			weighted += w * s.Values[b]
		}
		if total != 600 || math.Abs(weighted) > 1e-6 {
			t.Errorf("shape %v: %v rows, mean %v", s.Columns, total, weighted/total)
		}
	}
	if _, _, err := Shapes(fit(t, d, &boost.Newton{}, &boost.Trees{Leaves: 12}, 5), d); !errors.Is(err, ErrUnsupported) {
		t.Errorf("deep trees: error %v, want ErrUnsupported", err)
	}
}

// TestImportances: the column that does nothing matters least, the first most.
func TestImportances(t *testing.T) {
	d, test := table(800, 5), table(800, 6)
	m := fit(t, d, &boost.Newton{}, &boost.Trees{Depth: 3}, 60)
	gain := must.Get(Gain(m, d, boost.LeastSquaresLoss))
	worse, intervals := must.Get2(Permutation(m, test, boost.RMSE, 40, 1))
	for name, v := range map[string][]float64{"gain": gain, "permutation": worse} {
		for j := range v {
			if j != 0 && v[j] >= v[0] || j != 3 && v[j] <= v[3] {
				t.Errorf("%s %v", name, v)
			}
		}
	}
	for j, in := range intervals {
		if !(in[0] <= worse[j] && worse[j] <= in[1]) || (in[0] > 0) != (j != 3) {
			t.Errorf("column %d: %v, interval %v", j, worse[j], in)
		}
	}
	// A stump's gain is what the sum of squares falls by with whole steps.
	one := must.Get(boost.Fit(context.Background(), d, &boost.Newton{L2: 1e-12}, &boost.Stumps{}, &boost.Settings{Rounds: 1}))
	gain = must.Get(Gain(one.Model, d, boost.LeastSquaresLoss))
	p, _ := one.Model.Predict(d)
	q, _ := one.Model.Truncate(0).Predict(d)
	fell := 800 * (boost.MeanLoss(boost.LeastSquaresLoss).Value(q) - boost.MeanLoss(boost.LeastSquaresLoss).Value(p))
	if math.Abs(gain[0]-fell) > 1e-6*fell {
		t.Errorf("gain %v, the loss fell by %v", gain[0], fell)
	}
	if _, err := Gain(fitHistogram(t), mixture(), boost.LogisticLoss); !errors.Is(err, ErrUnsupported) {
		t.Errorf("histograms: error %v, want ErrUnsupported", err)
	}
}

func mixture() *boost.Data {
	d := &boost.Data{Columns: [][]float64{nil}}
	for i := range 60 {
		d.Columns[0] = append(d.Columns[0], float64(i))
		d.Labels = append(d.Labels, int8(1-2*(i/7%2)))
	}
	return d
}

func fitHistogram(t *testing.T) *boost.Model {
	return fit(t, mixture(), &boost.Gentle{}, &boost.Histograms{}, 5)
}

// TestShapesOfOtherLearners: histograms, subsets and conjunctions are additive too.
func TestShapesOfOtherLearners(t *testing.T) {
	d := mixture()
	d.Columns = append(d.Columns, make([]float64, 60))
	for i := range d.Columns[1] {
		d.Columns[1][i] = float64(i * 7 % 5)
	}
	for _, l := range []boost.Learner{&boost.Histograms{}, &boost.Monomials{Length: 2}, boost.SortedStumps{}, &boost.Joints{Bins: 4, Group: 2}, boost.Categories{}} {
		m := fit(t, d, &boost.Discrete{}, l, 12)
		mean, shapes, err := Shapes(m, d)
		if err != nil {
			t.Fatalf("%s: %v", l.Name(), err)
		}
		addUp(t, m, d, mean, shapes)
	}
	if _, _, err := Shapes(&boost.Model{Columns: 2, Terms: []boost.Term{{Coef: 1, Weak: linear{}}}}, d); !errors.Is(err, ErrUnsupported) {
		t.Errorf("coordinates: error %v, want ErrUnsupported", err)
	}
}

// linear is a weak learner that is not constant between thresholds.
type linear struct{}

func (linear) Value(x []float64) float64 { return x[0] }
func (linear) Columns() []int            { return []int{0} }
