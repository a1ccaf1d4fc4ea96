package boost

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestHedge: exponentiated gradient with the linear loss weighs experts by
// exp(-rate sum of losses), and its regret keeps the classical bound.
func TestHedge(t *testing.T) {
	const experts, steps = 16, 2000
	r := rand.New(rand.NewPCG(1, 1))
	rate := math.Sqrt(2 * math.Log(experts) / steps)
	o, err := NewOnline(experts, &OnlineSettings{Geometry: Exponentiated, Loss: OnlineLinear, Rate: rate})
	if err != nil {
		t.Fatal(err)
	}
	sums := make([]float64, experts)
	total := 0.0
	x := make([]float64, experts)
	for range steps {
		y := float64(r.IntN(2)*2 - 1)
		for i := range x {
			x[i] = float64(r.IntN(2)*2 - 1)
			if r.Float64() < 0.02*float64(i) {
				x[i] = y
			}
		}
		total += o.Update(x, y)
		want := make([]float64, experts)
		for i := range x {
			sums[i] -= y * x[i]
			want[i] = math.Exp(-rate * sums[i])
		}
		normalise(want)
		near(t, "weights", o.Weights(), want, 1e-9)
	}
	best := math.Inf(1)
	for _, s := range sums {
		best = min(best, s)
	}
	// Losses lie between -1 and +1: regret <= ln N/rate + rate T/2.
	if bound := math.Log(experts)/rate + rate*steps/2; total-best > bound {
		t.Errorf("regret %v, bound %v", total-best, bound)
	}
}

// TestOnlineIsDualToBoosting: AdaBoost's weights are those of a learner whose
// experts are the rows, each saying how wrong the weak learner is.
func TestOnlineIsDualToBoosting(t *testing.T) {
	d := mixture(120, 2)
	run, err := Start(&Problem{Data: d}, &Discrete{}, &Stumps{}, &Settings{Rounds: 25})
	if err != nil {
		t.Fatal(err)
	}
	o, err := NewOnline(d.Rows(), &OnlineSettings{Geometry: Exponentiated, Loss: OnlineLinear, Rate: 1})
	if err != nil {
		t.Fatal(err)
	}
	say := make([]float64, d.Rows())
	for run.Status() == Going {
		near(t, "weights", o.Weights(), run.State().Weights, 1e-9)
		r, err := run.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range say {
			say[i] = -r.Coef * float64(d.Labels[i]) * r.Weak.Value(d.Row(nil, i))
		}
		o.Update(say, 1)
	}
}

// TestPerceptronBound: on separable examples the p-norm perceptron makes at
// most (p-1) X^2 / margin^2 mistakes, with X the largest p-norm of an example
// and the margin that of weights of dual norm 1.
func TestPerceptronBound(t *testing.T) {
	const n = 40
	for _, p := range []float64{2, 3, 2 * math.Log(n)} {
		r := rand.New(rand.NewPCG(3, uint64(p)))
		o, err := NewOnline(n, &OnlineSettings{Geometry: PNorm, Loss: OnlinePerceptron, P: p, Rate: 1})
		if err != nil {
			t.Fatal(err)
		}
		// The target is the mean of three experts; its q-norm, q = p/(p-1):
		q := p / (p - 1)
		target := []float64{1, -1, 1}
		norm := math.Pow(3, 1/q)
		margin, size := math.Inf(1), 0.0
		mistakes := 0
		x := make([]float64, n)
		for range 5000 {
			s, sum := 0.0, 0.0
			for i := range x {
				x[i] = float64(r.IntN(2)*2 - 1)
				sum += math.Pow(math.Abs(x[i]), p)
				if i < len(target) {
					s += x[i] * target[i]
				}
			}
			y := math.Copysign(1, s)
			margin = min(margin, y*s/norm)
			size = max(size, math.Pow(sum, 1/p))
			if y*o.Predict(x) <= 0 {
				mistakes++
			}
			o.Update(x, y)
		}
		if bound := (p - 1) * size * size / (margin * margin); float64(mistakes) > bound {
			t.Errorf("p = %v: %d mistakes, bound %v", p, mistakes, bound)
		} else {
			t.Logf("p = %.2f: %d mistakes, bound %.0f", p, mistakes, bound)
		}
	}
}

// TestLinksInvert: the link of the p-norms takes weights back and forth, and
// at p = 2 it is the identity.
func TestLinksInvert(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		p := 2 + 8*r.Float64()
		v := make([]float64, 7)
		for i := range v {
			v[i] = r.NormFloat64() * math.Exp(4*r.NormFloat64())
		}
		to, back := make([]float64, 7), make([]float64, 7)
		pLink(to, v, p)
		pLink(back, to, p/(p-1))
		near(t, "there and back", back, v, 1e-9)
		pLink(to, v, 2)
		near(t, "p = 2", to, v, 1e-12)
	}
}

// TestOnlineLearns: every geometry and loss finds the expert that is right.
func TestOnlineLearns(t *testing.T) {
	for g := Euclidean; g <= lastGeometry; g++ {
		for l := OnlineSquare; l <= lastOnlineLoss; l++ {
			if g == Unnormalised && l == OnlineLinear {
				continue // a linear loss has no bound, and neither have these weights
			}
			o, err := NewOnline(10, &OnlineSettings{Geometry: g, Loss: l, Rate: 0.05})
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(5, 5))
			x := make([]float64, 10)
			wrong := 0
			for step := range 3000 {
				for i := range x {
					x[i] = 2*r.Float64() - 1
				}
				y := math.Copysign(1, x[4])
				if step >= 2000 && o.Predict(x)*y < 0 {
					wrong++
				}
				o.Update(x, y)
			}
			if wrong > 120 {
				t.Errorf("geometry %d, loss %d: %d of the last 1000 wrong", g, l, wrong)
			}
		}
	}
}
