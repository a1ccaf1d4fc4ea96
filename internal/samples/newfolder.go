package samples

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// newFolder makes a folder completely or not at all: write gets another one, which is
// renamed at the end. A folder that is there is replaced if all its files are ours, by
// their paths with slashes; anything else in it is an error.
func newFolder(dir string, ours func(path string) bool, write func(dir string) error) (err error) {
	dir = filepath.Clean(dir)
	switch err := allOurs(dir, ours); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return named(dir, err)
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+".*.part")
	if err != nil {
		return named(dir, err)
	}
	defer os.RemoveAll(part) // holds what was replaced, at last
	fresh := filepath.Join(part, "new")
	if err := os.Mkdir(fresh, 0o777); err != nil {
		return named(dir, err)
	}
	if err := write(fresh); err != nil {
		return err
	}
	if err := os.Rename(dir, filepath.Join(part, "old")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return named(dir, err)
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(named(dir, err), os.Rename(filepath.Join(part, "old"), dir))
	}
	return nil
}

// allOurs returns an error that names the first file of a folder that is not ours.
func allOurs(dir string, ours func(path string) bool) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return at(dir, 0, "there already, and not a folder: name another one")
	}
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err == nil && !ours(filepath.ToSlash(rel)) {
			err = at(dir, 0, "this folder is replaced as a whole, but it holds %s: move that, or name another folder", shown(filepath.ToSlash(rel)))
		}
		return err
	})
}

// putFile writes a file, and the folders for it, into a folder that is being made.
func putFile(path string, content func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return named(path, err)
	}
	f, err := os.Create(path)
	if err != nil {
		return named(path, err)
	}
	w := bufio.NewWriter(f)
	err = content(w)
	if err == nil {
		err = w.Flush()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return named(path, err)
	}
	return nil
}
