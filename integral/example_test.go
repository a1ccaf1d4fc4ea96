package integral_test

import (
	"fmt"
	"image"

	"haarlem/integral"
)

// The sum table of the image in the package comment, and the sum of pixels 5
// and 6.
func Example() {
	g := &image.Gray{Pix: []byte{1, 2, 3, 4, 5, 6}, Stride: 3, Rect: image.Rect(0, 0, 3, 2)}
	var t integral.Tables
	if err := t.Make(g, 0); err != nil {
		fmt.Println(err)
		return
	}
	for y := 0; y <= t.Height; y++ {
		fmt.Println(t.Sums[y*t.Stride : y*t.Stride+t.Width+1])
	}
	fmt.Println("sum:", t.Sum(image.Rect(1, 1, 3, 2)))
	// Output:
	// [0 0 0 0]
	// [0 1 3 6]
	// [0 5 12 21]
	// sum: 11
}
