package train

import (
	"errors"
	"fmt"
	"slices"
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
	if i := slices.Index(names, name); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%w: %s %q is unknown; there are %v", ErrSettings, what, name, names)
}

// ErrSettings is wrapped by errors about invalid settings.
var ErrSettings = errors.New("train: bad settings")
