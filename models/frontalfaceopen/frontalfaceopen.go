// Package frontalfaceopen carries a cascade for frontal faces that learned only from
// pictures whose licences allow commercial use and derived works.
//
// frontalface-open.md beside it says what it was trained on and how accurate it is,
// docs/open.md what open means here and what it does not.
package frontalfaceopen

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

//go:embed frontalface-open.cascade
var file string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade("frontalface-open", file) }
