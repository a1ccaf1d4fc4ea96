package clitest

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/app/cli"
)

// A Caller calls a program in this process, as a shell does.
type Caller struct {
	Program func() *cli.Program
	In      io.Reader // what the program reads
}

// Given is a caller whose program reads something.
func (c Caller) Given(in io.Reader) Caller { return Caller{c.Program, in} }

// Call returns the exit status of a call and what it prints, without the lines about
// progress that appear where a machine is slow.
func (c Caller) Call(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = c.Program().Run(context.Background(), args, &cli.Streams{In: c.In, Out: &out, Err: &errs})
	for line := range strings.Lines(errs.String()) {
		if !strings.Contains(line, "level=INFO msg=detect ") {
			stderr += line
		}
	}
	return status, out.String(), stderr
}

// Works makes a call that succeeds, and returns what it prints.
func (c Caller) Works(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	status, stdout, stderr := c.Call(args...)
	if status != cli.StatusOK {
		t.Fatalf("%q: status %d, stderr %s", args, status, stderr)
	}
	return stdout
}

// Quietly is Works of a call that warns of nothing.
func (c Caller) Quietly(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	status, stdout, stderr := c.Call(args...)
	if status != cli.StatusOK || stderr != "" {
		t.Fatalf("%q: status %d, stderr %s", args, status, stderr)
	}
	return stdout
}

// has reports whether a text has all parts of another, which are apart by " ... ".
func has(text, parts string) bool {
	return !slices.ContainsFunc(strings.Split(parts, " ... "), func(part string) bool { return !strings.Contains(text, part) })
}

// Says makes a call that ends with a status and says something on stderr, and returns
// what it prints. " ... " stands for whatever comes between two parts.
func (c Caller) Says(t *testing.T, want int, says string, args ...string) (stdout string) {
	t.Helper()
	status, stdout, stderr := c.Call(args...)
	if status != want || !has(stderr, says) {
		t.Errorf("%q: status %d, stdout %q, stderr %q; want status %d and %q", args, status, stdout, stderr, want, says)
	}
	return stdout
}

// Fails makes a call that prints nothing, says something in one line on stderr, behind
// the program's name, and ends with a status. With a line break behind it, what it says
// is the whole line.
func (c Caller) Fails(t *testing.T, want int, says string, args ...string) {
	t.Helper()
	status, stdout, stderr := c.Call(args...)
	line, named := strings.CutPrefix(stderr, c.Program().Name+": ")
	whole := !strings.HasSuffix(says, "\n") || line == says
	if status != want || stdout != "" || !named || !whole || !has(line, says) || strings.Count(line, "\n") != 1 {
		t.Errorf("%q: status %d, stdout %q, stderr %q; want status %d and one line with %q", args, status, stdout, stderr, want, says)
	}
}

// Ends makes a call that ends with a status, and whose stderr is one message of the
// program or nothing. It returns what it prints.
func (c Caller) Ends(t *testing.T, want int, message string, args ...string) (stdout string) {
	t.Helper()
	if message != "" {
		message = c.Program().Name + ": " + message + "\n"
	}
	status, stdout, stderr := c.Call(args...)
	if status != want || stderr != message {
		t.Errorf("%q: status %d, stdout %q, stderr\n%s\nwant status %d and\n%s", args, status, stdout, stderr, want, message)
	}
	return stdout
}
