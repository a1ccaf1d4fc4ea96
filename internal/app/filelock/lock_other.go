//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package filelock

import (
	"errors"
	"io/fs"
	"os"
)

// Without locks that end with their process, the lock is a file that must not
// exist; after a crash the user must remove it.
func openLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		err = errHeld
	}
	return file, err
}

func closeLock(file *os.File) error {
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

func discardLock(file *os.File) error { return closeLock(file) }
