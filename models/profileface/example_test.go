package profileface_test

import (
	"context"
	"fmt"
	"image"
	"log"

	"haarlem/cascade/detector"
	"haarlem/models/profileface"
)

func Example() {
	one, err := profileface.Cascade()
	if err != nil {
		log.Fatal(err)
	}
	other, err := one.Mirror()
	if err != nil {
		log.Fatal(err)
	}
	t, err := detector.New(nil, one, other)
	if err != nil {
		log.Fatal(err)
	}
	// A real picture would go here; this one is empty.
	img := image.NewGray(image.Rect(0, 0, 320, 240))
	faces, err := t.Detect(context.Background(), img)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range faces {
		fmt.Printf("%v with probability %.2f\n", f.Box, f.Score)
	}
	fmt.Println(len(faces), "faces")
	// Output: 0 faces
}
