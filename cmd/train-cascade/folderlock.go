package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A lock keeps a second training out of a folder. It is a lock on a file that
// the system lets go when the process that holds it ends, in whatever way;
// where there is no such thing, it is the file itself. The number of the process
// stands in the file for people to read.
type lock struct {
	file *os.File
}

// A heldError says that another process has the lock.
type heldError struct{ by string }

func (e *heldError) Error() string { return "locked" + e.by }

var errHeld = errors.New("held by another process")

// lockPatience is how long a lock may be held before that is said: a process
// that was killed a moment ago takes a little to be gone.
const lockPatience = time.Second

func takeLock(path string) (*lock, error) {
	file, err := openLock(path)
	for begin := time.Now(); errors.Is(err, errHeld) && time.Since(begin) < lockPatience; {
		time.Sleep(50 * time.Millisecond)
		file, err = openLock(path)
	}
	if errors.Is(err, errHeld) {
		return nil, &heldError{by: holder(path)}
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
	return &lock{file}, nil
}

// release lets the lock go. Where the file is not what is locked it stays, empty.
func (l *lock) release() error {
	return errors.Join(l.file.Truncate(0), closeLock(l.file))
}

// discard lets the lock go and takes its file away. Who waits for the lock finds
// out that the file is another one then, or none.
func (l *lock) discard() error { return discardLock(l.file) }

// holder tells which process has the lock, as far as its file says.
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
