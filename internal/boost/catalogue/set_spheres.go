package catalogue

import (
	"math"
	"math/rand/v2"

	"haarlem/boost"
)

// The two simulated targets of Friedman, Hastie and Tibshirani, "Additive
// Logistic Regression: a Statistical View of Boosting", Annals of Statistics
// 28 (2000), section 6. Ten independent standard normal attributes each.
var (
	spheres = Set{
		Name: "spheres", Rows: 2000,
		About: "Ten standard normal attributes; positive outside the sphere that holds half of them (Friedman, Hastie and Tibshirani, 2000). The boundary is a sum over single attributes.",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawNormal10(rows, r, []string{"inside", "outside"}, func(x []float64) bool {
				sum := 0.0
				for _, v := range x {
					sum += float64(v * v)
				}
				return sum > chiSquare10Median
			})
		},
	}
	nonadditive = Set{
		Name: "nonadditive", Rows: 2000,
		About: "Ten standard normal attributes; positive with log-odds 10 (x1 + ... + x6) (1 - x1 + x2 - x3 + x4 - x5 + x6) (Friedman, Hastie and Tibshirani, 2000). No sum over single attributes describes it.",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawNormal10(rows, r, []string{"0", "1"}, func(x []float64) bool {
				return r.Float64() < 1/(1+math.Exp(-nonadditiveLogOdds(x)))
			})
		},
	}
)

// chiSquare10Median is the median of the chi-square distribution with ten
// degrees of freedom, which makes the two spheres' classes equally likely. A
// test computes it independently.
const chiSquare10Median = 9.341817765591966

func nonadditiveLogOdds(x []float64) float64 {
	sum, alternating := 0.0, 1.0
	for i, v := range x[:6] {
		sum += v
		if i%2 == 0 {
			alternating -= v
		} else {
			alternating += v
		}
	}
	return 10 * sum * alternating
}

func drawNormal10(rows int, r *rand.Rand, classes []string, positive func(x []float64) bool) *boost.Data {
	t := newTable(rows, classes, numbered("x", 10))
	x := make([]float64, 10)
	for range rows {
		for i := range x {
			x[i] = r.NormFloat64()
		}
		add(t, x, positive(x))
	}
	return t
}
