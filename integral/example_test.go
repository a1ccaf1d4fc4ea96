package integral_test

import (
	"fmt"
	"image"
	"image/color"

	"haarlem/integral"
)

// The sum table of the image in the package comment, and the sum of pixels 5
// and 6.
func Example() {
	g := integral.Grey{Pix: []byte{1, 2, 3, 4, 5, 6}, Stride: 3, Width: 3, Height: 2}
	var t integral.Tables
	if err := t.Make(&g, 0); err != nil {
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

// Reuse one buffer for many images.
func ExampleGreyOf() {
	var buf []byte
	for _, width := range []int{3, 2} {
		img := image.NewRGBA(image.Rect(0, 0, width, 1))
		img.Set(1, 0, color.White)
		var g integral.Grey
		g, buf = integral.GreyOf(img, buf)
		fmt.Println(g.Pix)
	}
	// Output:
	// [0 255 0]
	// [0 255]
}
