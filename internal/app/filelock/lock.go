package filelock

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A Lock keeps a second training out of a folder. It is a lock on a file that
// the system releases when the process ends, in whatever way; on systems
// without these, it is the file itself. The file holds the number of the
// process for people.
type Lock struct {
	file *os.File
}

// lockPatience is how long to wait for a lock before reporting it: a process
// that was just killed takes a moment to end.
const lockPatience = time.Second

func Take(path string) (*Lock, error) { return TakeWithin(path, lockPatience) }

// TakeWithin is Take that waits so long for another process.
func TakeWithin(path string, patience time.Duration) (*Lock, error) {
	file, err := openLock(path)
	for begin := time.Now(); errors.Is(err, errHeld) && time.Since(begin) < patience; {
		time.Sleep(min(50*time.Millisecond, patience/100))
		file, err = openLock(path)
	}
	if errors.Is(err, errHeld) {
		return nil, &HeldError{By: holder(path)}
	}
	if err != nil {
		return nil, err
	}
	err = file.Truncate(0)
	if err == nil {
		_, err = fmt.Fprintf(file, "%d\n", os.Getpid())
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Lock{file}, nil
}

// Release unlocks the folder. Where the lock is not the file itself it stays,
// empty.
func (l *Lock) Release() error {
	return errors.Join(l.file.Truncate(0), closeLock(l.file))
}

// Discard unlocks the folder and removes the file. A process that waits for the
// lock then notices that the file is another one, or gone.
func (l *Lock) Discard() error { return discardLock(l.file) }

// holder returns the process that has the lock, according to its file.
func holder(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, 32))
	if id := strings.TrimSpace(string(text)); id != "" {
		return " (process " + id + ")"
	}
	return ""
}
