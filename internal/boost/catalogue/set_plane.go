package catalogue

import (
	"math"
	"math/rand/v2"

	"haarlem/boost"
)

// Shapes that stumps find hard or easy: a plane across the axes, and figures in
// two dimensions.
var (
	hyperplane = Set{
		Name: "hyperplane", Rows: 1000,
		About: "Ten attributes, uniform in 0 to 1; positive when x1 + 2 x2 + ... + 10 x10 is above its mean.",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			t := newTable(rows, []string{"below", "above"}, numbered("x", 10))
			x := make([]float64, 10)
			for range rows {
				sum := 0.0
				for i := range x {
					x[i] = r.Float64()
					sum += float64(float64(i+1) * (x[i] - 0.5))
				}
				add(t, x, sum > 0)
			}
			return t
		},
	}
	checkerboard = Set{
		Name: "checkerboard", Rows: 1000,
		About: "Points of a board of four by four squares; positive on white. No line across the whole board helps.",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawPlane(rows, r, func(positive bool) (float64, float64) {
				for {
					x, y := 4*r.Float64(), 4*r.Float64()
					if ((int(x)+int(y))%2 == 0) == positive {
						return x, y
					}
				}
			})
		},
	}
	xor = Set{
		Name: "xor", Rows: 1000,
		About: "Four round normal clouds of standard deviation 0.5 at (+-1, +-1); positive are the two on one diagonal.",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawPlane(rows, r, func(positive bool) (float64, float64) {
				x, y := 1.0, 1.0
				if !positive {
					y = -1
				}
				if coin(r) {
					x, y = -x, -y
				}
				return x + float64(0.5*r.NormFloat64()), y + float64(0.5*r.NormFloat64())
			})
		},
	}
	spirals = Set{
		Name: "spirals", Rows: 1000,
		About: "Two spirals of one and a half turns around each other, with normal noise of 0.1 (after Lang and Witbrock, 1988).",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawPlane(rows, r, func(positive bool) (float64, float64) {
				// The root spreads the points evenly along the arm.
				angle := 3 * math.Pi * math.Sqrt(r.Float64())
				radius := angle / math.Pi
				if positive {
					radius = -radius
				}
				sin, cos := math.Sincos(angle)
				return float64(radius*cos) + float64(0.1*r.NormFloat64()), float64(radius*sin) + float64(0.1*r.NormFloat64())
			})
		},
	}
	moons = Set{
		Name: "moons", Rows: 1000,
		About: "Two half circles of radius 1 that reach into each other, with normal noise of 0.3.",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			return drawPlane(rows, r, func(positive bool) (float64, float64) {
				sin, cos := math.Sincos(math.Pi * r.Float64())
				x, y := cos, sin
				if positive {
					x, y = 1-cos, 0.5-sin
				}
				return x + float64(0.3*r.NormFloat64()), y + float64(0.3*r.NormFloat64())
			})
		},
	}
)

func drawPlane(rows int, r *rand.Rand, point func(positive bool) (x, y float64)) *boost.Data {
	t := newTable(rows, []string{"0", "1"}, numbered("x", 2))
	for range rows {
		positive := coin(r)
		x, y := point(positive)
		add(t, []float64{x, y}, positive)
	}
	return t
}
