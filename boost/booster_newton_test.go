package boost

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// curve is a regression: a smooth function of two columns and some noise.
func curve(rows int, seed uint64, noise float64) *Data {
	r := rand.New(rand.NewPCG(seed, 21))
	d := blank(rows, 3)
	d.Targets = make([]float64, rows)
	for i := range rows {
		for j := range d.Columns {
			d.Columns[j][i] = 4*r.Float64() - 2
		}
		d.Targets[i] = math.Sin(2*d.Columns[0][i]) + d.Columns[1][i]*d.Columns[1][i] + noise*r.NormFloat64()
	}
	return d
}

var allLosses = []Loss{
	LogisticLoss, SquaredLoss, MatsushitaLoss, ExponentialLoss, HingeLoss(0), HingeLoss(0.5),
	must.Get((&Phi{Function: logistic.Phi}).Loss()), must.Get((&Phi{Function: matsushita.Phi, Slope: matsushita.Link}).Loss()),
	LeastSquaresLoss, HuberLoss(0), HuberLoss(0.3), QuantileLoss(0), QuantileLoss(0.9), PoissonLoss, GammaLoss, TweedieLoss(1.2),
}

// TestLossDerivatives: gradients are slopes of values, curvatures slopes of
// gradients where they are not bounds, and links are inverses.
func TestLossDerivatives(t *testing.T) {
	for _, l := range allLosses {
		targets := []float64{-1, 1}
		if _, ok := l.(restricted); !ok || !l.(restricted).allows(-1) {
			targets = []float64{0, 0.7, 3}
		}
		for _, y := range targets {
			for _, f := range []float64{-2.3, -0.61, 0.05, 0.4, 1.7} {
				const h = 1e-5
				slope := (l.Value(y, f+h) - l.Value(y, f-h)) / (2 * h)
				if g := l.Gradient(y, f); math.Abs(g-slope) > 2e-5 {
					t.Errorf("%s: gradient %v at y %v, f %v, the slope is %v", l.Name(), g, y, f, slope)
				}
				bend := (l.Gradient(y, f+h) - l.Gradient(y, f-h)) / (2 * h)
				switch c := l.Curvature(y, f); {
				case c < 0:
					t.Errorf("%s: curvature %v", l.Name(), c)
				case c < bend-1e-3:
					t.Errorf("%s: curvature %v at y %v, f %v is below %v", l.Name(), c, y, f, bend)
				default:
					if _, ok := l.(straight); !ok && c > bend+1e-3 && (l != Loss(SquaredLoss)) {
						t.Errorf("%s: curvature %v at y %v, f %v, want %v", l.Name(), c, y, f, bend)
					}
				}
			}
		}
		for _, p := range []float64{0.1, 0.37, 0.5, 0.8} {
			if got := l.Inverse(l.Link(p)); got == got && math.Abs(got-p) > 1e-5 {
				t.Errorf("%s: the mean %v comes back as %v", l.Name(), p, got)
			}
		}
	}
}

// TestLogLinkLosses: gradients and curvatures are LightGBM's, written as its
// source does, and the best constant score is the logarithm of the mean.
func TestLogLinkLosses(t *testing.T) {
	const rho = 1.3
	for _, f := range []float64{-1.1, 0, 0.8} {
		for _, y := range []float64{0.2, 1, 5} {
			for _, c := range []struct {
				l    Loss
				g, h float64
			}{
				{GammaLoss, 1 - y*math.Exp(-f), y * math.Exp(-f)},
				{
					TweedieLoss(rho), -y*math.Exp((1-rho)*f) + math.Exp((2-rho)*f),
					-y*(1-rho)*math.Exp((1-rho)*f) + (2-rho)*math.Exp((2-rho)*f),
				},
			} {
				if g, h := c.l.Gradient(y, f), c.l.Curvature(y, f); math.Abs(g-c.g) > 1e-12 || math.Abs(h-c.h) > 1e-12 {
					t.Errorf("%s: gradient %v, curvature %v, want %v, %v", c.l.Name(), g, h, c.g, c.h)
				}
			}
		}
	}
	// One column of one value has no split: the prediction is the mean, 2.
	d := &Data{Columns: [][]float64{make([]float64, 40)}, Targets: make([]float64, 40)}
	for i := range d.Targets {
		d.Targets[i] = []float64{0.5, 3.5}[i%2]
	}
	for _, l := range []Loss{GammaLoss, TweedieLoss(0)} {
		res := must.Get(Fit(t.Context(), d, &Newton{Loss: l}, &Trees{}, &Settings{Rounds: 30}))
		p := must.Get(res.Model.Predict(d))
		if math.Abs(p.Means[0]-2) > 1e-9 {
			t.Errorf("%s: %v, want 2", l.Name(), p.Means[0])
		}
		d.Targets[0] = 0 // Tweedie's may be 0
		if _, err := Fit(t.Context(), d, &Newton{Loss: l}, &Trees{}, nil); (l == GammaLoss) != errors.Is(err, ErrData) {
			t.Errorf("%s of 0: error %v", l.Name(), err)
		}
		d.Targets[0] = 0.5
	}
}

