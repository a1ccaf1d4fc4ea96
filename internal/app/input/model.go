package input

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/models"
)

// Named splits NAME=FILE. Without a name it is the file's, without the
// extension of models.
func Named(s string) (name, file string) {
	if name, file, ok := strings.Cut(s, "="); ok && name != "" && file != "" && !strings.ContainsAny(name, `/\`) {
		return name, file
	}
	name = filepath.Base(s)
	return strings.TrimSuffix(name, filepath.Ext(name)), s
}

// OpenModel opens a built-in model by name, or a file.
func OpenModel(name string) (*cascade.Cascade, error) {
	if slices.Contains(models.Names(), name) {
		return models.Open(name)
	}
	c, err := cascade.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cli.Usagef("model %s: there is no such file, and %s", name, models.Instead(name))
	}
	return c, err
}
