package main

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/landmarks"
	"haarlem/track"
)

// errArgument is wrapped by errors about arguments.
var errArgument = errors.New("haarlem")

func argument(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errArgument, fmt.Errorf(format, args...))
}

// A status is one of enum haarlem_status.
type status int

const (
	statusOK status = iota
	statusArgument
	statusFile
	statusFormat
	statusBuffer
	statusLimit
	statusInternal
)

// errBuffer is wrapped by the error of a buffer that is too small.
var errBuffer = errors.New("haarlem: buffer too small")

// statusOf returns the status of an error, which may be nil.
func statusOf(err error) status {
	var path *fs.PathError
	is := func(target error) bool { return errors.Is(err, target) }
	switch {
	case err == nil:
		return statusOK
	case is(errArgument), is(detector.ErrOptions), is(track.ErrOptions):
		return statusArgument
	case is(errBuffer):
		return statusBuffer
	case is(detector.ErrImageTooLarge), is(detector.ErrTooManyCandidates):
		return statusLimit
	case is(cascade.ErrFormat), is(cascade.ErrLimit), is(cascade.ErrVersion), is(cascade.ErrModel), is(cascade.ErrOpenCV), is(landmarks.ErrFormat), is(landmarks.ErrModel):
		return statusFormat
	case errors.As(err, &path):
		return statusFile
	}
	return statusInternal
}

// recovered calls f. A panic, which would end the caller's program, is an error too.
func recovered(f func() error) (err error) {
	defer func() {
		r := recover()
		if bad, ok := r.(error); ok && errors.Is(bad, errArgument) {
			err = bad
		} else if r != nil {
			err = fmt.Errorf("haarlem: a bug: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}

// cut returns the beginning of a text for C of at most so many bytes: without a zero
// byte in it, which would end it, and without half a character.
func cut(text string, largest uint64) string {
	text = strings.ReplaceAll(text, "\x00", "?")
	if uint64(len(text)) <= largest {
		return text
	}
	n := int(largest)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
