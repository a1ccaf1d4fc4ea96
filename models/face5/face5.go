// Package face5 carries a landmark model with five points of a face: left eye,
// right eye, nose, left and right corner of the mouth, left and right as seen
// in the image.
//
// models/face5.md says what it was trained on and how accurate it is.
package face5

import (
	_ "embed"
	"fmt"
	"strings"

	"haarlem/landmarks"
)

// Name is the name of the model on command lines.
const Name = "face5"

// The points, in the order in which they are found.
const (
	LeftEye = iota
	RightEye
	Nose
	LeftMouth
	RightMouth
)

//go:embed face5.points
var file string

// File returns the model's file.
func File() []byte { return []byte(file) }

// Model returns a copy of the model that the caller may change. Errors are
// those of [landmarks.Read]; no released build has one.
func Model() (*landmarks.Model, error) {
	m, err := landmarks.Read(strings.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("face5: the embedded model: %w", err)
	}
	return m, nil
}
