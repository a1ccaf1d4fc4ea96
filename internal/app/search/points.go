package search

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"haarlem/internal/app/cli"
	"haarlem/landmarks"
	"haarlem/models/face5"
	"haarlem/models/face68"
)

// OpenPoints opens the landmark model that a flag names: a built-in one, or a file.
func OpenPoints(flag, name string) (*landmarks.Model, error) {
	switch name {
	case face5.Name:
		return face5.Model()
	case face68.Name:
		return face68.Model()
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cli.Usagef("-%s %s: there is no such file, and the built-in landmark models are %s and %s", flag, name, face5.Name, face68.Name)
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := landmarks.Read(f)
	if err != nil {
		return nil, fmt.Errorf("-%s %s: %w", flag, name, err)
	}
	return m, nil
}
