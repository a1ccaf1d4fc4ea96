package label

import (
	"errors"
	"fmt"
	"io"
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
	dir, err := filepath.Abs(filepath.Dir(to))
	if err != nil {
		return err
	}
	for _, p := range photos {
		path, err := filepath.Abs(p.File)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			name = path
		}
		labels := []samples.Label{{}} // of a picture without objects
		for i, o := range p.Objects {
			l := samples.Label{
				X: float64(o.Box.Min.X), Y: float64(o.Box.Min.Y), Width: float64(o.Box.Dx()), Height: float64(o.Box.Dy()),
				Ignore: o.Ignore, Tags: o.Tags,
			}
			for k, m := range o.Marks {
				if l.Points == nil {
					l.Points = map[string]samples.Point{}
				}
				l.Points[fmt.Sprint(k+1)] = m
			}
			if i == 0 {
				labels = nil
			}
			labels = append(labels, l)
		}
		if err := t.Append(filepath.ToSlash(name), labels); err != nil {
			return fmt.Errorf("%s: %s: %w", from, p.File, err)
		}
	}
	if err := samples.WriteAtomically(to, func(w io.Writer) error { return t.Encode(w) }); err != nil {
		return err
	}
	if missing != nil {
		return missing
	}
	return nil
}
