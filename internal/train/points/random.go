package points

import (
	"math"

	"haarlem/internal/splitmix"
)

// disc returns a random point in the disc of radius 1.
func disc(d *splitmix.Source) (x, y float64) {
	for {
		x, y = d.Between(-1, 1), d.Between(-1, 1)
		if float64(x*x)+float64(y*y) <= 1 {
			return x, y
		}
	}
}

// shuffled returns the numbers below n in random order.
func shuffled(d *splitmix.Source, n int) []int {
	p := make([]int, n)
	for i := range p {
		k := d.IntN(i + 1)
		p[i], p[k] = p[k], i
	}
	return p
}

// round returns the nearest integer, and the larger of two.
func round(v float64) float64 { return math.Floor(v + 0.5) }
