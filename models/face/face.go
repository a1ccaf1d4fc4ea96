// Package face carries the cascade that finds faces in photographs of the world: from the
// front and from the side, partly hidden, large and small. Its boxes are the whole face,
// from the forehead to the chin.
//
// The model's page, models/face.md, says what it was trained on and how well
// it does.
package face

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

// Name is what the model is called in models.Open and on command
// lines.
const Name = "face"

//go:embed face.cascade
var file string

// Cascade returns a copy of the model that the caller may change. The only
// errors are those of [cascade.Read], which no released build has.
func Cascade() (*cascade.Cascade, error) { return embedded.Cascade(Name, file) }
