package facemodel_test

import (
	"fmt"
	"image"
	"math/rand/v2"

	"haarlem/internal/samples/synth/facemodel"
)

func Example() {
	m := facemodel.Builtin()
	picture := image.NewGray(image.Rect(0, 0, 200, 150))
	face := m.Draw(rand.New(rand.NewPCG(1, 2)))
	box := image.Rect(60, 40, 130, 110)
	face.Paint(picture, box)
	nose := face.Marks[2]
	fmt.Printf("nose at %.0f, %.0f\n", 60+nose.X*float64(box.Dx()), 40+nose.Y*float64(box.Dy()))
	// Output:
	// nose at 94, 86
}