// TestPhiIsTheLoss: what follows numerically from phi is what formulas say.
func TestPhiIsTheLoss(t *testing.T) {
	for _, want := range []permissible{logistic, matsushita} {
		for k, p := range []*Phi{
			{Function: want.Phi}, {Function: want.Phi, Slope: want.Link},
			{Function: want.Phi, Slope: want.Link, Dual: want.Inverse},
		} {
			l, tolerance := must.Get(p.Loss()), []float64{1e-5, 1e-9, 1e-9}[k]
			for _, m := range []float64{-6, -1.5, -0.2, 0, 0.3, 2, 6} {
				for name, got := range map[string][2]float64{
					"value":       {l.MarginValue(m), want.MarginValue(m)},
					"weight":      {l.Weight(m), want.Weight(m)},
					"curvature":   {l.MarginCurvature(m), want.MarginCurvature(m)},
					"probability": {l.Inverse(m), want.Inverse(m)},
				} {
					if math.Abs(got[0]-got[1]) > tolerance && !(name == "curvature" && math.Abs(got[0]-got[1]) < 1e-5) {
						t.Errorf("%v, %d functions given: %s %v at margin %v, want %v", want, k+1, name, got[0], m, got[1])
					}
				}
			}
		}
	}
}

// TestPhiIsChecked: a function that is not permissible is an error that says why,
// for losses and for trees.
func TestPhiIsChecked(t *testing.T) {
	entropy := logistic.Phi
	for want, p := range map[string]*Phi{
		"missing":                {},
		"give it the other sign": {Function: func(w float64) float64 { return -entropy(w) }},
		"phi(0) is NaN":          {Function: func(w float64) float64 { return w*math.Log(w) + (1-w)*math.Log(1-w) }},
		"phi(0) is +Inf":         {Function: func(w float64) float64 { return 1 / (w * (1 - w)) }},
		"symmetric about 1/2":    {Function: func(w float64) float64 { return w*w - w/2 }},
		"not convex at":          {Function: func(w float64) float64 { v := 2*w - 1; return v*v*v*v - v*v }},
		"straight somewhere":     {Function: func(w float64) float64 { return math.Abs(2*w - 1) }},
		"Slope(0.05) is":         {Function: entropy, Slope: func(w float64) float64 { return -logistic.Link(w) }},
		"Bend(0.05) is":          {Function: entropy, Bend: func(w float64) float64 { return 1 }},
		"Dual(-2.94":             {Function: entropy, Dual: func(f float64) float64 { return 1 / (1 + math.Exp(f)) }},
	} {
		p.Word = "mine"
		if _, err := p.Loss(); !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "mine") {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if p.Function == nil || p.Slope != nil || p.Bend != nil || p.Dual != nil {
			continue
		}
		if _, err := Fit(t.Context(), tutorial(), &Gentle{}, &Trees{Phi: p.Function}, nil); !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), want) {
			t.Errorf("trees: error %v, want one with %q", err, want)
		}
	}
	for _, power := range []float64{0.05, 0.25, 0.5, 0.9, 1} {
		if _, err := powerPhi(power).Loss(); err != nil {
			t.Errorf("power %v: %v", power, err)
		}
	}
}

