package label

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"haarlem/internal/samples"
)

// Import begins a working file with labels in another format. The file must not exist
// yet. If some pictures do not exist, the error is a [*samples.MissingError], and the
// file has the others.
func Import(to, from string) error {
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s is there already, and is not overwritten", to)
	}
	photos, err := samples.ReadTruth(from, samples.Auto)
	var missing *samples.MissingError
	if err != nil && !errors.As(err, &missing) {
		return err
	}
	t := samples.NewTable()
	for _, p := range photos {
		if err := t.Append(samples.SeenFrom(filepath.Dir(to), p.File), samples.LabelsOf(p.Objects)); err != nil {
			return fmt.Errorf("%s: %s: %w", from, p.File, err)
		}
	}
	if err := samples.WriteAtomically(to, t.Encode); err != nil {
		return err
	}
	if missing != nil {
		return missing
	}
	return nil
}
