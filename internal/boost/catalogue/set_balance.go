package catalogue

import (
	"math/rand/v2"

	"haarlem/boost"
)

// Siegler's balance scale: a weight at a distance on either side, each 1 to 5.
// The original has three classes, L, B and R, with 288, 49 and 288 rows.
var (
	balance = Set{
		Name: "balance", Rows: 625, Complete: true,
		About: "All 625 balance scales with weights and distances from 1 to 5; positive when the left side goes down, negative when it goes up or stays (Siegler, 1976; the original's classes B and R are one).",
		draw: func(int, *rand.Rand) *boost.Data {
			return drawBalance([]string{"B|R", "L"}, func(left, right int) bool { return left > right })
		},
	}
	balanceEven = Set{
		Name: "balance-even", Rows: 625, Complete: true,
		About: "All 625 balance scales; positive when the scale is even, which 49 are (Siegler, 1976; the original's classes L and R are one).",
		draw: func(int, *rand.Rand) *boost.Data {
			return drawBalance([]string{"L|R", "B"}, func(left, right int) bool { return left == right })
		},
	}
)

func drawBalance(classes []string, positive func(left, right int) bool) *boost.Data {
	t := newTable(625, classes, []string{"left-weight", "left-distance", "right-weight", "right-distance"})
	for i := range 625 {
		v := [4]int{1 + i/125, 1 + i/25%5, 1 + i/5%5, 1 + i%5}
		add(t, []float64{float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])}, positive(v[0]*v[1], v[2]*v[3]))
	}
	return t
}
