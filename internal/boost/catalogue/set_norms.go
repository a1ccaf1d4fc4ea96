package catalogue

import (
	"math"
	"math/rand/v2"

	"haarlem/boost"
)

// Breiman's three problems in twenty dimensions: "Bias, Variance, and Arcing
// Classifiers", report 460, Berkeley, 1996. Both classes are equally likely.
var (
	twonorm = Set{
		Name: "twonorm", Rows: 1000,
		About: "Two normal distributions in 20 dimensions whose means are 4 apart along the diagonal (Breiman, 1996). The best boundary is a plane across all axes.",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawNorms(rows, r, func(x []float64, positive bool) {
				mean := 2 / math.Sqrt(20)
				if !positive {
					mean = -mean
				}
				for i := range x {
					x[i] = r.NormFloat64() + mean
				}
			})
		},
	}
	threenorm = Set{
		Name: "threenorm", Rows: 1000,
		About: "Three normal distributions in 20 dimensions: the positive class has one at (a, -a, a, ...), the negative one has one each at (a, a, ...) and (-a, -a, ...), where a = 2/sqrt(20) (Breiman, 1996).",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawNorms(rows, r, func(x []float64, positive bool) {
				mean := 2 / math.Sqrt(20)
				if !positive && coin(r) {
					mean = -mean
				}
				for i := range x {
					m := mean
					if positive && i%2 == 1 {
						m = -mean
					}
					x[i] = r.NormFloat64() + m
				}
			})
		},
	}
	ringnorm = Set{
		Name: "ringnorm", Rows: 1000,
		About: "A normal distribution within another of four times its variance, in 20 dimensions; positive is the inner one, whose mean is 2/sqrt(20) on all axes (Breiman, 1996).",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawNorms(rows, r, func(x []float64, positive bool) {
				for i := range x {
					if positive {
						x[i] = r.NormFloat64() + 2/math.Sqrt(20)
					} else {
						x[i] = 2 * r.NormFloat64()
					}
				}
			})
		},
	}
)

func drawNorms(rows int, r *rand.Rand, example func(x []float64, positive bool)) *boost.Data {
	t := newTable(rows, []string{"1", "2"}, numbered("x", 20))
	x := make([]float64, 20)
	for range rows {
		positive := coin(r)
		example(x, positive)
		add(t, x, positive)
	}
	return t
}