// TestNewtonLossFalls: every loss falls in training and is better than a
// constant on new rows.
func TestNewtonLossFalls(t *testing.T) {
	for _, l := range allLosses {
		train, test := mixture(200, 31), mixture(200, 32)
		if r, ok := l.(restricted); !ok || !r.allows(-1) {
			train, test = curve(200, 31, 0.3), curve(200, 32, 0.3)
			if ok {
				for _, d := range []*Data{train, test} {
					for i, y := range d.Targets {
						d.Targets[i] = math.Round(max(0, y))
						if !r.allows(0) {
							d.Targets[i] = 0.1 + max(0, y)
						}
					}
				}
			}
		}
		mean := MeanLoss(l)
		of := func(m *Model, d *Data) float64 {
			p := must.Get(m.Predict(d))
			return mean.Value(p)
		}
		before := math.Inf(1)
		res := mustFit(t, train, &Newton{Loss: l}, &Trees{Depth: 3}, &Settings{Rounds: 40, Shrinkage: 0.2})
		for n := 0; n <= len(res.Model.Terms); n += 5 {
			now := of(res.Model.Truncate(n), train)
			if now > before+1e-9 {
				t.Errorf("%s: mean loss %v after %d rounds, %v before", l.Name(), now, n, before)
			}
			before = now
		}
		floor := 0.0 // the loss of the best score of each row
		for i := range test.Rows() {
			best := math.Inf(1)
			for f := -8.0; f <= 8; f += 0.25 {
				best = min(best, l.Value(test.target(i), f))
			}
			floor += best / float64(test.Rows())
		}
		first, last := of(res.Model.Truncate(0), test)-floor, of(res.Model.Truncate(12), test)-floor
		if !(last < 0.9*first) {
			t.Errorf("%s: test loss %v of a constant, %v after 12 rounds, both above %v", l.Name(), first, last, floor)
		}
	}
}

// TestNewtonStepByHand: one tree on four rows is what the formulas say.
func TestNewtonStepByHand(t *testing.T) {
	d := &Data{Columns: [][]float64{{1, 2, 3, 4}}, Targets: []float64{1, 2, 9, 12}}
	res := mustFit(t, d, &Newton{L2: 2}, &Stumps{}, &Settings{Rounds: 1})
	if math.Abs(res.Model.Bias-6) > 1e-12 {
		t.Errorf("bias %v, want the mean, 6", res.Model.Bias)
	}
	// Residuals -5 -4 3 6; the cut in the middle has the largest gain, and
	// leaves are sums over 2 + L2 rows.
	tree := res.Model.Terms[0].Weak.(*Tree)
	if tree.Nodes[0].Threshold != 2.5 || math.Abs(tree.Leaves[0]+9.0/4) > 1e-12 || math.Abs(tree.Leaves[1]-9.0/4) > 1e-12 {
		t.Errorf("tree %+v", tree)
	}
	// A leaf must have three rows: nothing can be cut.
	if res := mustFit(t, d, &Newton{MinWeight: 2.5}, &Stumps{}, nil); res.Status != NoEdge || len(res.Model.Terms) > 0 {
		t.Errorf("status %v with %d terms", res.Status, len(res.Model.Terms))
	}
	// With a penalty of 3, sums of 9 are 6, and with one of 9 nothing.
	tree = mustFit(t, d, &Newton{L1: 3, L2: 2}, &Stumps{}, &Settings{Rounds: 1}).Model.Terms[0].Weak.(*Tree)
	if tree.Nodes[0].Threshold != 2.5 || math.Abs(tree.Leaves[0]+6.0/4) > 1e-12 || math.Abs(tree.Leaves[1]-6.0/4) > 1e-12 {
		t.Errorf("L1: tree %+v", tree)
	}
	if res := mustFit(t, d, &Newton{L1: 9}, &Stumps{}, nil); len(res.Model.Terms) > 0 {
		t.Errorf("%d terms with a penalty above every sum", len(res.Model.Terms))
	}
	// The gain of that cut is (81/4 + 81/4)/2.
	for gain, want := range map[float64]int{20.2: 1, 20.3: 0} {
		if res := mustFit(t, d, &Newton{L2: 2, MinGain: gain}, &Stumps{}, &Settings{Rounds: 1}); len(res.Model.Terms) != want {
			t.Errorf("gain %v: %d terms, want %d", gain, len(res.Model.Terms), want)
		}
	}
	// A row of weight two is two rows.
	twice := d.Subset([]int{0, 1, 1, 2, 3, 3, 3})
	weighted := *d
	weighted.Weights = []float64{1, 2, 1, 3}
	a, b := mustFit(t, twice, &Newton{}, &Trees{}, nil), mustFit(t, &weighted, &Newton{}, &Trees{}, nil)
	near(t, "scores", must.Get(a.Model.Scores(d)), must.Get(b.Model.Scores(d)), 1e-9)
}

