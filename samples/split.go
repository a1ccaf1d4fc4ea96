package samples

import (
	"path/filepath"

	"haarlem/internal/splitmix"
)

// Split parts things by the photographs they come from, so that no photograph
// is on both sides: it returns the numbers of those that are kept and of about
// the given share, from 0 to 1, that is held apart. names are the photographs'
// files. What decides is a hash of the seed and the name without its folder: a
// photograph stays on its side whatever comes or goes beside it, and wherever
// the files lie.
func Split(names []string, share float64, seed uint64) (kept, apart []int) {
	for i, name := range names {
		d := splitmix.New(seed, filepath.Base(name), 0)
		if d.Float64() < share {
			apart = append(apart, i)
		} else {
			kept = append(kept, i)
		}
	}
	return kept, apart
}
