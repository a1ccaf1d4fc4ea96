package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"haarlem/internal/app/cli"
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

// NewFolder makes the folder of -out and its missing parents. A folder that has
// something in it is refused, unless overwrite is set.
func NewFolder(path string, overwrite bool) (MadeFolders, error) {
	made, err := MakeFolders(path)
	if err != nil {
		return nil, fmt.Errorf("-out: %w", err)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("-out: %w", err)
	}
	if len(entries) > 0 && !overwrite {
		return nil, cli.Usagef("-out: %s is not empty (%s lies in it): name another folder, or add -overwrite", path, entries[0].Name())
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
