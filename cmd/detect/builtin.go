package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"haarlem/cascade"
)

// A builtin is a model that is part of the program.
type builtin struct {
	name string
	open func() (*cascade.Cascade, error)
}

// builtins are the models of this program; the first is the default.
var builtins []builtin

// builtinHelp continues the help of -model.
func builtinHelp() string {
	if len(builtins) == 0 {
		return "; this program has none built in"
	}
	return ": " + builtinNames() + ";\n" + builtins[0].name + " if not given"
}

func builtinNames() string {
	var names []string
	for _, b := range builtins {
		names = append(names, b.name)
	}
	return strings.Join(names, ", ")
}

// openModel opens what -model says: a built-in model if it is the name of one,
// otherwise a file. Nothing means the default.
func openModel(name string) (*cascade.Cascade, error) {
	if name == "" {
		if len(builtins) == 0 {
			return nil, usagef("this program has no model built in; give one with -model FILE")
		}
		name = builtins[0].name
	}
	for _, b := range builtins {
		if b.name == name {
			return b.open()
		}
	}
	c, err := cascade.Open(name)
	switch {
	case err == nil:
		return c, nil
	case errors.Is(err, fs.ErrNotExist) && filepath.Base(name) == name && filepath.Ext(name) == "" && len(builtins) > 0:
		return nil, usagef("model %s: there is no such file, and the built-in models are %s", name, builtinNames())
	case errors.Is(err, fs.ErrNotExist):
		return nil, usagef("model %s: there is no such file", name)
	}
	return nil, usageError{err}
}
