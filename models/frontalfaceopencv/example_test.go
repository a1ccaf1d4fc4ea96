package frontalfaceopencv_test

import (
	"context"
	"fmt"
	"image"
	"log"

	"haarlem/cascade/detector"
	"haarlem/models/frontalfaceopencv"
)

func Example() {
	c, err := frontalfaceopencv.Cascade()
	if err != nil {
		log.Fatal(err)
	}
	d, err := detector.New(nil, c)
	if err != nil {
		log.Fatal(err)
	}
	// A real picture would go here; this one is empty.
	img := image.NewGray(image.Rect(0, 0, 320, 240))
	faces, err := d.Detect(context.Background(), img)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range faces {
		fmt.Printf("%v with probability %.2f\n", f.Box, f.Score)
	}
	fmt.Println(len(faces), "faces")
	// Output: 0 faces
}
