package samples

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// WriteAtomically writes a file completely or not at all: until everything is
// on the disk, an older file of that name stays unchanged.
func WriteAtomically(path string, content func(io.Writer) error) error {
	return Replace(path, true, content)
}

// Replace is [WriteAtomically]. Without sync, the file may be lost if the system crashes.
func Replace(path string, sync bool, content func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.part")
	if err != nil {
		return named(path, err)
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
			err = named(path, err)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	err = content(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Chmod(0o644) // CreateTemp makes files readable by the owner only
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
