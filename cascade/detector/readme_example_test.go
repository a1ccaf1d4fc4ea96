package detector_test

import (
	"context"
	"fmt"
	"image"
	"log"
	"os"

	"haarlem/cascade/detector"
	"haarlem/models/face"

	_ "image/png"
)

// README.md shows this function; .ci/run compares the two.
func findFaces(ctx context.Context, img image.Image) ([]detector.Detection, error) {
	model, err := face.Cascade() // or cascade.Open("haarcascade_frontalface_alt2.xml")
	if err != nil {
		return nil, err
	}
	finder, err := detector.New(&detector.Options{MinSize: image.Pt(30, 30)}, model)
	if err != nil {
		return nil, err
	}
	return finder.Detect(ctx, img) // boxes with scores, highest score first
}

func Example() {
	file, err := os.Open("../../samples/group.png")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	img, _, err := image.Decode(file)
	if err != nil {
		log.Fatal(err)
	}
	faces, err := findFaces(context.Background(), img)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(faces), "faces")
	fmt.Println("the surest is one:", faces[0].Score > 0.9)
	// Output:
	// 11 faces
	// the surest is one: true
}
