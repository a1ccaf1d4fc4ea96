package face5_test

import (
	"fmt"
	"image"
	"image/png"
	"log"
	"os"

	"haarlem/integral"
	"haarlem/landmarks"
	"haarlem/models/face5"
)

func Example() {
	m, err := face5.Model()
	if err != nil {
		log.Fatal(err)
	}
	p, err := landmarks.NewPredictor(m)
	if err != nil {
		log.Fatal(err)
	}
	f, err := os.Open("../../samples/group.png")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		log.Fatal(err)
	}
	box := image.Rect(243, 273, 369, 399) // a detector found it
	points := p.Points(nil, integral.Grey(img), m.Box.Frame(box))
	left, right := points[face5.LeftEye], points[face5.RightEye]
	fmt.Printf("eyes at %.0f,%.0f and %.0f,%.0f\n", left.X, left.Y, right.X, right.Y)

	level := landmarks.Crop(img, landmarks.Upright(box, left, right), 100)
	fmt.Println("a picture of", level.Bounds().Size())
	// Output:
	// eyes at 280,323 and 332,324
	// a picture of (100,100)
}
