package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// madeFolders are folders that a run has made, the innermost first.
type madeFolders []string

// makeFolders makes a folder and its missing parents.
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

// remove removes those that are empty.
func (m madeFolders) remove() {
	for _, p := range m {
		if os.Remove(p) != nil {
			return
		}
	}
}
