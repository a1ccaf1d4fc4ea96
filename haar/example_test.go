package haar_test

import (
	"fmt"

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
