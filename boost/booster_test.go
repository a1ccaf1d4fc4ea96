package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// tutorial is the example of Freund and Schapire's tutorials: ten points in
// the plane, five of each class, placed as in the figure: two + far left, three
// + on top, three - below them, and two - far right, one of them on top.
func tutorial() *Data {
	return &Data{
		Schema: Schema{Names: []string{"x", "y"}},
		Columns: [][]float64{
			{1, 2, 4, 6, 8, 3, 5, 7, 9, 9.5},
			{3, 2, 8, 9, 7, 5, 4, 1, 9.5, 3.5},
		},
		Labels: []int8{1, 1, 1, 1, 1, -1, -1, -1, -1, -1},
	}
}

func TestTutorialExample(t *testing.T) {
	d := tutorial()
	for _, friedman := range []bool{false, true} {
		var errors, coefs []float64
		res := mustFit(t, d, &Discrete{Friedman: friedman}, &Stumps{}, &Settings{
			Rounds: 3,
			Recorder: func(r *Round) error {
				errors = append(errors, (1-r.Edge)/2)
				coefs = append(coefs, r.Coef)
				return nil
			},
		})
		for i, want := range [][2]float64{{0.30, 0.42}, {0.21, 0.65}, {0.14, 0.92}} {
			if friedman {
				coefs[i] /= 2
			}
			if math.Abs(errors[i]-want[0]) > 0.005 || math.Abs(coefs[i]-want[1]) > 0.006 {
				t.Errorf("%v round %d: error %.4f and coefficient %.4f, want %.2f", friedman, i+1, errors[i], coefs[i], want)
			}
		}
		if e := must.Get(res.Model.Error(d)); e != 0 {
			t.Errorf("%v: training error %v after three rounds, want 0", friedman, e)
		}
	}
}

// TestBrownBoostUnderLabelNoise compares errors on clean rows after learning
// from rows with 10 and 20 per cent of the labels wrong.
func TestBrownBoostUnderLabelNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	clean := func(rows int, seed uint64) *Data {
		r := rand.New(rand.NewPCG(seed, 5))
		d := blank(rows, 10)
		d.Labels = make([]int8, rows)
		for i := range rows {
			sum := 0.0
			for j := range d.Columns {
				d.Columns[j][i] = r.NormFloat64()
				if j < 5 {
					sum += d.Columns[j][i]
				}
			}
			d.Labels[i] = 1
			if sum < 0 {
				d.Labels[i] = -1
			}
		}
		return d
	}
	test := clean(1500, 99)
	for _, noise := range []float64{0.1, 0.2} {
		var brown, ada float64
		const runs = 3
		for seed := range uint64(runs) {
			d := clean(250, seed)
			r := rand.New(rand.NewPCG(seed, 6))
			for i := range d.Labels {
				if r.Float64() < noise {
					d.Labels[i] = -d.Labels[i]
				}
			}
			brown += must.Get(mustFit(t, d, &BrownBoost{Error: noise}, &Stumps{}, &Settings{Rounds: 150}).Model.Error(test)) / runs
			ada += must.Get(mustFit(t, d, &Discrete{}, &Stumps{}, &Settings{Rounds: 150}).Model.Error(test)) / runs
		}
		t.Logf("%.0f %% label noise: error on clean rows %.4f BrownBoost, %.4f AdaBoost", 100*noise, brown, ada)
		if brown >= ada {
			t.Errorf("%.0f %% label noise: BrownBoost's error %.4f is not below AdaBoost's %.4f", 100*noise, brown, ada)
		}
	}
}

// TestBrownProbability: |p - y| with p = erf(F/sqrt c) has the mean that was
// aimed at, and (1+p)/2 is the probability.
func TestBrownProbability(t *testing.T) {
	d := mixture(60, 4)
	for _, s := range []Settings{{}, {Shrinkage: 0.3}, {ColumnShare: 0.5, Seed: 1}} {
		s.Rounds = 2000
		brownProbability(t, d, &s)
	}
}

