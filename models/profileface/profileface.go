// Package profileface carries the cascade for faces seen from one side. Its
// mirror image, Cascade.Mirror, finds those seen from the other;
// models.OpenPose returns both.
//
// models/profileface.md says what it was trained on and how accurate it is.
package profileface

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

// Name is the name of the model for models.Open and on command lines.
const Name = "profileface"

//go:embed profileface.cascade
var file string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade(Name, file) }