// TestNewtonMonotone: along a constrained column no score falls, whatever the
// other columns are; without the constraint some do.
func TestNewtonMonotone(t *testing.T) {
	d := curve(600, 41, 0.5)
	for i := range d.Targets {
		d.Targets[i] += d.Columns[0][i] // rises, with waves on it
	}
	falls := func(monotone []int8, depth int) (n int) {
		m := mustFit(t, d, &Newton{Monotone: monotone}, &Trees{Depth: depth}, &Settings{Rounds: 60, Shrinkage: 0.3}).Model
		r := rand.New(rand.NewPCG(1, 1))
		for range 300 {
			x := []float64{0, 4*r.Float64() - 2, 4*r.Float64() - 2}
			before := math.Inf(-1)
			for v := -2.5; v < 2.5; v += 0.05 {
				x[0] = v
				s := m.Score(x)
				if s < before-1e-12 {
					n++
				}
				before = s
			}
		}
		return n
	}
	for _, depth := range []int{1, 2, 5} {
		if n := falls([]int8{1, 0, 0}, depth); n > 0 {
			t.Errorf("depth %d: the score falls %d times", depth, n)
		}
		if n := falls(nil, depth); n == 0 {
			t.Errorf("depth %d: the score never falls without a constraint", depth)
		}
	}
	// Down is up of the negative.
	up := mustFit(t, d, &Newton{Monotone: []int8{1, 0, -1}}, &Trees{Depth: 3}, nil).Model
	flipped := *d
	flipped.Targets = slices.Clone(d.Targets)
	for i := range flipped.Targets {
		flipped.Targets[i] *= -1
	}
	down := mustFit(t, &flipped, &Newton{Monotone: []int8{-1, 0, 1}}, &Trees{Depth: 3}, nil).Model
	want := must.Get(up.Scores(d))
	for i := range want {
		want[i] *= -1
	}
	near(t, "scores", must.Get(down.Scores(d)), want, 1e-9)
}

// TestNewtonInteractions: the columns of a path are of one group, and of none are
// alone; without the constraint trees mix them.
func TestNewtonInteractions(t *testing.T) {
	d := mixture(300, 47)
	d.Columns = append(d.Columns, d.Columns[0], d.Columns[1])
	for _, column := range []*[]float64{&d.Columns[len(d.Columns)-2], &d.Columns[len(d.Columns)-1]} {
		*column = slices.Clone(*column)
		slices.Reverse(*column)
	}
	groups := [][]int{{0, 1}, {1, 2}}
	mixed := func(groups [][]int) (n int) {
		m := mustFit(t, d, &Newton{Interactions: groups, MinWeight: 1e-9}, &Trees{Leaves: 12}, &Settings{Rounds: 20, Shrinkage: 0.3}).Model
		var visit func(tr *Tree, c int32, path []int)
		visit = func(tr *Tree, c int32, path []int) {
			if c <= 0 && path != nil {
				return
			}
			path = append(slices.Clip(path), tr.Nodes[c].Column)
			alone := !slices.ContainsFunc(path, func(j int) bool { return j != path[0] })
			if !alone && !slices.ContainsFunc([][]int{{0, 1}, {1, 2}}, func(g []int) bool {
				return !slices.ContainsFunc(path, func(j int) bool { return !slices.Contains(g, j) })
			}) {
				n++
			}
			visit(tr, tr.Nodes[c].Left, path)
			visit(tr, tr.Nodes[c].Right, path)
		}
		for _, term := range m.Terms {
			visit(term.Weak.(*Tree), 0, nil)
		}
		return n
	}
	if n := mixed(groups); n > 0 {
		t.Errorf("%d paths leave their group", n)
	}
	if mixed(nil) == 0 {
		t.Error("no path mixes columns without a constraint")
	}
}

// TestNewtonDrop: scores are those of the terms after trees were left out and scaled,
// the first trees say less than without, and the loss of new rows falls.
func TestNewtonDrop(t *testing.T) {
	d, test := mixture(300, 47), mixture(300, 48)
	run := finish(begin(d, &Newton{Drop: 0.2}, &Trees{Depth: 3}, &Settings{Rounds: 30, Shrinkage: 0.3, Seed: 5}))
	m := run.Result().Model
	near(t, "scores", run.Scores(), must.Get(m.Scores(d)), 1e-12)
	whole := 0
	for _, term := range m.Terms {
		if term.Coef == 0.3 {
			whole++
		}
	}
	if len(m.Terms) != 30 || whole > 20 || m.Terms[0].Coef > 0.29 {
		t.Errorf("%d terms, %d of them never scaled, the first by %v", len(m.Terms), whole, m.Terms[0].Coef)
	}
	loss := MeanLoss(LogisticLoss)
	if first, last := loss.Value(must.Get(m.Truncate(0).Predict(test))), loss.Value(must.Get(m.Predict(test))); last > 0.8*first {
		t.Errorf("loss %v of new rows, %v of a constant", last, first)
	}
	refuses(t, "Cyclic with Drop", ErrSettings, d, &Cyclic{Newton: Newton{Drop: 0.1}}, &Stumps{}, nil)
}