func brownProbability(t *testing.T, d *Data, s *Settings) {
	res := mustFit(t, d, &BrownBoost{Error: 0.3}, &Stumps{}, s)
	if res.Status != GoalMet {
		t.Fatalf("status %v", res.Status)
	}
	mean, x := 0.0, []float64(nil)
	for i, y := range d.Labels {
		x = d.Row(x, i)
		p := res.Model.Probability(x)
		if !(p >= 0 && p <= 1) || (p > 0.5) != (res.Model.Score(x) > 0) {
			t.Fatalf("row %d: probability %v of score %v", i, p, res.Model.Score(x))
		}
		mean += math.Abs(2*p-1-float64(y)) / float64(d.Rows())
	}
	if math.Abs(mean-0.3) > 1e-6 {
		t.Errorf("shrinkage %v, columns %v: the mean of |p - y| is %v, want 0.3", s.Shrinkage, s.ColumnShare, mean)
	}
}

var losses = []permissible{logistic, squared, matsushita}

// divergence is phi's Bregman divergence of p from q.
func divergence(l permissible, p, q float64) float64 {
	if p == q {
		return 0
	}
	return l.Phi(p) - l.Phi(q) - (p-q)*l.Link(q)
}

// TestLossIdentities: weight, curvature, conjugate and divergence belong together.
func TestLossIdentities(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	probability := map[permissible]func(f float64) float64{
		logistic:   func(f float64) float64 { return 1 / (1 + math.Exp(-f)) },
		squared:    func(f float64) float64 { return min(1, max(0, (1+f)/2)) },
		matsushita: func(f float64) float64 { return (1 + f/math.Sqrt(1+f*f)) / 2 },
	}
	for _, l := range losses {
		for range 2000 {
			m := 3 * r.NormFloat64()
			const h = 1e-5
			if slope := (l.MarginValue(m+h) - l.MarginValue(m-h)) / (2 * h); math.Abs(slope+l.Weight(m)) > 1e-8 {
				t.Fatalf("%v: slope %v at %v, weight %v", l, slope, m, l.Weight(m))
			}
			if c := (l.Weight(m-h) - l.Weight(m+h)) / (2 * h); math.Abs(c-l.MarginCurvature(m)) > 1e-8 {
				t.Fatalf("%v: curvature %v at %v, want %v", l, l.MarginCurvature(m), m, c)
			}
			p := probability[l](m)
			if got := l.Inverse(m); math.Abs(got-p) > 1e-12 {
				t.Fatalf("%v: probability %v of score %v, want %v", l, got, m, p)
			}
			// At the minimum of the loss, p times the weight of a positive row is (1-p)
			// times that of a negative one.
			if d := p*l.Weight(m) - (1-p)*l.Weight(-m); math.Abs(d) > 1e-12 && p > 0 && p < 1 {
				t.Fatalf("%v: probability %v at score %v is not where the loss is least (%v)", l, p, m, d)
			}
			w := l.Weight(m)
			if math.Abs(m) < 12 && math.Abs(l.Link(w)+m) > 1e-6*(1+math.Abs(m)) {
				t.Fatalf("%v: the gradient at weight %v is %v, want %v", l, w, l.Link(w), -m)
			}
			// Legendre: loss(m) = sup_w (-m w - phi(w)) up to a constant, with
			// the sup at w; that is, Fenchel's inequality is an equality there.
			if got, want := l.MarginValue(m)-l.MarginValue(0), -m*w-l.Phi(w)+l.Phi(0.5); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v: loss %v at %v, conjugate %v", l, got, m, want)
			}
			p = r.Float64()
			if divergence(l, p, w) < -1e-12 {
				t.Fatalf("%v: negative divergence of %v from %v", l, p, w)
			}
			// The loss is the divergence of 0 from the weight: the identity
			// D(0, w(m)) = loss(m) that makes boosting a projection.
			if l != squared && math.Abs(m) < 10 && math.Abs(divergence(l, 0, w)-l.MarginValue(m)) > 1e-7 {
				t.Fatalf("%v: D(0, %v) = %v, want the loss %v", l, w, divergence(l, 0, w), l.MarginValue(m))
			}
			// Three points: D(p,q) + D(q,s) - D(p,s) = (p-q)(phi'(s)-phi'(q)).
			q, s := 0.01+0.98*r.Float64(), 0.01+0.98*r.Float64()
			left := divergence(l, p, q) + divergence(l, q, s) - divergence(l, p, s)
			if right := (p - q) * (l.Link(s) - l.Link(q)); math.Abs(left-right) > 1e-9*(1+math.Abs(right)) {
				t.Fatalf("%v: three-point identity: %v and %v", l, left, right)
			}
		}
	}
}

