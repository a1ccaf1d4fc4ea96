// Package frontalfaceopencv carries the cascade that finds what package frontalface does, in classical
// stages. Beside it lies the same cascade as a file for OpenCV, which 3.x and 4.x
// load: frontalface-opencv.xml.
//
// The model's page, models/frontalface-opencv.md, says what it was trained on and how well
// it does.
package frontalfaceopencv

import (
	_ "embed"
	"fmt"
	"strings"

	"haarlem/cascade"
)

// Name is what the model is called in models.Open and on command
// lines.
const Name = "frontalface-opencv"

//go:embed frontalface-opencv.cascade
var file string

// Cascade returns a copy of the model that the caller may change. The only
// errors are those of [cascade.Read], which no released build has.
func Cascade() (*cascade.Cascade, error) {
	c, err := cascade.Read(strings.NewReader(file), nil)
	if err != nil {
		return nil, fmt.Errorf("frontalfaceopencv: the embedded model: %w", err)
	}
	return c, nil
}
