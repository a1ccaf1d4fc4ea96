package haar_test

import (
	"fmt"
	"image"

	"haarlem/haar"
)

// How many features are there to choose from?
func ExampleSet_Count() {
	for _, set := range []haar.Set{haar.Basic, haar.Core, haar.All} {
		fmt.Println(set, set.Count(24, 24))
	}
	// Output:
	// BASIC 162336
	// CORE 210400
	// ALL 261600
}

// The first feature of each kind in a small window.
func ExampleSet_Features() {
	for f := range haar.Basic.Features(3, 1) {
		fmt.Println(f.Rects[:f.Count()])
	}
	// Output:
	// [{0 0 2 1 -1} {1 0 1 1 2}]
	// [{0 0 3 1 -1} {1 0 1 1 3}]
	// [{1 0 2 1 -1} {2 0 1 1 2}]
}

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
	s := haar.NewSamples(2, 8, 8, false)
	s.Set(0, edge)
	s.Set(1, stripes)

	f := haar.Feature{Rects: [3]haar.Rect{{X: 0, Y: 0, W: 8, H: 8, Weight: -1}, {X: 4, Y: 0, W: 4, H: 8, Weight: 2}}}
	o := s.Compile(&f)
	var values haar.Lane
	s.Values(&values, &o, 0)
	fmt.Printf("%.3f %.3f\n", values[0], values[1])
	// Output:
	// 1.778 0.000
}
