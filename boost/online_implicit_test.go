package boost

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
)

// TestImplicitClosedForms: where papers have formulas for the implicit step, it is
// theirs: Crammer and others' passive-aggressive step, and the squared loss's with the
// rate divided by 1 + rate |x|^2.
func TestImplicitClosedForms(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, rate := range []float64{0.01, 0.3, 5, 1e6} {
		hinge := must(NewOnline(4, &OnlineSettings{Loss: OnlineHinge, Rate: rate, Implicit: true}))
		square := must(NewOnline(4, &OnlineSettings{Loss: OnlineSquare, Rate: rate, Implicit: true}))
		for range 50 {
			x := make([]float64, 4)
			norm := 0.0
			for i := range x {
				x[i] = r.NormFloat64()
				norm += x[i] * x[i]
			}
			y := float64(2*r.IntN(2) - 1)
			want := append([]float64(nil), hinge.Weights()...)
			step := min(rate, max(0, 1-y*hinge.Predict(x))/norm)
			for i := range want {
				want[i] += step * y * x[i]
			}
			hinge.Update(x, y)
			near(t, "hinge", hinge.Weights(), want, 1e-9)

			want = append(want[:0], square.Weights()...)
			step = rate * (y - square.Predict(x)) / (1 + rate*norm)
			for i := range want {
				want[i] += step * x[i]
			}
			square.Update(x, y)
			near(t, "square", square.Weights(), want, 1e-9)
		}
	}
}

// TestImplicitSteps: the gradient of a step is that behind it; no other step has less
// divergence and loss together; an example's loss never rises, where explicit steps of
// the same rate raise it; and a learner continues from a file.
func TestImplicitSteps(t *testing.T) {
	for g := Euclidean; g <= lastGeometry; g++ {
		for l := OnlineSquare; l <= lastOnlineLoss; l++ {
			r := rand.New(rand.NewPCG(7, uint64(g)))
			settings := OnlineSettings{Geometry: g, Loss: l, Rate: 3, Implicit: true}
			o := must(NewOnline(5, &settings))
			settings.Implicit = false
			explicit := must(NewOnline(5, &settings))
			rises := 0
			for step := range 200 {
				x := make([]float64, 5)
				for i := range x {
					x[i] = 2*r.Float64() - 1
				}
				y := math.Copysign(1, x[2]+0.3*r.NormFloat64())
				before := append([]float64(nil), o.dual...)
				loss := o.Update(x, y)
				after, slope := l.at(o.Predict(x), y)
				if after > loss+1e-12 {
					t.Fatalf("%v, %v, step %d: the loss rises from %v to %v", g, l, step, loss, after)
				}
				if l == OnlineSquare || l == OnlineLog {
					want := make([]float64, len(before))
					o.move(want, before, x, 3*slope)
					o.unlink(make([]float64, 5), want)
					near(t, g.String()+" "+l.String(), o.dual, want, 1e-7)
				}
				if was := explicit.Update(x, y); was < math.Inf(1) {
					if now, _ := l.at(explicit.Predict(x), y); now > was+1e-12 {
						rises++
					}
				}
			}
			if l == OnlineSquare && g == Euclidean && rises == 0 {
				t.Errorf("%v, %v: explicit steps raise no loss either", g, l)
			}
			var b bytes.Buffer
			if err := o.Save(&b); err != nil {
				t.Fatal(err)
			}
			read := must(LoadOnline(&b))
			x := []float64{1, -0.5, 0.2, 0.4, -1}
			o.Update(x, 1)
			read.Update(x, 1)
			near(t, "weights of the learner read", read.Weights(), o.Weights(), 0)
		}
	}
}
