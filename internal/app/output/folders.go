package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// MadeFolders are folders that a run has made, the innermost first.
type MadeFolders []string

// MakeFolders makes a folder and its missing parents.
func MakeFolders(path string) (MadeFolders, error) {
	var made MadeFolders
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		if _, err := os.Lstat(p); !errors.Is(err, fs.ErrNotExist) || p == filepath.Dir(p) {
			break
		}
		made = append(made, p)
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		made.Remove()
		return nil, err
	}
	return made, nil
}

// Remove removes those that are empty.
func (m MadeFolders) Remove() {
	for _, p := range m {
		if os.Remove(p) != nil {
			return
		}
	}
}
