package samples

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// A LineError is an error at a line of a file.
type LineError struct {
	File string
	Line int // counted from 1; 0: the file as a whole
	Err  error
}

func (e *LineError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

func (e *LineError) Unwrap() error { return e.Err }

func at(file string, line int, format string, args ...any) error {
	return &LineError{file, line, fmt.Errorf(format, args...)}
}

// named puts the file first, before the name of a system call.
func named(path string, err error) error {
	if where, ok := errors.AsType[*fs.PathError](err); ok {
		err = where.Err
	}
	return &LineError{path, 0, err}
}

// lines calls line for every line that is neither empty nor a comment (#),
// without surrounding white space. Lines may end with CR LF, and the file may
// begin with a byte order mark. Errors of line get the file and the number, and are
// listed together.
func lines(r io.Reader, file string, limit int64, line func(n int, text string) error) error {
	in := bufio.NewScanner(bound(r, limit))
	in.Buffer(make([]byte, 0, 4096), maxLine)
	n := 0
	var bad badLines
	for in.Scan() {
		n++
		text := in.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		if strings.IndexByte(text, 0) >= 0 {
			return at(file, n, "a zero byte: this is not text (or UTF-16: save it as UTF-8)")
		}
		if err := line(n, text); errors.Is(err, ErrLimit) {
			return &LineError{file, n, err}
		} else if err != nil {
			bad.add(&LineError{file, n, err})
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return at(file, n+1, "a line of more than %d bytes: %w", maxLine, ErrLimit)
	case err != nil:
		return named(file, err)
	}
	return bad.err()
}

// badLines gathers the errors of lines and files: one error lists the first of them.
type badLines struct {
	shown []error
	n     int
}

// maxBadLines is how many bad lines an error lists.
const maxBadLines = 20

func (b *badLines) add(err error) {
	if b.n++; b.n <= maxBadLines {
		b.shown = append(b.shown, err)
	}
}

// err returns one error for all; nil if there are none.
func (b *badLines) err() error {
	if more := b.n - len(b.shown); more > 0 {
		return errors.Join(append(b.shown, fmt.Errorf("and %d more", more))...)
	}
	return errors.Join(b.shown...)
}

// shown returns a name for errors and reports, quoted if a terminal would
// interpret something in it.
func shown(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }) {
		return fmt.Sprintf("%q", name)
	}
	return name
}

// clip shortens untrusted text for an error.
func clip(s string) string {
	const largest = 60
	if len(s) > largest {
		s = s[:largest] + "..."
	}
	return s
}
