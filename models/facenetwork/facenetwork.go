// Package facenetwork carries a cascade for faces in photographs of the world, whose
// last stage is a convolutional network.
//
// face-network.md beside it says what it was trained on and how accurate it is.
package facenetwork

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

//go:embed face-network.cascade
var file string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade("face-network", file) }
