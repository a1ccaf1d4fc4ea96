//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func openLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = errHeld
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	// The previous holder may have removed the file meanwhile.
	ours, err := file.Stat()
	if there, gone := os.Lstat(path); err == nil && (gone != nil || !os.SameFile(ours, there)) {
		err = errHeld // temporarily: the next attempt makes a new file
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func closeLock(file *os.File) error { return file.Close() }

func discardLock(file *os.File) error { return errors.Join(os.Remove(file.Name()), file.Close()) }
