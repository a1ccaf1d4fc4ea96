package augment_test

import (
	"context"
	"fmt"
	"log"

	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
)

// Training windows of this repository's sample image: of each face the plain
// one and two augmented ones, and the three mirrored.
func ExampleMake() {
	photos, err := samples.ReadTruth("../../../samples/group.csv", samples.Auto)
	if err != nil {
		log.Fatal(err)
	}
	windows, err := augment.Make(context.Background(), photos, &augment.MakeOptions{
		Variants: 3,
		Mirror:   true,
		Effects:  augment.Default,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(photos[0].Objects), "faces,", len(windows), "windows of", windows[0].Grey.Rect.Size())
	for _, w := range windows[4:8] {
		fmt.Println(w.Source, w.Object, w.Variant, w.Mirrored)
	}
	sheet := samples.Sheet(augment.Greys(windows), 6, 2)
	fmt.Println("contact sheet of", sheet.Bounds().Size())
	// Output:
	// 11 faces, 66 windows of (24,24)
	// ../../../samples/group.png 0 2 false
	// ../../../samples/group.png 0 2 true
	// ../../../samples/group.png 1 0 false
	// ../../../samples/group.png 1 0 true
	// contact sheet of (302,552)
}

// Effects are parsed and formatted as on a command line.
func ExampleParse() {
	j, err := augment.Parse("shift=0.05,halftone=0.5")
	fmt.Println(j.Shift, j.Halftone, err)
	_, err = augment.Parse("press,halftone=50")
	fmt.Println(err)
	// Output:
	// 0.05 0.5 <nil>
	// jitter "press,halftone=50": halftone is 50, want 0 to 1
}
