// Package embedded reads the files that packages of models carry.
package embedded

import (
	"fmt"
	"strings"

	"haarlem/cascade"
)

// Cascade reads the model of that name.
func Cascade(name, file string) (*cascade.Cascade, error) {
	c, err := cascade.Read(strings.NewReader(file), nil)
	if err != nil {
		return nil, fmt.Errorf("the embedded model %s: %w", name, err)
	}
	return c, nil
}
