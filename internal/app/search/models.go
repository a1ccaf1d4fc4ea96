package search

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/wholefile"
	"haarlem/models"
)

// builtinNames lists the models that are part of this program.
func builtinNames() string { return strings.Join(models.Names(), ", ") }

// OpenModel opens what -model says: a built-in model if it is the name of one,
// otherwise a file. (A file called like a model is ./face.) Nothing
// means the default.
func OpenModel(name string) (*cascade.Cascade, error) {
	name = cmp.Or(name, models.Default)
	if slices.Contains(models.Names(), name) {
		return models.Open(name)
	}
	if wholefile.IsDir(name) {
		return nil, cli.Usagef("model %s: it is a folder, and here a model is one file", name)
	}
	if err := wholefile.Check(name); err != nil {
		return nil, cli.Usagef("model %v", err)
	}
	c, err := cascade.Open(name)
	switch {
	case err == nil:
		return c, nil
	case errors.Is(err, fs.ErrNotExist) && filepath.Base(name) == name && filepath.Ext(name) == "":
		return nil, cli.Usagef("model %s: there is no such file, and %s", name, models.Instead(name))
	case errors.Is(err, fs.ErrNotExist):
		return nil, cli.Usagef("model %s: there is no such file", name)
	}
	return nil, cli.Usage(err)
}