// TestQuantiles: about the share asked for lies below the score.
func TestQuantiles(t *testing.T) {
	train, test := curve(1000, 51, 1), curve(1000, 52, 1)
	for _, share := range []float64{0.1, 0.5, 0.9} {
		m := mustFit(t, train, &Newton{Loss: QuantileLoss(share)}, &Trees{Depth: 3}, &Settings{Rounds: 60, Shrinkage: 0.1}).Model
		below := 0.0
		for i, s := range must.Get(m.Scores(test)) {
			if test.Targets[i] <= s {
				below += 1.0 / 1000
			}
		}
		if math.Abs(below-share) > 0.06 {
			t.Errorf("%.3f of the new rows are below the %v quantile", below, share)
		}
	}
}

// TestNewtonCategories: levels are parted natively: a target that depends on a
// set of levels needs one split, with missing values a level of their own.
func TestNewtonCategories(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	levels := []string{"a", "b", "c", "d", "e", "f", "g"}
	d := &Data{Schema: Schema{Levels: [][]string{levels, nil}}, Columns: [][]float64{nil, nil}}
	for range 700 {
		c := float64(r.IntN(8))
		y := -1.0
		if c == 1 || c == 4 || c == 6 || c == 7 {
			y = 1
		}
		if c == 7 {
			c = math.NaN()
		}
		d.Columns[0] = append(d.Columns[0], c)
		d.Columns[1] = append(d.Columns[1], r.NormFloat64())
		d.Targets = append(d.Targets, y)
	}
	classes := *d
	classes.Targets = nil
	for _, y := range d.Targets {
		classes.Labels = append(classes.Labels, int8(y))
	}
	for name, m := range map[string]*Model{
		"newton":   mustFit(t, d, &Newton{L2: 1e-9}, &Stumps{}, &Settings{Rounds: 1}).Model,
		"logistic": mustFit(t, &classes, &Newton{}, &Trees{Depth: 2}, &Settings{Rounds: 1}).Model,
		"discrete": mustFit(t, &classes, &Discrete{}, &Stumps{}, &Settings{Rounds: 1}).Model,
		"gentle":   mustFit(t, &classes, &Gentle{}, &Trees{Leaves: 2}, &Settings{Rounds: 1}).Model,
		"linear":   mustFit(t, &classes, &Discrete{}, &LinearTrees{}, &Settings{Rounds: 1}).Model,
	} {
		for i, y := range d.Targets {
			x := d.Row(nil, i)
			if s := m.Score(x); s*y <= 0 {
				t.Fatalf("%s: score %v of level %v, target %v", name, s, x[0], y)
			}
		}
		read := reloaded(t, m)
		if !slices.Equal(must.Get(read.Scores(d)), must.Get(m.Scores(d))) {
			t.Errorf("%s: other scores when read from a file", name)
		}
	}
	many := Schema{Levels: [][]string{make([]string, 256)}}
	for i := range many.Levels[0] {
		many.Levels[0][i] = string(rune('a' + i))
	}
	refuses(t, "256 levels", ErrData, &Data{Schema: many, Columns: [][]float64{{0, 1}}, Labels: []int8{1, -1}}, &Gentle{}, &Stumps{}, nil)
}