// TestULSProjects: each round is a Bregman projection of the weights. The new
// weak learner has no edge under the new weights; the loss never rises; and
// for weights u without an edge for it, D(u, old) = D(u, new) + D(new, old):
// Pythagoras, generalised.
func TestULSProjects(t *testing.T) {
	d := mixture(250, 50)
	n := float64(d.Rows())
	for _, l := range losses {
		run := begin(d, &ULS{Loss: l}, &Stumps{}, &Settings{Rounds: 25})
		st := run.st
		before := math.Inf(1)
		for run.Status() == Going {
			old := make([]float64, len(st.Scores))
			for i, s := range st.Scores {
				old[i] = l.Weight(st.Labels[i] * s)
			}
			must.Get(run.Next(context.Background()))
			loss, edge := 0.0, 0.0
			now := make([]float64, len(old))
			for i, s := range st.Scores {
				m := st.Labels[i] * s
				loss += l.MarginValue(m) / n
				now[i] = l.Weight(m)
				edge += now[i] * st.Labels[i] * st.Out[i] / n
			}
			if math.Abs(edge) > 1e-9 {
				t.Errorf("%v: the weak learner has an edge of %v left", l, edge)
			}
			if loss > before+1e-12 {
				t.Errorf("%v: the loss rose from %v to %v", l, before, loss)
			}
			before = loss
			// Some u without an edge: any weights, with those of the rows that
			// the weak learner has right scaled to equal the rest.
			r := rand.New(rand.NewPCG(uint64(st.Rounds), 0))
			u := make([]float64, len(now))
			right, wrong := 0.0, 0.0
			for i := range u {
				u[i] = 0.2 + 0.5*r.Float64()
				if st.Out[i] == st.Labels[i] {
					right += u[i]
				} else {
					wrong += u[i]
				}
			}
			a, b, c := 0.0, 0.0, 0.0
			for i := range u {
				if st.Out[i] == st.Labels[i] && right > wrong {
					u[i] *= wrong / right
				} else if st.Out[i] != st.Labels[i] && wrong > right {
					u[i] *= right / wrong
				}
				a += divergence(l, u[i], old[i])
				b += divergence(l, u[i], now[i])
				c += divergence(l, now[i], old[i])
			}
			if math.Abs(a-b-c) > 1e-7*math.Abs(a) {
				t.Errorf("%v: D(u,old) = %v, D(u,new) + D(new,old) = %v", l, a, b+c)
			}
		}
	}
}

