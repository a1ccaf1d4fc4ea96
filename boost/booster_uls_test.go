package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

var losses = []permissible{logistic, squared, matsushita}

// divergence is phi's Bregman divergence of p from q.
func divergence(l permissible, p, q float64) float64 {
	if p == q {
		return 0
	}
	return l.Phi(p) - l.Phi(q) - (p-q)*l.PhiGradient(q)
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
			if got, want := l.Inverse(m), probability[l](m); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%v: probability %v of score %v, want %v", l, got, m, want)
			}
			w := l.Weight(m)
			if l != squared && math.Abs(m) < 12 && math.Abs(l.PhiGradient(w)+m) > 1e-6*(1+math.Abs(m)) {
				t.Fatalf("%v: the gradient at weight %v is %v, want %v", l, w, l.PhiGradient(w), -m)
			}
			// Legendre: loss(m) = sup_w (-m w - phi(w)) up to a constant, with
			// the sup at w; that is, Fenchel's inequality is an equality there.
			if got, want := l.MarginValue(m)-l.MarginValue(0), -m*w-l.Phi(w)+l.Phi(0.5); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v: loss %v at %v, conjugate %v", l, got, m, want)
			}
			p := r.Float64()
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
			if right := (p - q) * (l.PhiGradient(s) - l.PhiGradient(q)); math.Abs(left-right) > 1e-9*(1+math.Abs(right)) {
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
		run := must.Get(Start(&Problem{Data: d}, &ULS{Loss: l}, &Stumps{}, &Settings{Rounds: 25}))
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
			a, b, c, size := 0.0, 0.0, 0.0, 0.0
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
			size = math.Abs(a)
			if math.Abs(a-b-c) > 1e-7*size {
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
