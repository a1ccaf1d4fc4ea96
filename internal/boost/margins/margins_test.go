package margins

import (
	"math"
	"slices"
	"testing"

	"haarlem/boost"
	"haarlem/internal/boost/boosttest"
	"haarlem/internal/must"
)

func TestCumulative(t *testing.T) {
	if got, want := Cumulative([]float64{0, 1, -0.5, 0}, []float64{-1, -0.5, -0.1, 0, 0.9, 1}), []float64{0, 0.25, 0.25, 0.75, 0.75, 1}; !slices.Equal(got, want) {
		t.Errorf("distribution %v, want %v", got, want)
	}
}

// TestEdgeBound: at 10, 100 and 200 rounds no share of small margins is above the
// bound, for every theta.
func TestEdgeBound(t *testing.T) {
	d := boosttest.Noisy(400, 81)
	for _, c := range []struct {
		b boost.Booster
		l boost.Learner
	}{
		{&boost.AdaBoostR{}, &boost.Stumps{}}, {&boost.AdaBoostR{}, &boost.Trees{Leaves: 4}}, {&boost.Discrete{}, &boost.Stumps{}}, {&boost.AdaBoostR{}, &boost.Monomials{}},
		{&boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}, &boost.Monomials{Length: 3}}, {&boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}, &boost.Trees{Leaves: 6}}, {&boost.AdaBoostR{}, &boost.Histograms{}},
	} {
		var edges []float64
		res := must.Get(boost.Fit(t.Context(), d, c.b, c.l, &boost.Settings{Rounds: 200, Recorder: func(r *boost.Round) error {
			if r.Weak != nil {
				edges = append(edges, r.Edge)
			}
			return nil
		}}))
		tight := false
		for _, rounds := range []int{10, 100, 200} {
			n := min(rounds, len(res.Model.Terms))
			margins := must.Get(Logit(res.Model.Truncate(n), d))
			for theta := -0.95; theta < 1; theta += 0.05 {
				share := Cumulative(margins, []float64{theta})[0]
				bound := EdgeBound(edges[:n], theta)
				if share > bound+1e-9 {
					t.Errorf("%s+%s, T %d: a share of %v has margins of at most %.2f, the bound is %v", c.b.Name(), c.l.Name(), rounds, share, theta, bound)
				}
				tight = tight || bound < 1
			}
		}
		if !tight {
			t.Errorf("%s+%s: the bound says nothing", c.b.Name(), c.l.Name())
		}
	}
}

// TestLogitMargins: twice the probability of a row's own class, less one.
func TestLogitMargins(t *testing.T) {
	d := boosttest.Noisy(100, 82)
	m := must.Get(boost.Fit(t.Context(), d, &boost.Newton{}, &boost.Stumps{}, &boost.Settings{Rounds: 9})).Model
	for i, v := range must.Get(Logit(m, d)) {
		p := m.Probability(d.Row(nil, i))
		if d.Labels[i] < 0 {
			p = 1 - p
		}
		if math.Abs(v-(2*p-1)) > 1e-12 {
			t.Fatalf("row %d: margin %v, the probability is %v", i, v, p)
		}
	}
}

// TestMarginBound: the least over all N, with the parameters of the paper's figure,
// and its limits.
func TestMarginBound(t *testing.T) {
	for _, theta := range []float64{1. / 20, 1. / 8, 1. / 4, 1. / 2} {
		before := math.Inf(1)
		for _, rows := range []float64{1e4, 1e5, 1e6, 1e7} {
			want := math.Inf(1)
			for n := 1.0; n < 40000; n++ {
				v := 2*math.Exp(-n*theta*theta/8) + math.Sqrt((math.Log(n)+2*math.Log(n+1)+n*math.Log(1e6)-math.Log(0.01))/(2*rows))
				want = min(want, v)
			}
			got := Bound(rows, 1e6, 0.01, theta)
			if math.Abs(got-want) > 1e-4*want {
				t.Errorf("theta %v, %v rows: %v, want %v", theta, rows, got, want)
			}
			if got >= before {
				t.Errorf("theta %v: %v with %v rows, %v with fewer", theta, got, rows, before)
			}
			before = got
		}
	}
	if a, b := VCBound(1e4, 10, 0.01), VCBound(1e5, 10, 0.01); !(b < a && a < 0.15) {
		t.Errorf("VC bounds %v and %v", a, b)
	}
}