// TestULSCorrective: after each round no weak learner of the model has an edge,
// and the loss is at most that of one coordinate a round.
func TestULSCorrective(t *testing.T) {
	d := mixture(250, 51)
	for _, l := range losses {
		one := mustFit(t, d, &ULS{Loss: l}, &Stumps{}, &Settings{Rounds: 12})
		all := mustFit(t, d, &ULS{Loss: l, Corrective: true}, &Stumps{}, &Settings{Rounds: 12})
		mean := func(m *Model) float64 {
			sum := 0.0
			for i, s := range must.Get(m.Scores(d)) {
				sum += l.MarginValue(float64(d.Labels[i])*s) / float64(d.Rows())
			}
			return sum
		}
		if mean(all.Model) > mean(one.Model)+1e-9 {
			t.Errorf("%v: loss %v corrective, %v one at a time", l, mean(all.Model), mean(one.Model))
		}
		scores := must.Get(all.Model.Scores(d))
		for k, term := range all.Model.Terms {
			edge := 0.0
			for i, s := range scores {
				y := float64(d.Labels[i])
				edge += l.Weight(y*s) * y * term.Weak.Value(d.Row(nil, i)) / float64(d.Rows())
			}
			if math.Abs(edge) > 1e-7 {
				t.Errorf("%v: term %d has an edge of %v", l, k, edge)
			}
		}
	}
}

// TestAFTGradients: gradients and curvatures are those of the loss, and the loss that of the
// distribution function, of events and intervals of all kinds.
func TestAFTGradients(t *testing.T) {
	cdf := map[Distribution]func(z float64) float64{
		Normal:   func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 },
		Logistic: func(z float64) float64 { return 1 / (1 + math.Exp(-z)) },
		Extreme:  func(z float64) float64 { return -math.Expm1(-math.Exp(z)) },
	}
	inf := math.Inf(1)
	for d, of := range cdf {
		for _, scale := range []float64{0, 0.5, 1.7} {
			b := &AFT{Distribution: d, Scale: scale}
			for _, bounds := range [][2]float64{{2, 2}, {2, inf}, {0, 2}, {1, 3}, {2, 2.001}, {1e-9, 1e-8}, {1e8, 1e9}, {0, inf}} {
				for _, f := range []float64{-4, -0.5, 0.6931, 1, 3, 7} {
					const step = 1e-4
					loss, g, h := b.at(bounds[0], bounds[1], f)
					up, g2, _ := b.at(bounds[0], bounds[1], f+step)
					down, g1, _ := b.at(bounds[0], bounds[1], f-step)
					slope, bend := (up-down)/(2*step), (g2-g1)/(2*step)
					if math.Abs(g-slope) > 1e-5*max(1, math.Abs(g)) || math.Abs(h-bend) > 1e-5*max(1, math.Abs(h)) || h < 0 {
						t.Errorf("%d, scale %v, %v at %v: slope %v and curvature %v, want %v and %v", d, scale, bounds, f, g, h, slope, bend)
					}
					s := b.scale()
					p := of((math.Log(bounds[1])-f)/s) - of((math.Log(bounds[0])-f)/s)
					if bounds[0] == bounds[1] {
						const near = 1e-6
						z := (math.Log(bounds[0]) - f) / s
						p = (of(z+near) - of(z-near)) / (2 * near * s * bounds[0])
					}
					if p > 1e-5 && math.Abs(loss+math.Log(p)) > 1e-5 {
						t.Errorf("%d, scale %v, %v at %v: loss %v, want %v", d, scale, bounds, f, loss, -math.Log(p))
					}
				}
			}
		}
	}
}

