package samples

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteAtomically writes a file completely or not at all: until everything is
// on the disk, an older file of that name stays unchanged. What is no file, such as a
// named pipe or /dev/stdout, is written and not replaced.
func WriteAtomically(path string, content func(io.Writer) error) error {
	return Replace(path, true, content)
}

// Replace is [WriteAtomically]. Without sync, the file may be lost if the system crashes.
func Replace(path string, sync bool, content func(io.Writer) error) (err error) {
	if info, err := os.Stat(path); err == nil && (strings.HasPrefix(path, "/dev/") || info.Mode()&(fs.ModeNamedPipe|fs.ModeDevice) != 0) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			w := bufio.NewWriter(f)
			err = errors.Join(content(w), w.Flush(), f.Close())
		}
		if err != nil {
			return named(path, err)
		}
		return nil
	}
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
