package filelock

import (
	"errors"
)

// A HeldError says that another process has the lock.
type HeldError struct{ By string }

func (e *HeldError) Error() string { return "locked" + e.By }

var errHeld = errors.New("held by another process")
