// Package frontalfaceopencv carries a cascade for frontal faces in classical
// stages. frontalface-opencv.xml beside it is the same cascade for OpenCV 3.x
// and 4.x.
//
// models/frontalface-opencv.md says what it was trained on and how accurate it
// is.
package frontalfaceopencv

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

// Name is the name of the model for models.Open and on command lines.
const Name = "frontalface-opencv"

//go:embed frontalface-opencv.cascade
var file string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade(Name, file) }
