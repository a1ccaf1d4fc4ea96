// Package models opens the built-in cascades by name.
//
// A program that imports it carries all of them. To carry only one, import that
// model's own package, such as models/face.
//
// Each model has a page beside its folder that says what it is for, what it was
// trained on and how accurate it is. FORMAT.md describes the files, DATA.md the
// data.
package models

import (
	"errors"
	"fmt"
	"strings"

	"haarlem/cascade"
	"haarlem/models/face"
	"haarlem/models/facefast"
	"haarlem/models/frontalfaceopencv"
)

// Default is the name of the default model.
const Default = face.Name

// ErrUnknown is wrapped by Open's error for an unknown name.
var ErrUnknown = errors.New("models: no such model")

// embedded lists the models, the default first. A new one is a package like
// face, and a line here.
var embedded = []struct {
	name string
	open func() (*cascade.Cascade, error)
}{
	{face.Name, face.Cascade},
	{facefast.Name, facefast.Cascade},
	{frontalfaceopencv.Name, frontalfaceopencv.Cascade},
}

// Names returns the names of all models, the default first.
func Names() []string {
	names := make([]string, len(embedded))
	for i, m := range embedded {
		names[i] = m.name
	}
	return names
}

// replaced are models that were removed, and those in their place.
var replaced = map[string]string{"frontalface": facefast.Name, "frontalface-fast": facefast.Name, "profileface": face.Name}

// Instead says which models there are, for an error about a name that is none of
// theirs.
func Instead(name string) string {
	if by := replaced[name]; by != "" {
		return by + " replaces the built-in model of this name"
	}
	return "the built-in models are " + strings.Join(Names(), ", ")
}

// Open returns a copy of the named model that the caller may change.
func Open(name string) (*cascade.Cascade, error) {
	for _, m := range embedded {
		if m.name == name {
			return m.open()
		}
	}
	return nil, fmt.Errorf("%w: %q; %s", ErrUnknown, name, Instead(name))
}
