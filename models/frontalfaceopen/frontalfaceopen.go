// Package frontalfaceopen carries a cascade for frontal faces, and a landmark model for
// its boxes, that learned only from pictures whose licences allow commercial use and
// derived works.
//
// frontalface-open.md and face5-open.md beside it say what they were trained on and how
// accurate they are, docs/open.md what open means here and what it does not.
package frontalfaceopen

import (
	_ "embed"
	"strings"

	"haarlem/cascade"
	"haarlem/landmarks"
	"haarlem/models/internal/embedded"
)

//go:embed frontalface-open.cascade
var file string

//go:embed face5-open.points
var points string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade("frontalface-open", file) }

// Points returns a copy of the landmark model, whose points are those of package face5.
// Errors are those of [landmarks.Read]; no released build has one.
func Points() (*landmarks.Model, error) { return landmarks.Read(strings.NewReader(points)) }
