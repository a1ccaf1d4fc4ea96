// Package face68 carries a landmark model with 68 points of a face: jaw,
// eyebrows, nose, eyes, outer and inner border of the lips, in the order of
// 300-W (Sagonas and others, 300 Faces in-the-Wild Challenge, ICCV Workshops
// 2013).
//
// models/face68.md says what it was trained on and how accurate it is.
package face68

import (
	_ "embed"
	"fmt"
	"strings"

	"haarlem/landmarks"
)

// Name is the name of the model on command lines.
const Name = "face68"

// The first of the points of each part, from 0 on.
const (
	Jaw       = 0 // from the left in the image
	LeftBrow  = 17
	RightBrow = 22
	Bridge    = 27 // of the nose, downwards
	Nostrils  = 31
	LeftEye   = 36 // clockwise from the outer corner
	RightEye  = 42 // clockwise from the inner corner
	Mouth     = 48 // clockwise from the left corner
	Lips      = 60 // their inner border, clockwise from the left
)

//go:embed face68.points
var file string

// Model returns a copy of the model that the caller may change. Errors are
// those of [landmarks.Read]; no released build has one.
func Model() (*landmarks.Model, error) {
	m, err := landmarks.Read(strings.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("face68: the embedded model: %w", err)
	}
	return m, nil
}
