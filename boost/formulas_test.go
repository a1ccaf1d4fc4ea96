package boost

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// A second implementation of the papers: results of boosters are recomputed by
// the plainest means, from labels, outputs and Go's math alone.

// bisect returns a zero of f between lo and hi, where it has other signs.
func bisect(t *testing.T, lo, hi float64, f func(float64) float64) float64 {
	t.Helper()
	a, b := f(lo), f(hi)
	if a == 0 {
		return lo
	}
	if b == 0 {
		return hi
	}
	if (a < 0) == (b < 0) {
		t.Fatalf("no change of sign between %v (%v) and %v (%v)", lo, a, hi, b)
	}
	for range 60 {
		mid := (lo + hi) / 2
		if (f(mid) < 0) == (a < 0) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// TestBrownBoostByBisection solves Freund's differential equation dt/da = edge
// by the two equations that its solution satisfies, with nothing but bisection:
// for each step the time at which the potential is what it was, and among these
// the first step that leaves no edge, or takes all the time.
func TestBrownBoostByBisection(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	ends := 0
	for seed := range uint64(2) {
		d := mixture(40, 140+seed)
		run := begin(d, &BrownBoost{Error: 0.2}, &Stumps{}, &Settings{Rounds: 40})
		st := run.st
		s := bisect(t, 0, 50, func(c float64) float64 { return 1 - math.Erf(math.Sqrt(c)) - 0.2 })
		c := s
		r := make([]float64, d.Rows())
		for run.Status() == Going {
			round := must.Get(run.Next(context.Background()))
			if round.Weak == nil || round.Status == Separated {
				break
			}
			m := make([]float64, len(r)) // y h
			for i := range m {
				m[i] = float64(d.Labels[i]) * round.Weak.Value(d.Row(nil, i))
			}
			potential := func(a, time float64) float64 {
				sum := 0.0
				for i := range r {
					sum += math.Erf((r[i]+a*m[i]+s-time)/math.Sqrt(c)) - math.Erf((r[i]+s)/math.Sqrt(c))
				}
				return sum
			}
			time := func(a float64) float64 {
				return bisect(t, -a-1, a+1, func(x float64) float64 { return potential(a, x) })
			}
			edge := func(a float64) float64 {
				sum, left := 0.0, s-time(a)
				for i := range r {
					u := r[i] + a*m[i] + left
					sum += m[i] * math.Exp(-u*u/c)
				}
				return sum
			}
			// Small steps until the edge is gone or the time is up.
			const small = 0.05
			a := small
			for edge(a) > 0 && time(a) < s {
				a += small
			}
			var took float64
			if time(a) >= s && (edge(a) > 0 || time(bisect(t, a-small, a, edge)) > s) {
				a = bisect(t, a-small, a, func(x float64) float64 { return time(x) - s })
				took = s
				ends++
				if round.Status != GoalMet {
					t.Errorf("seed %d round %d: the time is up, status %v", seed, round.Number, round.Status)
				}
			} else {
				a = bisect(t, a-small, a, edge)
				took = time(a)
			}
			if math.Abs(round.Coef-a) > 1e-6*(1+a) {
				t.Fatalf("seed %d round %d: step %v, bisection says %v", seed, round.Number, round.Coef, a)
			}
			if got := s - st.Memory[0]; math.Abs(got-took) > 1e-6 {
				t.Fatalf("seed %d round %d: time %v, bisection says %v", seed, round.Number, got, took)
			}
			for i := range r {
				r[i] += a * m[i]
			}
			s -= took
		}
		if run.Status() == GoalMet {
			// The promise: the mean of |y - erf(F/sqrt c)| is the target.
			sum := 0.0
			for i := range r {
				sum += (1 - math.Erf(r[i]/math.Sqrt(c))) / float64(len(r))
			}
			if math.Abs(sum-0.2) > 1e-5 {
				t.Errorf("seed %d: mean |y - p| is %v at the end, want the target 0.2", seed, sum)
			}
		}
	}
	if ends == 0 {
		t.Error("no run came to the end of its time")
	}
}

// TestMarginFormulas: the coefficient is ln((1+g)/(1-g))/2 - ln((1+rho)/(1-rho))/2 for the
// goal rho, and weights are those of AdaBoost. The goal of Star is the smallest edge less
// Nu; those of the steps of Marginal lie between its bounds.
func TestMarginFormulas(t *testing.T) {
	d := mixture(150, 141)
	for _, b := range []Booster{&Star{Nu: 0.1}, &Marginal{Nu: 0.1}} {
		run := begin(d, b, &Stumps{}, &Settings{Rounds: 200})
		st := run.st
		goals, smallest := map[float64]bool{}, 1.0
		for run.Status() == Going {
			memory, terms := slices.Clone(st.Memory), len(st.Model.Terms)
			old := slices.Clone(st.Weights)
			r := must.Get(run.Next(context.Background()))
			if len(st.Model.Terms) != terms+1 {
				continue // the step is over
			}
			h := values(r.Weak, d)
			edge := edgeOf(d, old, h)
			smallest = min(smallest, edge)
			goal := smallest - 0.1
			if b.Name() == "marginal" {
				if goal = memory[2]; goal < st.Memory[0]-1e-12 && st.Memory[4] == 0 && st.Memory[0] < goal || goal > st.Memory[1]+1e-12 {
					t.Errorf("round %d: goal %v outside of %v to %v", r.Number, goal, st.Memory[0], st.Memory[1])
				}
			}
			goals[goal] = true
			want := math.Atanh(edge) - math.Atanh(goal)
			if math.Abs(r.Coef-want) > 1e-9 {
				t.Fatalf("%s, round %d: coefficient %v, want %v", b.Name(), r.Number, r.Coef, want)
			}
			near(t, "weights", st.Weights, weightsBy(d, func(y float64, i int) float64 { return math.Log(old[i]) - want*y*h[i] }), 1e-9)
		}
		if len(goals) < 2 {
			t.Errorf("%s: goals %v: want several", b.Name(), goals)
		}
	}
}

// TestStarPerfect: a weak learner without error that comes late, as its column
// was not drawn before, is all of the model, the margin is 1, and the bound the loss of it
// alone.
func TestStarPerfect(t *testing.T) {
	d := mixture(100, 142)
	perfect := make([]float64, d.Rows())
	for i, y := range d.Labels {
		perfect[i] = float64(y)
	}
	d.Columns = append(d.Columns, perfect)
	if d.Names != nil {
		d.Names = append(d.Names, "perfect")
	}
	late := 0
	for seed := range uint64(20) {
		for _, b := range []Booster{&Star{}, &Marginal{}} {
			res := mustFit(t, d, b, &Stumps{}, &Settings{Rounds: 100, ColumnShare: 0.3, Seed: seed, Shrinkage: []float64{1, 0.1}[seed%2]})
			if res.Status != Separated {
				continue
			}
			if res.Rounds > 1 {
				late++
			}
			if len(res.Model.Terms) != 1 {
				t.Errorf("%s: %d terms, want the perfect one alone", b.Name(), len(res.Model.Terms))
			}
			if m := slices.Min(must.Get(res.Model.Margins(d))); m < 1-1e-9 {
				t.Errorf("%s: margin %v, want 1", b.Name(), m)
			}
			loss := 0.0
			for i, s := range must.Get(res.Model.Scores(d)) {
				loss += exp(-float64(d.Labels[i])*s) / float64(d.Rows())
			}
			if math.Abs(res.Bound-loss) > 1e-9 {
				t.Errorf("%s: bound %v, want the model's loss %v", b.Name(), res.Bound, loss)
			}
		}
	}
	if late == 0 {
		t.Error("the perfect column was always drawn at once")
	}
}

// TestKLFormulas: outputs are half the logarithm of the ratio of the class
// densities under the weights, and the coefficient is a minimum of the
// exponential loss.
func TestKLFormulas(t *testing.T) {
	d := mixture(300, 144)
	run := begin(d, &KL{Smooth: 0.01}, &Histograms{Bins: 8}, &Settings{Rounds: 12})
	for run.Status() == Going {
		w := slices.Clone(run.st.Weights)
		r := must.Get(run.Next(context.Background()))
		if r.Weak == nil {
			break
		}
		h := r.Weak.(*Histogram)
		class := map[int8]float64{}
		for i, y := range d.Labels {
			class[y] += w[i]
		}
		for b, leaf := range h.Leaves {
			density := map[int8]float64{}
			for i, y := range d.Labels {
				if v := d.Columns[h.Column][i]; v == v && int(code(v, h.Cuts)) == b {
					density[y] += w[i] / class[y] / 2
				}
			}
			if want := math.Log((density[1]+0.01)/(density[-1]+0.01)) / 2; math.Abs(leaf-want) > 1e-9 {
				t.Fatalf("round %d: bin %d answers %v, want %v", r.Number, b, leaf, want)
			}
		}
		slope := 0.0
		for i, y := range d.Labels {
			m := float64(y) * h.Value(d.Row(nil, i))
			slope += w[i] * m * math.Exp(-r.Coef*m)
		}
		if math.Abs(slope) > 1e-6 {
			t.Errorf("round %d: the loss has a slope of %v behind the step", r.Number, slope)
		}
	}
}

// TestFloatRelearns: with Relearn every term is what the weights before it ask
// for, as in the paper; some terms were removed on the way.
func TestFloatRelearns(t *testing.T) {
	removed := 0
	for seed := range uint64(6) {
		d := mixture(150, 70+seed)
		res := mustFit(t, d, &Float{Relearn: true}, &Stumps{}, &Settings{Rounds: 40})
		removed += res.Rounds - len(res.Model.Terms)
		scores := make([]float64, d.Rows())
		for k, term := range res.Model.Terms {
			w, h := weightsBy(d, func(y float64, i int) float64 { return -y * scores[i] }), values(term.Weak, d)
			for i := range h {
				scores[i] += term.Coef * h[i]
			}
			if want := math.Atanh(edgeOf(d, w, h)); math.Abs(term.Coef-want) > 1e-9 {
				t.Fatalf("seed %d: term %d has coefficient %v, want %v", seed, k, term.Coef, want)
			}
		}
	}
	if removed <= 0 {
		t.Error("no term was ever removed")
	}
}

// TestWeightFormulas recomputes weights, coefficients and scores from the papers'
// formulas, by the terms alone. The last step of Epsilon ends where its weak learner has
// no edge left.
func TestWeightFormulas(t *testing.T) {
	d := mixture(200, 60)
	var scores, influence []float64
	var total float64
	for _, c := range []struct {
		b        Booster
		exponent func(y, s float64, i int) float64
		largest  float64 // coefficient
		damping  float64
	}{
		{&Epsilon{Step: 0.05}, func(y, s float64, _ int) float64 { return -y * s }, 0.05, 0},
		{&Epsilon{Step: 3}, func(y, s float64, _ int) float64 { return -y * s }, 3, 0},
		{&WeightBoost{Beta: 0.7}, func(y, s float64, _ int) float64 { return -y*s - math.Abs(0.7*s) }, math.Inf(1), 0.7},
		{&Decay{C: 0.2}, func(y, s float64, i int) float64 { return -y*s - 0.2*total*math.Pow(influence[i]/total, 2) }, math.Inf(1), 0},
	} {
		run := begin(d, c.b, &Stumps{}, &Settings{Rounds: 20})
		scores, influence, total = make([]float64, d.Rows()), make([]float64, d.Rows()), 0
		weights := weightsBy(d, func(float64, int) float64 { return 0 })
		for run.Status() == Going {
			near(t, "weights", run.st.Weights, weights, 1e-9)
			r := must.Get(run.Next(context.Background()))
			if r.Weak == nil {
				break
			}
			h := values(r.Weak, d)
			if want := min(c.largest, math.Atanh(edgeOf(d, weights, h))); math.Abs(r.Coef-want) > 1e-9 {
				t.Fatalf("%+v, round %d: coefficient %v, want %v", c.b, r.Number, r.Coef, want)
			}
			total += math.Abs(r.Coef)
			for i := range h {
				scores[i] += r.Coef * math.Exp(-math.Abs(c.damping*scores[i])) * h[i]
				influence[i] += math.Abs(r.Coef) * weights[i] * float64(d.Rows())
			}
			near(t, "scores", must.Get(run.Result().Model.Scores(d)), scores, 1e-9)
			weights = weightsBy(d, func(y float64, i int) float64 { return c.exponent(y, scores[i], i) })
		}
	}
}

// TestFloatKeepsItsPromise: with as many terms, the model is never worse than
// the best that the run has seen, and no single term can be taken out to beat
// the best model of one term less.
func TestFloatKeepsItsPromise(t *testing.T) {
	removed := 0
	for seed := range uint64(6) {
		d := mixture(150, 70+seed)
		b := &Float{}
		run := begin(d, b, &Stumps{}, &Settings{Rounds: 60})
		best := map[int]float64{}
		for run.Status() == Going {
			terms := len(run.st.Model.Terms)
			r := must.Get(run.Next(context.Background()))
			st := run.st
			now := len(st.Model.Terms)
			if r.Status == NoEdge {
				break
			}
			if now <= terms {
				removed += terms + 1 - now
				if old, ok := best[now]; !ok || r.TrainError >= old {
					t.Errorf("seed %d round %d: went back to %d terms with error %v, the best was %v", seed, r.Number, now, r.TrainError, old)
				}
			}
			if old, ok := best[now]; !ok || r.TrainError < old {
				best[now] = r.TrainError
			}
			for k := range st.Model.Terms {
				less := st.Model.Truncate(now)
				less.Terms = slices.Delete(less.Terms, k, k+1)
				if e := must.Get(less.Error(d)); now > 1 && e < st.Memory[1:][now-1]-1e-9 {
					t.Errorf("seed %d round %d: without term %d the error is %v, the best of %d terms %v", seed, r.Number, k, e, now-1, st.Memory[1:][now-1])
				}
			}
			near(t, "scores", st.Scores, must.Get(st.Model.Scores(d)), 1e-9)
		}
	}
	if removed == 0 {
		t.Error("no term was ever removed")
	}
}

// TestKLChoosesTheLargestDivergence: the first column chosen is the one in
// which the class densities are furthest apart, whatever the priors.
func TestKLChoosesTheLargestDivergence(t *testing.T) {
	d := mixture(600, 80)
	var keep []int // six times as many rows of class -1 as of class +1
	for i, y := range d.Labels {
		if y < 0 || i%6 == 0 {
			keep = append(keep, i)
		}
	}
	d = d.Subset(keep)
	q := must.Get(Quantize(d, 16, EqualFrequency))
	best, upper := -1, 0.0
	for j := range d.Columns {
		var p [2][18]float64
		var n [2]float64
		for i, c := range q.Codes(j, nil) {
			k := (d.Labels[i] + 1) / 2
			p[k][c]++
			n[k]++
		}
		kl := 0.0
		for c := range p[0] {
			a, b := p[1][c]/n[1]+1e-9, p[0][c]/n[0]+1e-9
			kl += (a - b) * math.Log(a/b)
		}
		if kl > upper {
			best, upper = j, kl
		}
	}
	res := mustFit(t, d, &KL{}, &Histograms{}, &Settings{Rounds: 1})
	if h := res.Model.Terms[0].Weak.(*Histogram); h.Column != best {
		t.Errorf("column %d, want %d", h.Column, best)
	}
}

// TestFilteringVotes: a vote of three beats its first member on the rows it
// learned from, and nesting adds members.
func TestFilteringVotes(t *testing.T) {
	d := mixture(500, 90)
	one := mustFit(t, d, &Discrete{}, &Stumps{}, &Settings{Rounds: 1})
	three := mustFit(t, d, &Filtering{Depth: 1}, &Stumps{}, nil)
	nine := mustFit(t, d, &Filtering{}, &Stumps{}, nil)
	e1, e3, e9 := must.Get(one.Model.Error(d)), must.Get(three.Model.Error(d)), must.Get(nine.Model.Error(d))
	if !(e3 < e1 && e9 < e3) {
		t.Errorf("errors %v of one, %v of three, %v of nine: want them to fall", e1, e3, e9)
	}
	m, ok := three.Model.Terms[0].Weak.(*vote)
	if !ok || len(m.Terms) != 3 {
		t.Fatalf("a %T, want a vote of three", three.Model.Terms[0].Weak)
	}
	// The second is right on half of what the first is right on, by weight of
	// the filter: it beats chance there, so it is not the first again.
	if m.Terms[0].Weak.(*Tree).Nodes[0] == m.Terms[1].Weak.(*Tree).Nodes[0] {
		t.Error("the filter changed nothing")
	}
}

// TestFilteringDraws: a weak learner's rows are drawn through the filter. Their
// shares are whole numbers of draws, near the probabilities that the filter
// leaves, none has a row that does not pass, and the seed decides all of it.
func TestFilteringDraws(t *testing.T) {
	d := mixture(300, 92)
	fit := func(seed uint64) [][]float64 {
		l := &spy{learner: &Stumps{}}
		mustFit(t, d, &Filtering{Depth: 1, Sample: 40_000}, l, &Settings{Seed: seed})
		if len(l.weights) != 3 {
			t.Fatalf("%d searches, want 3", len(l.weights))
		}
		for k, w := range l.weights {
			want := make([]float64, d.Rows())
			for i, y := range d.Labels {
				right := func(h int) bool { return (l.outputs[h][i] < 0) == (y < 0) }
				switch {
				case k == 0:
					want[i] = 1
				case k == 1 && right(0):
					want[i] = 0.5 / share(d, l.outputs[0], true)
				case k == 1:
					want[i] = 0.5 / share(d, l.outputs[0], false)
				case right(0) != right(1):
					want[i] = 1
				}
			}
			normalise(want)
			for i := range w {
				if n := w[i] * 40_000; math.Abs(n-math.Round(n)) > 1e-6 {
					t.Fatalf("search %d: row %d was drawn %v times", k, i, n)
				}
				p := want[i]
				if p == 0 && w[i] != 0 || math.Abs(w[i]-p) > 6*math.Sqrt(p/40_000) {
					t.Errorf("search %d: row %d has share %v, want about %v", k, i, w[i], p)
				}
			}
		}
		return l.weights
	}
	a, b, c := fit(5), fit(5), fit(6)
	if !slices.Equal(a[2], b[2]) || slices.Equal(a[0], c[0]) {
		t.Error("want the same draws for the same seed, and others for another")
	}
}

// share returns how many rows are right, or wrong, under outputs h.
func share(d *Data, h []float64, right bool) float64 {
	n := 0.0
	for i, y := range d.Labels {
		if ((h[i] < 0) == (y < 0)) == right {
			n++
		}
	}
	return n / float64(d.Rows())
}

// spy is a learner that keeps the weights of every search, and what was found.
type spy struct {
	learner          Learner
	weights, outputs [][]float64
}

func (s *spy) Name() string { return "spy" }

func (s *spy) prepare(p *Problem, v *Settings) (searcher, error) {
	search, err := s.learner.prepare(p, v)
	return &spySearch{search, s}, err
}

type spySearch struct {
	searcher
	spy *spy
}

func (s *spySearch) Find(ctx context.Context, q *query) (Weak, error) {
	w, err := s.searcher.Find(ctx, q)
	if err != nil || w == nil {
		return w, err
	}
	out := make([]float64, len(q.Weights))
	s.spy.weights = append(s.spy.weights, slices.Clone(q.Weights))
	s.spy.outputs = append(s.spy.outputs, out)
	return w, s.searcher.Outputs(w, out)
}

// TestBaggingDraws: the weights of a round are whole numbers of draws, as many as asked
// for; about 1 - 1/e of the rows come in as many draws; and the same seed draws the same.
func TestBaggingDraws(t *testing.T) {
	d := mixture(200, 91)
	for share, bounds := range map[float64][2]int{0: {110, 143}, 0.1: {15, 20}, 0.5: {70, 100}} {
		draws := 200 * cmp.Or(share, 1)
		round := func(seed uint64) []float64 {
			run := begin(d, &Bagging{Share: share}, &Trees{}, &Settings{Seed: seed})
			must.Get(run.Next(t.Context()))
			return run.st.Weights
		}
		weights := round(5)
		distinct, sum := 0, 0.0
		for i, w := range weights {
			if n := w * draws; math.Abs(n-math.Round(n)) > 1e-9 {
				t.Fatalf("share %v: row %d has weight %v", share, i, w)
			}
			if sum += w; w > 0 {
				distinct++
			}
		}
		if distinct < bounds[0] || distinct > bounds[1] || math.Abs(sum-1) > 1e-9 {
			t.Errorf("share %v: %d different rows of weight %v, want %v", share, distinct, sum, bounds)
		}
		if !slices.Equal(weights, round(5)) || slices.Equal(weights, round(6)) {
			t.Errorf("share %v: want the same draws for the same seed, and others for another", share)
		}
	}
}
