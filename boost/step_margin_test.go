package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"haarlem/internal/must"
)

// votes are functions that each look up their own column, whose values are -1
// and +1, and a table on which their best combination has a positive margin.
func votes(rows, functions int, seed uint64) (*Data, Functions) {
	r := rand.New(rand.NewPCG(seed, 21))
	d := &Data{Labels: make([]int8, rows)}
	for i := range d.Labels {
		d.Labels[i] = int8(i%2)*2 - 1
	}
	var list Functions
	for j := range functions {
		c := make([]float64, rows)
		for i := range c {
			c[i] = float64(d.Labels[i])
			if r.Float64() < 0.3 {
				c[i] = -c[i]
			}
		}
		d.Columns = append(d.Columns, c)
		list = append(list, func(x []float64) float64 { return x[j] })
	}
	return d, list
}

// largestMargin solves the linear program: the largest rho so that some
// convex combination of the columns and their negatives has a margin of rho.
func largestMargin(t *testing.T, d *Data) float64 {
	t.Helper()
	rows, n := d.Rows(), len(d.Columns)
	// Variables: 2n coefficients, rho+1 (which is not negative), and slacks.
	vars := 2*n + 1 + rows
	a := mat.NewDense(rows+1, vars, nil)
	b := make([]float64, rows+1)
	c := make([]float64, vars)
	c[2*n] = -1
	for i := range rows {
		for j := range n {
			m := float64(d.Labels[i]) * d.Columns[j][i]
			a.Set(i, 2*j, m)
			a.Set(i, 2*j+1, -m)
		}
		a.Set(i, 2*n, -1)
		a.Set(i, 2*n+1+i, -1)
		b[i] = -1
	}
	for j := range 2 * n {
		a.Set(rows, j, 1)
	}
	b[rows] = 1
	value, _ := must.Get2(lp.Simplex(c, a, b, 1e-10, nil))
	return -value - 1
}

// TestMarginBoosters: after as many rounds as the theorem asks for, the margin
// is within Nu of the linear program's, and never above it.
func TestMarginBoosters(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for seed := range uint64(2) {
		d, list := votes(24, 14, seed)
		best := largestMargin(t, d)
		if best < 0.02 {
			t.Fatalf("seed %d: the largest margin is %v: not a test of anything", seed, best)
		}
		const nu = 0.03
		rounds := int(math.Ceil(2*math.Log(24)/(nu*nu))) + 1
		for _, b := range []Booster{&Star{Nu: nu}, &Marginal{Nu: nu}} {
			budget := rounds
			if b.Name() == "marginal" {
				budget *= 8 // several searches, each with its own goal
			}
			var smallest float64 = 1
			res := mustFit(t, d, b, list, &Settings{Rounds: budget, Recorder: func(r *Round) error {
				if r.Weak != nil {
					smallest = min(smallest, r.Edge)
				}
				return nil
			}})
			lower := math.Inf(1)
			for _, m := range must.Get(res.Model.Margins(d)) {
				lower = min(lower, m)
			}
			if lower > best+1e-9 || lower < best-nu {
				t.Errorf("seed %d, %s: margin %.5f after %d rounds, want within %v of %.5f", seed, b.Name(), lower, res.Rounds, nu, best)
			}
			if smallest < best-1e-9 {
				t.Errorf("seed %d, %s: an edge of %v, below the largest margin %v: duality is broken", seed, b.Name(), smallest, best)
			}
			t.Logf("seed %d, %s: margin %.5f of %.5f after %d rounds", seed, b.Name(), lower, best, res.Rounds)
		}
		// AdaBoost does not maximise the margin and stays behind.
		ada := mustFit(t, d, &Discrete{}, list, &Settings{Rounds: rounds})
		lower := math.Inf(1)
		for _, m := range must.Get(ada.Model.Margins(d)) {
			lower = min(lower, m)
		}
		t.Logf("seed %d, discrete: margin %.5f", seed, lower)
	}
}

// TestStarFormulas checks the first rounds against the paper's equations,
// computed here from nothing but the edges and the outputs.
func TestStarFormulas(t *testing.T) {
	d := mixture(200, 31)
	run := must.Get(Start(&Problem{Data: d}, &Star{Nu: 0.1}, &Stumps{}, &Settings{Rounds: 30}))
	weights := make([]float64, d.Rows())
	for i := range weights {
		weights[i] = 1 / float64(d.Rows())
	}
	smallest := 1.0
	for run.Status() == Going {
		near(t, "weights", run.st.Weights, weights, 1e-9)
		r := must.Get(run.Next(context.Background()))
		smallest = min(smallest, r.Edge)
		rho := smallest - 0.1
		want := 0.5*math.Log((1+r.Edge)/(1-r.Edge)) - 0.5*math.Log((1+rho)/(1-rho))
		if math.Abs(r.Coef-want) > 1e-9 {
			t.Fatalf("round %d: coefficient %v, want %v", r.Number, r.Coef, want)
		}
		sum := 0.0
		for i := range weights {
			weights[i] *= math.Exp(-want * float64(d.Labels[i]) * r.Weak.Value(d.Row(nil, i)))
			sum += weights[i]
		}
		for i := range weights {
			weights[i] /= sum
		}
	}
}
