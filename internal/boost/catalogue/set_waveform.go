package catalogue

import (
	"math"
	"math/rand/v2"

	"haarlem/boost"
)

// The waves of Breiman and others, "Classification and Regression Trees"
// (1984): each example is a random mixture of two of three triangles, with
// noise.
var (
	waveform21 = Set{
		Name: "waveform21", Rows: 1000,
		About: "Mixtures of two of three triangular waves at 21 places, with standard normal noise; positive for the mixtures of the first and second wave, a third of all (Breiman and others, 1984; the original's classes 2 and 3 are one).",
		draw:  func(rows int, r *rand.Rand) *boost.Data { return drawWaveform(rows, 0, r) },
	}
	waveform40 = Set{
		Name: "waveform40", Rows: 1000,
		About: "waveform21 with 19 irrelevant standard normal attributes (Breiman and others, 1984).",
		draw:  func(rows int, r *rand.Rand) *boost.Data { return drawWaveform(rows, 19, r) },
	}
)

// triangle is the height at position i, from 1, of a wave of height 6 whose top
// is at centre.
func triangle(i, centre int) float64 {
	return math.Max(6-math.Abs(float64(i-centre)), 0)
}

func drawWaveform(rows, irrelevant int, r *rand.Rand) *boost.Data {
	const places = 21
	centres := [3]int{11, 15, 7}
	pairs := [3][2]int{{0, 1}, {0, 2}, {1, 2}}
	t := newTable(rows, []string{"2|3", "1"}, numbered("x", places+irrelevant))
	x := make([]float64, places+irrelevant)
	for range rows {
		class := r.IntN(3)
		u := r.Float64()
		a, b := centres[pairs[class][0]], centres[pairs[class][1]]
		for i := range x {
			x[i] = r.NormFloat64()
			if i < places {
				x[i] += float64(u*triangle(i+1, a)) + float64((1-u)*triangle(i+1, b))
			}
		}
		add(t, x, class == 0)
	}
	return t
}
