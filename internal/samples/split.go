package samples

import (
	"path/filepath"

	"haarlem/internal/splitmix"
)

// Split holds out windows by photograph, so that no photograph is on both sides. It
// returns the numbers of those that are kept, and of about the given fraction that
// is held out. names are the photographs' files. A hash of the seed and the name
// without its folder decides, so that a photograph stays on its side whatever else
// is in the list.
func Split(names []string, share float64, seed uint64) (kept, heldOut []int) {
	for i, name := range names {
		d := splitmix.New(seed, filepath.Base(name), 0)
		if d.Float64() < share {
			heldOut = append(heldOut, i)
		} else {
			kept = append(kept, i)
		}
	}
	return kept, heldOut
}
