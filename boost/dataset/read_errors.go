package dataset

import (
	"errors"
	"fmt"
)

// ErrSyntax is wrapped by the error of a reader about the syntax of its file.
var ErrSyntax = errors.New("syntax error")

// LineError is an error at a line of a file.
type LineError struct {
	Format string // CSV, ARFF or LIBSVM
	Line   int    // from 1
	Err    error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("dataset: %s line %d: %v", e.Format, e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

func syntax(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSyntax, fmt.Sprintf(format, args...))
}
