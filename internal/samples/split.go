package samples

import (
	"path/filepath"

	"haarlem/internal/splitmix"
)

// Split holds out windows by photograph, so that no photograph is on both sides. It
// returns those that are kept, and about the given fraction that is held out. name is
// the photograph's file. A hash of the seed and the name without its folder decides, so
// that a photograph stays on its side whatever else is in the list.
func Split[T any](all []T, name func(T) string, share float64, seed uint64) (kept, heldOut []T) {
	for _, v := range all {
		d := splitmix.New(seed, filepath.Base(name(v)), 0)
		if d.Float64() < share {
			heldOut = append(heldOut, v)
		} else {
			kept = append(kept, v)
		}
	}
	return kept, heldOut
}
