package facefast_test

import (
	"context"
	"fmt"
	"image"
	"log"

	"haarlem/cascade/detector"
	"haarlem/models/facefast"
)

func Example() {
	c, err := facefast.Cascade()
	if err != nil {
		log.Fatal(err)
	}
	d, err := detector.New(nil, c)
	if err != nil {
		log.Fatal(err)
	}
	// A picture of the caller's would come here; on this one there is nobody.
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
