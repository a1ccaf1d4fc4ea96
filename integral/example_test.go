package integral_test

import (
	"fmt"
	"image"
	"image/color"

	"haarlem/integral"
)

// The tables of the image in the package comment, and the sum of its pixels 5
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

// Mean and contrast of two windows of a colour picture: a plain one, and one
// with an edge in its middle.
func ExampleTables_MeanStdDev() {
	img := image.NewNRGBA(image.Rect(100, 100, 140, 120))
	for y := 100; y < 120; y++ {
		for x := 100; x < 140; x++ {
			img.Set(x, y, color.White)
			if x < 120 {
				img.Set(x, y, color.NRGBA{R: 200, A: 255})
			}
		}
	}
	if err := integral.CheckSize(img.Bounds()); err != nil {
		fmt.Println(err)
		return
	}
	g, _ := integral.GreyOf(img, nil)
	var t integral.Tables
	if err := t.Make(&g, integral.Squares); err != nil {
		fmt.Println(err)
		return
	}
	// Windows count from the top left pixel, not from the image's bounds.
	fmt.Println(t.MeanStdDev(image.Rect(0, 0, 10, 10)))
	fmt.Println(t.MeanStdDev(image.Rect(15, 0, 25, 10)))
	// Output:
	// 60 0
	// 157.5 97.5
}

// A rectangle that stands on its tip: one step to the right, two to the left.
func ExampleTables_TiltedSum() {
	g := integral.Grey{Stride: 5, Width: 5, Height: 4, Pix: []byte{
		0, 0, 1, 0, 0,
		0, 1, 1, 1, 0,
		0, 1, 1, 0, 0,
		0, 0, 0, 0, 0,
	}}
	var t integral.Tables
	if err := t.Make(&g, integral.Tilted); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.TiltedSum(3, 0, 1, 2), "of", 2*1*2, "pixels")
	// Output: 4 of 4 pixels
}

// Planes of many images in the same memory.
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
