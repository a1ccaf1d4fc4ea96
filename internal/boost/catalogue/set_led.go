package catalogue

import (
	"math/rand/v2"

	"haarlem/boost"
)

// The display with seven segments of Breiman and others, "Classification and
// Regression Trees" (1984): a random digit is shown, and each segment is
// inverted with probability 0.1.
var (
	led = Set{
		Name: "led", Rows: 1000,
		About: "Seven segments of a display that shows a digit, each inverted with probability 0.1; positive when the digit is even (Breiman and others, 1984; the original's class is the digit).",
		draw:  func(rows int, r *rand.Rand) *boost.Data { return drawLED(rows, 0, r) },
	}
	led24 = Set{
		Name: "led24", Rows: 1000,
		About: "led with 17 irrelevant Boolean attributes (Breiman and others, 1984).",
		draw:  func(rows int, r *rand.Rand) *boost.Data { return drawLED(rows, 17, r) },
	}
)

// ledNoise is the probability that a segment is wrong.
const ledNoise = 0.1

// ledSegments are the digits' segments: top, upper left, upper right, middle,
// lower left, lower right, bottom.
var ledSegments = [10][7]float64{
	{1, 1, 1, 0, 1, 1, 1},
	{0, 0, 1, 0, 0, 1, 0},
	{1, 0, 1, 1, 1, 0, 1},
	{1, 0, 1, 1, 0, 1, 1},
	{0, 1, 1, 1, 0, 1, 0},
	{1, 1, 0, 1, 0, 1, 1},
	{1, 1, 0, 1, 1, 1, 1},
	{1, 0, 1, 0, 0, 1, 0},
	{1, 1, 1, 1, 1, 1, 1},
	{1, 1, 1, 1, 0, 1, 1},
}

func drawLED(rows, irrelevant int, r *rand.Rand) *boost.Data {
	segments := []string{"top", "upper-left", "upper-right", "middle", "lower-left", "lower-right", "bottom"}
	t := newTable(rows, []string{"odd", "even"}, append(segments, numbered("irrelevant", irrelevant)...))
	x := make([]float64, len(t.Columns))
	for range rows {
		digit := r.IntN(10)
		copy(x, ledSegments[digit][:])
		for i := range ledSegments[digit] {
			if r.Float64() < ledNoise {
				x[i] = 1 - x[i]
			}
		}
		bits(x[7:], int(r.Uint32()>>1))
		add(t, x, digit%2 == 0)
	}
	return t
}
