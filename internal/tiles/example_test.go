package tiles_test

import (
	"fmt"
	"image"

	"haarlem/haar"
	"haarlem/internal/tiles"
)

// One edge feature on two training samples, one of which has an edge.
func ExampleSamples() {
	edge := image.NewGray(image.Rect(0, 0, 8, 8))
	stripes := image.NewGray(image.Rect(0, 0, 8, 8))
	for i := range edge.Pix {
		if i%8 >= 4 {
			edge.Pix[i] = 200
		}
		if i%2 == 1 {
			stripes.Pix[i] = 200
		}
	}
	s := tiles.NewSamples(2, 8, 8, false)
	s.Set(0, edge)
	s.Set(1, stripes)

	f := haar.Feature{Rects: [3]haar.Rect{{X: 0, Y: 0, W: 8, H: 8, Weight: -1}, {X: 4, Y: 0, W: 4, H: 8, Weight: 2}}}
	o := s.Compile(&f)
	var values tiles.Lane
	s.Values(&values, &o, 0)
	fmt.Printf("%.3f %.3f\n", values[0], values[1])
	// Output:
	// 1.778 0.000
}
