// Package frontalfacefast carries the cascade for small machines: frontal faces
// at a third of the work of package frontalface, with lower recall.
//
// models/frontalface-fast.md says what it was trained on and how accurate it
// is.
package frontalfacefast

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

// Name is the name of the model for models.Open and on command lines.
const Name = "frontalface-fast"

//go:embed frontalface-fast.cascade
var file string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade(Name, file) }
