// Package profileface carries the cascade that finds faces seen from one side. Its mirror image,
// Cascade.Mirror, finds those seen from the other; models.OpenPose has both.
//
// The model's page, models/profileface.md, says what it was trained on and how well
// it does.
package profileface

import (
	_ "embed"
	"fmt"
	"strings"

	"haarlem/cascade"
)

// Name is what the model is called in models.Open and on command
// lines.
const Name = "profileface"

//go:embed profileface.cascade
var file string

// Cascade returns a copy of the model that the caller may change. The only
// errors are those of [cascade.Read], which no released build has.
func Cascade() (*cascade.Cascade, error) {
	c, err := cascade.Read(strings.NewReader(file), nil)
	if err != nil {
		return nil, fmt.Errorf("profileface: the embedded model: %w", err)
	}
	return c, nil
}
