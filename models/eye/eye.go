// Package eye carries the cascade for eyes in pictures of faces.
//
// eye.md beside it says what it was trained on and how accurate it is.
package eye

import (
	_ "embed"
	"fmt"
	"strings"

	"haarlem/cascade"
)

//go:embed eye.cascade
var file string

// Cascade returns a copy of the model that the caller may change. Errors are
// those of [cascade.Read]; no released build has one.
func Cascade() (*cascade.Cascade, error) {
	c, err := cascade.Read(strings.NewReader(file), nil)
	if err != nil {
		return nil, fmt.Errorf("eye: the embedded model: %w", err)
	}
	return c, nil
}
