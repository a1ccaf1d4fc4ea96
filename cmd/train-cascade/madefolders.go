package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// madeFolders are folders that a run has made, the innermost first.
type madeFolders []string

// makeFolders makes a folder and those that it lies in, as far as they are not
// there.
func makeFolders(path string) (madeFolders, error) {
	var made madeFolders
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		if _, err := os.Lstat(p); !errors.Is(err, fs.ErrNotExist) || p == filepath.Dir(p) {
			break
		}
		made = append(made, p)
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		made.remove()
		return nil, err
	}
	return made, nil
}

// remove takes them away again, as far as nothing lies in them.
func (m madeFolders) remove() {
	for _, p := range m {
		if os.Remove(p) != nil {
			return
		}
	}
}
