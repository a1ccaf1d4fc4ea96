package dataset

import (
	"fmt"
	"math/rand/v2"
)

// The three problems of the monks of Corsendonk Priory: Thrun and others, "The
// MONK's Problems", CMU-CS-91-197. Six attributes describe a robot; all 432
// robots are here.
var (
	monks1 = Set{
		Name: "monks1", Rows: 432, Complete: true,
		About: "All 432 robots; positive when head and body have the same shape, or the jacket is red (Thrun and others, 1991).",
		draw: func(int, *rand.Rand) *Table {
			return drawMonks(func(a [6]int) bool { return a[0] == a[1] || a[4] == 1 })
		},
	}
	monks2 = Set{
		Name: "monks2", Rows: 432, Complete: true,
		About: "All 432 robots; positive when exactly two attributes have their first value (Thrun and others, 1991).",
		draw: func(int, *rand.Rand) *Table {
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
		draw:  func(int, *rand.Rand) *Table { return drawMonks(monks3Rule) },
	}
	monks3Noisy = Set{
		Name: "monks3-noisy", Rows: 432, Complete: true, Bayes: 22.0 / 432,
		About: "monks3 with five per cent of the labels, 22 of 432, flipped by the seed.",
		draw: func(_ int, r *rand.Rand) *Table {
			t := drawMonks(monks3Rule)
			t.flipLabels(0.05, r)
			return t
		},
	}
)

func monks3Rule(a [6]int) bool {
	return a[4] == 3 && a[3] == 1 || a[4] != 4 && a[1] != 3
}

func drawMonks(positive func(a [6]int) bool) *Table {
	values := [6]int{3, 3, 2, 3, 4, 2}
	t := &Table{Classes: [2]string{"0", "1"}}
	rows := 1
	for i, n := range values {
		c := Column{Name: fmt.Sprintf("a%d", i+1)}
		for v := 1; v <= n; v++ {
			c.Levels = append(c.Levels, fmt.Sprint(v))
		}
		t.Columns = append(t.Columns, c)
		rows *= n
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
		t.add(x, positive(a))
	}
	return t
}