// TestPatience: early stopping goes by whatever metric: a run ends so many rounds after
// the best of the validation data, and its model goes back to that round.
func TestPatience(t *testing.T) {
	d, v := mixture(200, 61), mixture(400, 62)
	for _, c := range []struct {
		b      Booster
		metric *Metric
	}{{&Newton{}, nil}, {&Newton{}, &AUC}, {&Newton{}, &LogLoss}, {&Newton{}, &Brier}, {&Real{}, &ErrorRate}, {&Real{}, nil}} {
		var seen []float64
		res := mustFit(t, d, c.b, &Trees{}, &Settings{
			Rounds: 500, Shrinkage: 0.3, Validation: v, Patience: 15, Metric: c.metric,
			Recorder: func(r *Round) error { seen = append(seen, r.ValidError); return nil },
		})
		best, metric := slices.Index(seen, slices.Min(seen)), MeanLoss(LogisticLoss)
		if c.metric != nil {
			metric = *c.metric
		} else if c.b.Name() == "real" {
			metric = ErrorRate
		}
		if metric.Higher {
			best = slices.Index(seen, slices.Max(seen))
		}
		if res.Status != Patience || len(res.Model.Terms) != best+1 || res.Rounds != best+16 {
			t.Errorf("%s, %s: %v after %d rounds with %d terms, the best round was %d", c.b.Name(), metric.Name, res.Status, res.Rounds, len(res.Model.Terms), best+1)
		}
		if got := metric.Value(must.Get(res.Model.Predict(v))); got != seen[best] {
			t.Errorf("%s, %s: %v, the recorder heard %v", c.b.Name(), metric.Name, got, seen[best])
		}
	}
	one := *v
	one.Labels = slices.Repeat([]int8{1}, v.Rows())
	refuses(t, "the AUC of one class", ErrSettings, d, &Newton{}, &Trees{}, &Settings{Validation: &one, Metric: &AUC, Patience: 5})
}

// TestRowShare: rows are drawn anew each round, the same for the same seed, of those with
// weight.
func TestRowShare(t *testing.T) {
	d, test := mixture(300, 71), mixture(2000, 72)
	a := mustFit(t, d, &Newton{}, &Trees{}, &Settings{RowShare: 0.5, Shrinkage: 0.1, Seed: 4}).Model
	b := mustFit(t, d, &Newton{}, &Trees{}, &Settings{RowShare: 0.5, Shrinkage: 0.1, Seed: 4, Workers: 1}).Model
	c := mustFit(t, d, &Newton{}, &Trees{}, &Settings{RowShare: 0.5, Shrinkage: 0.1, Seed: 5}).Model
	if !slices.Equal(must.Get(a.Scores(d)), must.Get(b.Scores(d))) || slices.Equal(must.Get(a.Scores(d)), must.Get(c.Scores(d))) {
		t.Error("the seed does not decide which rows are drawn, or not alone")
	}
	if e := must.Get(a.Error(test)); e > 0.25 {
		t.Errorf("test error %v", e)
	}
	st := &state{Labels: make([]float64, 100), settings: Settings{RowShare: 0.2}}
	if rows := st.drawRows(nil); len(rows) != 20 || !slices.IsSorted(rows) {
		t.Errorf("drew %v", rows)
	}
	if rows := st.drawRows([]int32{3, 5, 9, 11, 40}); len(rows) != 1 || !slices.Contains([]int32{3, 5, 9, 11, 40}, rows[0]) {
		t.Errorf("drew %v", rows)
	}
	st.Base = make([]float64, 100)
	for i := range 40 {
		st.Base[2*i+1] = 1
	}
	if rows := st.drawRows(nil); len(rows) != 8 || !slices.IsSorted(rows) || slices.ContainsFunc(rows, func(i int32) bool { return st.Base[i] == 0 }) {
		t.Errorf("drew %v, want 8 of the 40 rows with weight", rows)
	}
}

// TestNewtonRefuses: impossible settings and targets are errors.
func TestNewtonRefuses(t *testing.T) {
	d, c := mixture(50, 1), curve(50, 1, 0)
	for name, c := range map[string]struct {
		d *Data
		b Booster
		l Learner
		s *Settings
	}{
		"negative L2":              {d, &Newton{L2: -1}, &Trees{}, nil},
		"monotone of too few":      {d, &Newton{Monotone: []int8{1}}, &Trees{}, nil},
		"interaction of no column": {d, &Newton{Interactions: [][]int{{0, 99}}}, &Trees{}, nil},
		"monotone of 2":            {c, &Newton{Monotone: []int8{2, 0, 0}}, &Trees{}, nil},
		"histograms":               {d, &Newton{}, &Histograms{}, nil},
		"classes of numbers":       {c, &Newton{Loss: LogisticLoss}, &Trees{}, nil},
		"negative counts":          {c, &Newton{Loss: PoissonLoss}, &Trees{}, nil},
		"numbers for AdaBoost":     {c, &Discrete{}, &Stumps{}, nil},
		"labels beside numbers":    {c, &Newton{}, &Trees{}, &Settings{Validation: d}},
		"several classes":          {rings(50, 3, 9), &Newton{}, &Trees{}, nil},
	} {
		if _, err := Fit(t.Context(), c.d, c.b, c.l, c.s); !errors.Is(err, ErrSettings) && !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
