package boost

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"haarlem/internal/must"
)

// TestTreesByPhi: to minimise a loss over a tree exactly, split by split, is to grow
// the tree by the criterion -phi: the logistic loss is C4.5's entropy, the squared
// one CART's Gini index, Matsushita's that of Kearns and Mansour.
func TestTreesByPhi(t *testing.T) {
	d := colours(500, 83)
	for i := range d.Columns[0] {
		if i%9 == 0 {
			d.Columns[0][i] = math.NaN()
		}
	}
	for name, c := range map[string]struct {
		criterion Criterion
		phi       func(float64) float64
		loss      MarginLoss
	}{
		"logistic":   {Entropy, logistic.Phi, LogisticLoss},
		"squared":    {Gini, squared.Phi, SquaredLoss},
		"matsushita": {Exponential, matsushita.Phi, MatsushitaLoss},
	} {
		for _, leaves := range []int{2, 5, 12} {
			by := func(l *Trees) *Tree {
				l.Leaves = leaves
				return mustFit(t, d, &Real{}, l, &Settings{Rounds: 1}).Model.Terms[0].Weak.(*Tree)
			}
			a, b := by(&Trees{Criterion: c.criterion}), by(&Trees{Phi: c.phi})
			if !slices.EqualFunc(a.Nodes, b.Nodes, func(x, y Node) bool {
				same := (x.In == nil) == (y.In == nil) && (x.In == nil || *x.In == *y.In)
				x.In, y.In = nil, nil
				return same && x == y
			}) {
				t.Errorf("%s, %d leaves: nodes\n%+v\nby phi\n%+v", name, leaves, a.Nodes, b.Nodes)
			}
			// The exact minimum of the loss over the leaves' values.
			smallest := 0.0
			var sums = map[int][2]float64{}
			for i, y := range d.Labels {
				k := b.leaf(d.Row(nil, i))
				s := sums[k]
				s[class(float64(y))]++
				sums[k] = s
			}
			direct := 0.0
			for _, s := range sums {
				p := s[1] / (s[0] + s[1])
				smallest -= (s[0] + s[1]) * c.phi(p)
				if p > 0 && p < 1 {
					f := c.loss.Link(p)
					direct += s[1]*c.loss.MarginValue(f) + s[0]*c.loss.MarginValue(-f)
				}
			}
			if math.Abs(smallest-direct) > 1e-9*(1+smallest) {
				t.Errorf("%s: criterion %v, loss %v", name, smallest, direct)
			}
		}
	}
}

// TestRecursiveBoosting: votes of votes tell what one vote of stumps cannot, however
// long: points by the parity of two signs.
func TestRecursiveBoosting(t *testing.T) {
	d := mixture(400, 84)
	for i := range d.Labels {
		d.Labels[i] = 1
		if (d.Columns[0][i] > 0) != (d.Columns[1][i] > 0) {
			d.Labels[i] = -1
		}
	}
	flat := must.Get(mustFit(t, d, &Discrete{}, &Stumps{}, &Settings{Rounds: 100}).Model.Error(d))
	m := mustFit(t, d, &Discrete{}, &Boosted{Learner: &Stumps{}, Rounds: 9}, &Settings{Rounds: 60}).Model
	deep := must.Get(m.Error(d))
	if !(deep < 0.7*flat) {
		t.Errorf("error %v of votes of votes, %v of one vote", deep, flat)
	}
	read := reloaded(t, m)
	if !slices.Equal(must.Get(read.Scores(d)), must.Get(m.Scores(d))) {
		t.Error("other scores when read from a file")
	}
}

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
			lower := slices.Min(must.Get(res.Model.Margins(d)))
			if lower > best+1e-9 || lower < best-nu {
				t.Errorf("seed %d, %s: margin %.5f after %d rounds, want within %v of %.5f", seed, b.Name(), lower, res.Rounds, nu, best)
			}
			if smallest < best-1e-9 {
				t.Errorf("seed %d, %s: an edge of %v, below the largest margin %v: duality is broken", seed, b.Name(), smallest, best)
			}
			t.Logf("seed %d, %s: margin %.5f of %.5f after %d rounds", seed, b.Name(), lower, best, res.Rounds)
		}
	}
}
