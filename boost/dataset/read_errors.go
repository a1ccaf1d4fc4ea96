package dataset

import (
	"errors"
	"fmt"
)

// ErrSyntax is wrapped by the error of a reader about the syntax of its file.
var ErrSyntax = errors.New("syntax error")

// ErrNoClass is wrapped by the error about a row without a class.
var ErrNoClass = fmt.Errorf("%w: the class is missing", ErrSyntax)

// lineError is an error at a line, counted from 1, of a file.
func lineError(format string, line int, err error) error {
	return fmt.Errorf("dataset: %s line %d: %w", format, line, err)
}

func syntax(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSyntax, fmt.Sprintf(format, args...))
}