// TestAFTTails: far from the score nothing underflows. Values were computed with mpmath.
func TestAFTTails(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		b          AFT
		lo, up     float64
		f          float64
		loss, g, h float64
	}{
		{AFT{}, 1, inf, -40, 804.608442013754, -40.0249688472073, 0.999377331621409},
		{AFT{}, 0, 1, 40, 804.608442013754, 40.0249688472073, 0.999377331621409},
		{AFT{}, 20, 50, -30, 548.775407306831, -33.0259838027245, 0.999086512392741},
		{AFT{}, 1, 1.5, 60, 1780.76107826967, 59.6113055177773, 0.999718904097363},
		{AFT{Distribution: Logistic}, 1, inf, -900, 900, -1, 0},
		{AFT{Distribution: Logistic}, 1, 2, 50, 50, 1, 5.78624954389175e-22},
		{AFT{Distribution: Extreme}, 1, inf, -6, 403.428793492735, -403.428793492735, 403.428793492735},
		{AFT{Distribution: Extreme}, 0, 1, 50, 50, 1, 9.64374923981959e-23},
		{AFT{Distribution: Extreme}, 0, 1, 800, 800, 1, 0},
		{AFT{Distribution: Extreme}, 5, 6, -3, 100.427684617831, -100.427684577933, 100.427685341292},
	} {
		loss, g, h := c.b.at(c.lo, c.up, c.f)
		for k, got := range []float64{loss, g, h} {
			if want := []float64{c.loss, c.g, c.h}[k]; math.Abs(got-want) > 1e-10*max(1e-6, math.Abs(want)) {
				t.Errorf("%+v: %v, want %v", c, got, want)
			}
		}
	}
}

// lattice is a table of two columns that anybody can compute.
func lattice() *Data {
	d := blank(101, 2)
	for i := range 101 {
		d.Columns[0][i], d.Columns[1][i] = float64(37*i%101)/101, float64(64*i%101)/101
	}
	return d
}

// times is a table of events, and of times without an end, without a beginning, and
// between two.
func times() *Data {
	inf := math.Inf(1)
	d := lattice()
	for i, a := range d.Columns[0] {
		b := d.Columns[1][i]
		y := math.Exp(2*a-b*b)*(0.5+float64(91*i%101)/101) + 0.1
		lo := []float64{y, y, 0.8 * y, 0, 0.7 * y}[i%5]
		d.Targets, d.Upper = append(d.Targets, lo), append(d.Upper, []float64{y, y, inf, 1.3 * y, 1.2 * y}[i%5])
	}
	return d
}

// TestAFTXGBoost: scores and loss are those of XGBoost 3.2.0: survival:aft, max_depth 2,
// eta 0.3, exact, base_score exp(bias), 6 rounds.
func TestAFTXGBoost(t *testing.T) {
	d := times()
	for k, want := range [][]float64{
		{1.1450408, -0.383929, 0.760145, 1.51839, -0.312629, 0.760145, 1.51839, -0.159865, 0.760145, 1.24966, -0.159865, 0.688845, 0.0129103},
		{1.4449196, -0.379893, 0.751313, 1.67123, -0.379893, 0.751313, 1.49081, -0.161127, 0.751313, 1.16397, -0.161127, 0.6631, 0.131549},
		{1.1969661, -0.376576, 0.798605, 1.75802, -0.279995, 0.85738, 1.53623, -0.121579, 0.85738, 1.27747, -0.121579, 0.760799, 0.0777399},
	} {
		b := &AFT{Distribution: Distribution(k)}
		res := mustFit(t, d, b, &Trees{Depth: 2}, &Settings{Rounds: 6, Shrinkage: 0.3})
		p := must.Get(res.Model.Predict(d))
		got := append([]float64{b.Metric().Value(p)}, p.Scores...)
		for i, v := range want {
			if math.Abs(got[i]-v) > 1e-5*max(1, math.Abs(v)) {
				t.Errorf("distribution %d: number %d is %v, want %v", k, i, got[i], v)
			}
		}
		if math.Abs(p.Means[3]-math.Exp(p.Scores[3])) > 1e-12 {
			t.Errorf("time %v of score %v", p.Means[3], p.Scores[3])
		}
	}
}

