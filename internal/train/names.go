package train

import (
	"errors"
	"fmt"
)

// Names of enumerations, as command lines write them.

// nameOf returns name i.
func nameOf(names []string, i int, kind string) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}

// parse is the inverse of nameOf.
func parse(names []string, name, what string) (int, error) {
	for i, n := range names {
		if n == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%w: %s %q is unknown; there are %v", ErrSettings, what, name, names)
}

// ErrSettings is wrapped by errors about invalid settings.
var ErrSettings = errors.New("train: bad settings")
