// Package plate carries the cascade for number plates of cars.
//
// plate.md beside it says what it was trained on and how accurate it is.
package plate

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

//go:embed plate.cascade
var file string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade("plate", file) }
