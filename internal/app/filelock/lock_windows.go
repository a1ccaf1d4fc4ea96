package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

func openLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	// A byte far beyond the end: others may still read who holds the lock.
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err = windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		err = errHeld
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func closeLock(file *os.File) error { return file.Close() }

// A file that is open cannot be removed, so a file that another process has
// locked meanwhile stays.
func discardLock(file *os.File) error {
	err := file.Close()
	_ = os.Remove(file.Name())
	return err
}
