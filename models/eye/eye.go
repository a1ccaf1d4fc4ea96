// Package eye carries the cascade for eyes in pictures of faces.
//
// eye.md beside it says what it was trained on and how accurate it is.
package eye

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

//go:embed eye.cascade
var file string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade("eye", file) }