// TestAFTLearns: a fit orders times, from bounds or as Cox has them, finds its number of
// rounds, and refuses what is no time.
func TestAFTLearns(t *testing.T) {
	train, d := survival(600, 1), survival(300, 2)
	bounds := *train
	bounds.Targets, bounds.Upper = slices.Clone(train.Targets), make([]float64, 600)
	for i := range bounds.Upper {
		bounds.Targets[i], bounds.Upper[i] = interval(train.Targets, nil, i)
	}
	settings := &Settings{Rounds: 200, Shrinkage: 0.1, Patience: 10}
	m := mustFit(t, train, &AFT{Distribution: Logistic}, &Trees{Depth: 3}, settings).Model
	few := &Settings{Rounds: 9} // without folds, which go by targets
	if saved(t, mustFit(t, train, &AFT{}, &Trees{}, few).Model) != saved(t, mustFit(t, &bounds, &AFT{}, &Trees{}, few).Model) {
		t.Error("bounds make another model")
	}
	p := must.Get(m.Predict(d))
	if c := TimeConcordance.Value(p); !(c > 0.75) {
		t.Errorf("concordance %v, want more than 0.75", c)
	}
	cv := must.Get(CrossValidate(t.Context(), &bounds, &AFT{}, &Trees{Depth: 3}, settings, &CrossValidation{Folds: 3}))
	if low, high := must.Get2(cv.Bootstrap(TimeConcordance, 50, 0.9, 1)); !(low > 0.7 && high < 0.95) {
		t.Errorf("concordance %v to %v", low, high)
	}
	if c := cv.ByFold(TimeConcordance); !(slices.Min(c) > 0.7) {
		t.Errorf("concordance of folds %v", c)
	}
	for name, change := range map[string]func(d *Data){
		"negative bound":  func(d *Data) { d.Targets[3] = -1 },
		"bounds reversed": func(d *Data) { d.Upper[3] = d.Targets[3] / 2 },
		"too few bounds":  func(d *Data) { d.Upper = d.Upper[1:] },
		"no time":         func(d *Data) { d.Targets[3], d.Upper[3] = 0, 0 },
	} {
		bad := *bounds.Subset(seq(600))
		change(&bad)
		refuses(t, name, ErrData, &bad, &AFT{}, &Trees{}, nil)
	}
	refuses(t, "bounds for Newton", ErrData, &bounds, &Newton{}, &Trees{}, nil)
	for _, b := range []*AFT{{Distribution: 3}, {Scale: -1}, {Newton: Newton{Loss: PoissonLoss}}} {
		refuses(t, b, ErrSettings, &bounds, b, &Trees{}, nil)
	}
}

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
	d := lattice()
	for i, a := range d.Columns[0] {
		b := d.Columns[1][i]
		y := math.Exp(-2*a+b*b)*(1+3*(float64(91*i%101)/101)) + float64(i)/1e6
		if 53*i%101 >= 70 {
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
	refuses(t, "time 0", ErrData, &bad, &Cox{}, &Trees{}, nil)
	refuses(t, "a loss", ErrSettings, d, &Cox{Newton{Loss: PoissonLoss}}, &Trees{}, nil)
}

// grades is a table of groups of eight rows with grades from 0 to 3; groups are
// interleaved.
func grades(groups int, seed uint64) *Data {
	r := rand.New(rand.NewPCG(seed, 7))
	d := &Data{Columns: make([][]float64, 3)}
	shift := make([]float64, groups)
	for g := range shift {
		shift[g] = 5 * r.NormFloat64()
	}
	for range 8 {
		for g := range groups {
			x, y := r.NormFloat64(), r.NormFloat64()
			d.Columns[0], d.Columns[1], d.Columns[2] = append(d.Columns[0], x), append(d.Columns[1], y), append(d.Columns[2], shift[g])
			s := x + y*y - 1 + 0.3*r.NormFloat64()
			d.Targets = append(d.Targets, math.Floor(min(3, max(0, s+1))))
			d.Groups = append(d.Groups, g)
		}
	}
	return d
}

// TestNDCG: by hand, and 1 of a group without gain.
func TestNDCG(t *testing.T) {
	p := &Predictions{
		Targets: []float64{3, 0, 1, 0, 0}, Scores: []float64{1, 5, 3, 0, 1}, Groups: []int{7, 7, 7, 2, 2},
	}
	first := (1/math.Log2(3) + 7/math.Log2(4)) / (7 + 1/math.Log2(3))
	if v := NDCG(10).Value(p); math.Abs(v-(first+1)/2) > 1e-12 {
		t.Errorf("NDCG %v, want %v", v, (first+1)/2)
	}
	if v, want := NDCG(2).Value(p), (1/math.Log2(3)/(7+1/math.Log2(3))+1)/2; math.Abs(v-want) > 1e-12 {
		t.Errorf("NDCG of two rows %v, want %v", v, want)
	}
	p.Targets[0] = 0.5
	if v := NDCG(10).Value(p); v == v {
		t.Errorf("NDCG of half a grade is %v", v)
	}
}

// TestLambdaMARTGradients: the gradients of a group are those of the formula of
// LightGBM, pair by pair.
func TestLambdaMARTGradients(t *testing.T) {
	st := &state{Labels: []float64{0, 2, 1, 0}, Scores: []float64{0.5, -0.3, 0.1, -2}}
	slope, curve := make([]float64, 4), make([]float64, 4)
	(&LambdaMART{Truncation: 2}).pairs(st, []int{0, 1, 2, 3}, slope, curve)
	rank := []float64{0, 2, 1, 3}
	best := 3 + 1/math.Log2(3)
	want, bend, sum := make([]float64, 4), make([]float64, 4), 0.0
	for _, pair := range [][2]int{{1, 0}, {2, 0}, {1, 2}, {2, 3}} { // of one row of rank 0 or 1
		i, j := pair[0], pair[1]
		apart := st.Scores[i] - st.Scores[j]
		change := (math.Exp2(st.Labels[i]) - math.Exp2(st.Labels[j])) * math.Abs(1/math.Log2(2+rank[i])-1/math.Log2(2+rank[j])) / best / (0.01 + math.Abs(apart))
		p := 1 / (1 + math.Exp(apart))
		want[i] -= p * change
		want[j] += p * change
		bend[i] += p * (1 - p) * change
		bend[j] += p * (1 - p) * change
		sum += 2 * p * change
	}
	for i := range want {
		want[i] *= math.Log2(1+sum) / sum
		bend[i] *= math.Log2(1+sum) / sum
	}
	near(t, "gradients", slope, want, 1e-12)
	near(t, "curvatures", curve, bend, 1e-12)
}

// TestLambdaMART: new groups are ranked, groups are never divided, and the number of goroutines changes nothing.
func TestLambdaMART(t *testing.T) {
	train, test := grades(80, 1), grades(150, 2)
	of := func(b Booster, workers int) float64 {
		m := mustFit(t, train, b, &Trees{Leaves: 4}, &Settings{Rounds: 40, Shrinkage: 0.2, Workers: workers}).Model
		return NDCG(10).Value(must.Get(m.Predict(test)))
	}
	ranked := of(&LambdaMART{}, 1)
	if ranked < 0.93 || ranked != of(&LambdaMART{}, 3) {
		t.Errorf("NDCG %v, with three goroutines %v", ranked, of(&LambdaMART{}, 3))
	}
	fold := map[int]int{}
	for i, f := range deal(train, nil, 4, 1) {
		if g, ok := fold[train.Groups[i]]; ok && g != f {
			t.Fatalf("group %d is in two folds", train.Groups[i])
		}
		fold[train.Groups[i]] = f
	}
	first, second, err := SplitData(train, 0.25, 1)
	if err != nil || first.Rows() != 480 || second.Rows() != 160 {
		t.Errorf("parts of %d and %d rows, %v", first.Rows(), second.Rows(), err)
	}
	for _, d := range []*Data{curve(40, 1, 0), {Columns: train.Columns, Targets: train.Columns[0], Groups: train.Groups}} {
		refuses(t, "no groups, or no grades", ErrData, d, &LambdaMART{}, &Trees{}, nil)
	}
}
