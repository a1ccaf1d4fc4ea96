// Package face68 carries the landmark model that finds 68 points of a face: jaw,
// eyebrows, nose, eyes, outer and inner border of the lips, in the order of 300-W
// (Sagonas and others, 300 Faces in-the-Wild Challenge, ICCV Workshops 2013).
//
// The model's page, models/face68.md, says what it was trained on and how well it
// does.
package face68

import (
	_ "embed"
	"fmt"
	"strings"

	"haarlem/landmarks"
)

// Name is what the model is called on command lines.
const Name = "face68"

// The first of the points of each part, from 0 on.
const (
	Jaw       = 0 // from the left in the picture
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

// Model returns a copy of the model that the caller may change. The only errors
// are those of [landmarks.Read], which no released build has.
func Model() (*landmarks.Model, error) {
	m, err := landmarks.Read(strings.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("face68: the embedded model: %w", err)
	}
	return m, nil
}
