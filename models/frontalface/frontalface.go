// Package frontalface carries the cascade for upright frontal faces, turned by
// up to about 30 degrees to either side.
//
// models/frontalface.md says what it was trained on and how accurate it is.
package frontalface

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

// Name is the name of the model for models.Open and on command lines.
const Name = "frontalface"

//go:embed frontalface.cascade
var file string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade(Name, file) }
