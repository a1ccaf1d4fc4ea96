// Package must is for tests: what a test needs and has no facts about either works,
// or ends the test by a panic, whose trace shows the line.
package must

import (
	"bytes"
	"io"
)

// untouched is memory that costs nothing, since nobody writes to it. Tests hold little and
// drop much: beside it garbage is collected every 32 megabytes, and not every four.
//
//lint:ignore U1000 it need only be there
var untouched = make([]byte, 32<<20)

// Do panics if a call failed.
func Do(err error) {
	if err != nil {
		panic(err)
	}
}

// Get returns the value of a call that cannot fail here.
func Get[T any](v T, err error) T {
	Do(err)
	return v
}

// Get2 is [Get] of a call that has two values.
func Get2[T, U any](v T, u U, err error) (T, U) {
	Do(err)
	return v, u
}

// Bytes is what a call writes that cannot fail here.
func Bytes(write func(io.Writer) error) []byte {
	var b bytes.Buffer
	Do(write(&b))
	return b.Bytes()
}

// Recover calls f, and returns what it panicked with, nil if it did not.
func Recover(f func()) (with any) {
	defer func() { with = recover() }()
	f()
	return nil
}
