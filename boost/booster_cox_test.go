package boost

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// survival is a table of hazards exp(2a - b^2), a third of which is censored.
func survival(rows int, seed uint64) *Data {
	r := rand.New(rand.NewPCG(seed, 71))
	d := &Data{Columns: make([][]float64, 2)}
	for range rows {
		a, b := r.NormFloat64(), r.NormFloat64()
		d.Columns[0], d.Columns[1] = append(d.Columns[0], a), append(d.Columns[1], b)
		event, end := r.ExpFloat64()/math.Exp(2*a-b*b), 2*r.ExpFloat64()
		if y := math.Ceil(8*event) / 8; event < end { // some at the same time
			d.Targets = append(d.Targets, y)
		} else {
			d.Targets = append(d.Targets, -end)
		}
	}
	return d
}

// TestCoxGradients: gradients and curvatures are those of the loss, with weights, and times and
// censoring that coincide.
func TestCoxGradients(t *testing.T) {
	y := []float64{2, -1, 1, 2, -2, 3, 1, 0.5, -4}
	w := []float64{1, 2, 0.5, 3, 1, 1, 0, 2, 1}
	f := []float64{0.3, -1, 2, 0.1, 700, 701, -0.5, 699, 698}
	g, h := make([]float64, len(y)), make([]float64, len(y))
	p := &Predictions{Targets: y, Scores: f, Weights: w}
	loss := func() float64 {
		sum, _ := coxSlopes(p, byTime(y), nil, nil)
		return sum
	}
	coxSlopes(p, byTime(y), g, h)
	for i := range f {
		const step = 1e-3
		at, old := loss(), f[i]
		f[i] = old + step
		up := loss()
		f[i] = old - step
		down := loss()
		f[i] = old
		want, bend := (up-down)/(2*step), (up-2*at+down)/(step*step)
		if math.Abs(w[i]*g[i]-want) > 1e-5 || math.Abs(w[i]*h[i]-bend) > 1e-3 {
			t.Errorf("row %d: slope %v and curvature %v, want %v and %v", i, w[i]*g[i], w[i]*h[i], want, bend)
		}
	}
}

// TestCoxXGBoost: the scores are those of XGBoost 2.1.4 and 3.2.0: survival:cox,
// max_depth 2, eta 0.3, exact, base_score 1, 6 rounds.
func TestCoxXGBoost(t *testing.T) {
	const n = 101
	d := &Data{Columns: make([][]float64, 2)}
	for i := range n {
		share := func(k int) float64 { return float64(k*i%n) / n }
		a, b := share(37), share(64)
		d.Columns[0], d.Columns[1] = append(d.Columns[0], a), append(d.Columns[1], b)
		y := math.Exp(-2*a+b*b)*(1+3*share(91)) + float64(i)/1e6
		if 53*i%n >= 70 {
			y = -y
		}
		d.Targets = append(d.Targets, y)
	}
	m := mustFit(t, d, &Cox{}, &Trees{Depth: 2}, &Settings{Rounds: 6, Shrinkage: 0.3}).Model
	for i, want := range []float64{1.10964, -0.203356, 1.26779, -0.878249, 0.454966, 2.46151, -0.203356, 1.26779, 4.01583, -0.203356, 1.26779, -1.20273} {
		if got := m.Score(d.Row(nil, i)); math.Abs(got-want) > 1e-4 {
			t.Errorf("row %d: score %v, want %v", i, got, want)
		}
	}
	if x := d.Row(nil, 3); math.Abs(m.Mean(x)-math.Exp(m.Score(x))) > 1e-12 {
		t.Errorf("hazard %v of score %v", m.Mean(x), m.Score(x))
	}
}

// TestConcordance: as pair by pair, and a fit finds the order of hazards.
func TestConcordance(t *testing.T) {
	train, d := survival(600, 1), survival(300, 2)
	res := mustFit(t, train, &Cox{}, &Trees{Depth: 3}, &Settings{Rounds: 200, Shrinkage: 0.1, Validation: survival(300, 3), Patience: 10})
	p := must.Get(res.Model.Predict(d))
	for i := range p.Scores {
		p.Scores[i] = math.Round(8*p.Scores[i]) / 8 // ties
		p.Weights = append(p.Weights, float64(1+i%3))
	}
	right, pairs := 0.0, 0.0
	for i, y := range p.Targets {
		for j, z := range p.Targets {
			if w := p.Weights[i] * p.Weights[j]; y > 0 && math.Abs(z) > y {
				pairs += w
				if p.Scores[i] > p.Scores[j] {
					right += w
				} else if p.Scores[i] == p.Scores[j] {
					right += w / 2
				}
			}
		}
	}
	if c := Concordance.Value(p); math.Abs(c-right/pairs) > 1e-12 || !(c > 0.75) {
		t.Errorf("concordance %v, want %v, more than 0.75", c, right/pairs)
	}
	flat := *p
	flat.Scores = make([]float64, len(p.Scores))
	if a, b := CoxLoss.Value(p), CoxLoss.Value(&flat); !(a < b-0.3) {
		t.Errorf("loss %v, and %v of one hazard for all", a, b)
	}
	bad := *d
	bad.Targets = slices.Clone(d.Targets)
	bad.Targets[5] = 0
	if _, err := Fit(t.Context(), &bad, &Cox{}, &Trees{}, nil); !errors.Is(err, ErrData) {
		t.Errorf("time 0: error %v", err)
	}
	if _, err := Fit(t.Context(), d, &Cox{Newton{Loss: PoissonLoss}}, &Trees{}, nil); !errors.Is(err, ErrSettings) {
		t.Errorf("a loss: error %v", err)
	}
}
