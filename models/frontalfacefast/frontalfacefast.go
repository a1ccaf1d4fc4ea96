// Package frontalfacefast carries the cascade that finds what package frontalface does, fewer of them,
// at a third of the work: for small machines.
//
// The model's page, models/frontalface-fast.md, says what it was trained on and how well
// it does.
package frontalfacefast

import (
	_ "embed"
	"fmt"
	"strings"

	"haarlem/cascade"
)

// Name is what the model is called in models.Open and on command
// lines.
const Name = "frontalface-fast"

//go:embed frontalface-fast.cascade
var file string

// Cascade returns a copy of the model that the caller may change. The only
// errors are those of [cascade.Read], which no released build has.
func Cascade() (*cascade.Cascade, error) {
	c, err := cascade.Read(strings.NewReader(file), nil)
	if err != nil {
		return nil, fmt.Errorf("frontalfacefast: the embedded model: %w", err)
	}
	return c, nil
}
