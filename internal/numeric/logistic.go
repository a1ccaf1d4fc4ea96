package numeric

import "math"

// Curve is the probability 1/(1+exp(-(A x + B))) of an x, and its loss.
type Curve struct {
	A, B, Loss float64
}

// A Penalty is the loss of a probability, 1/(1+exp(-z)), of what is true to the degree y,
// with its slope by z and a curvature that is never negative.
type Penalty func(z, y float64) (loss, slope, curvature float64)

// Likelihood is the cross-entropy.
func Likelihood(z, y float64) (loss, slope, curvature float64) {
	e := Exp(-math.Abs(z)) // without overflow
	p := 1 / (1 + e)
	if z < 0 {
		p = e / (1 + e)
	}
	return Log1p(e) + max(z, 0) - float64(y*z), p - y, float64(p * (1 - p))
}

// Squared is half of the squared error.
func Squared(z, y float64) (loss, slope, curvature float64) {
	_, off, d := Likelihood(z, y)
	return float64(off*off) / 2, float64(off * d), float64(d * d)
}

// FitCurve minimises the sum of a penalty of targets from 0 to 1, by weight, and ridge/2
// times the sum of squares of A and B, by Newton's method from the given curve on. The
// ridge bounds the slope where nothing else does. nil means equal weights.
func FitCurve(x, target, weight []float64, of Penalty, ridge float64, from Curve) Curve {
	weigh := func(i int) float64 {
		if weight == nil {
			return 1
		}
		return weight[i]
	}
	loss := func(a, b float64) float64 {
		sum := ridge / 2 * (float64(a*a) + float64(b*b))
		for i, v := range x {
			one, _, _ := of(float64(a*v)+b, target[i])
			sum += float64(weigh(i) * one)
		}
		return sum
	}
	a, b := from.A, from.B
	last := loss(a, b)
	for range 200 {
		ga, gb, haa, hab, hbb := float64(ridge*a), float64(ridge*b), ridge, 0.0, ridge
		for i, v := range x {
			_, e, w := of(float64(a*v)+b, target[i])
			e, w = float64(weigh(i)*e), float64(weigh(i)*w)
			ga += float64(e * v)
			gb += e
			haa += float64(w * v * v)
			hab += float64(w * v)
			hbb += w
		}
		det := float64(haa*hbb) - float64(hab*hab)
		if !(det > 0) {
			break
		}
		da := (float64(hbb*ga) - float64(hab*gb)) / det
		db := (float64(haa*gb) - float64(hab*ga)) / det
		step, next := 1.0, loss(a-da, b-db)
		for !(next < last) && step > 1e-9 {
			step /= 2
			next = loss(a-float64(step*da), b-float64(step*db))
		}
		if !(next < last) {
			break
		}
		a -= float64(step * da)
		b -= float64(step * db)
		last = next
		if math.Abs(da)+math.Abs(db) < 1e-11 {
			break
		}
	}
	return Curve{a, b, last}
}
