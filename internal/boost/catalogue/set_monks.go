package catalogue

import (
	"math/rand/v2"

	"haarlem/boost"
)

// The three problems of the monks of Corsendonk Priory: Thrun and others, "The
// MONK's Problems", CMU-CS-91-197. Six attributes describe a robot; all 432
// robots are here.
var (
	monks1 = Set{
		Name: "monks1", Rows: 432, Complete: true,
		About: "All 432 robots; positive when head and body have the same shape, or the jacket is red (Thrun and others, 1991).",
		draw: func(int, *rand.Rand) *boost.Data {
			return drawMonks(func(a [6]int) bool { return a[0] == a[1] || a[4] == 1 })
		},
	}
	monks2 = Set{
		Name: "monks2", Rows: 432, Complete: true,
		About: "All 432 robots; positive when exactly two attributes have their first value (Thrun and others, 1991).",
		draw: func(int, *rand.Rand) *boost.Data {
			return drawMonks(func(a [6]int) bool {
				first := 0
				for _, v := range a {
					if v == 1 {
						first++
					}
				}
				return first == 2
			})
		},
	}
	monks3 = Set{
		Name: "monks3", Rows: 432, Complete: true,
		About: "All 432 robots; positive when the jacket is green and a sword is held, or the jacket is not blue and the body is not octagonal (Thrun and others, 1991).",
		draw:  func(int, *rand.Rand) *boost.Data { return drawMonks(monks3Rule) },
	}
	monks3Noisy = Set{
		Name: "monks3-noisy", Rows: 432, Complete: true,
		About: "monks3 with five per cent of the labels, 22 of 432, flipped by the seed.",
		draw: func(_ int, r *rand.Rand) *boost.Data {
			t := drawMonks(monks3Rule)
			flipLabels(t, 0.05, r)
			return t
		},
	}
)

func monks3Rule(a [6]int) bool {
	return a[4] == 3 && a[3] == 1 || a[4] != 4 && a[1] != 3
}

func drawMonks(positive func(a [6]int) bool) *boost.Data {
	values := [6]int{3, 3, 2, 3, 4, 2}
	const rows = 3 * 3 * 2 * 3 * 4 * 2
	t := newTable(rows, []string{"0", "1"}, numbered("a", len(values)))
	for _, n := range values {
		t.Levels = append(t.Levels, numbered("", n))
	}
	var a [6]int
	x := make([]float64, 6)
	for i := range rows {
		rest := i
		for j, n := range values {
			a[j] = rest%n + 1
			x[j] = float64(rest % n)
			rest /= n
		}
		add(t, x, positive(a))
	}
	return t
}
