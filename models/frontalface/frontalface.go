// Package frontalface carries the cascade that finds upright faces seen from the front, turned by
// up to about 30 degrees to either side.
//
// The model's page, models/frontalface.md, says what it was trained on and how well
// it does.
package frontalface

import (
	_ "embed"
	"fmt"
	"strings"

	"haarlem/cascade"
)

// Name is what the model is called in models.Open and on command
// lines.
const Name = "frontalface"

//go:embed frontalface.cascade
var file string

// Cascade returns a copy of the model that the caller may change. The only
// errors are those of [cascade.Read], which no released build has.
func Cascade() (*cascade.Cascade, error) {
	c, err := cascade.Read(strings.NewReader(file), nil)
	if err != nil {
		return nil, fmt.Errorf("frontalface: the embedded model: %w", err)
	}
	return c, nil
}
