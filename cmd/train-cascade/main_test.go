package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/must"
)

const (
	statusOK          = cli.StatusOK
	statusFailed      = cli.StatusFailed
	statusUsage       = cli.StatusUsage
	statusInterrupted = cli.StatusInterrupted
)

// run runs the program as the process does.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return program().Run(ctx, args, &cli.Streams{In: strings.NewReader(""), Out: stdout, Err: stderr})
}

// call runs the program as a shell would.
func call(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(context.Background(), args, &out, &err)
	return out.String(), err.String(), status
}

// works makes a call that succeeds, and returns what it prints.
func works(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	stdout, stderr, status := call(t, args...)
	if status != statusOK {
		t.Fatalf("%q: status %d, stderr %s", args, status, stderr)
	}
	return stdout
}

// quietly is [works] of a call that warns of nothing.
func quietly(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	stdout, stderr, status := call(t, args...)
	if status != statusOK || stderr != "" {
		t.Fatalf("%q: status %d, stderr %s", args, status, stderr)
	}
	return stdout
}

// decoded is the JSON that a call prints, which succeeds.
func decoded[T any](t *testing.T, args ...string) T {
	t.Helper()
	var v T
	must.Do(json.Unmarshal([]byte(works(t, args...)), &v))
	return v
}

// A mistake is a wrong call of a command.
type mistake struct {
	status int
	says   string
	args   []string
}

// fails makes a call that prints nothing, says something on stderr and ends with a
// status.
func fails(t *testing.T, want int, says string, args ...string) {
	t.Helper()
	stdout, stderr, status := call(t, args...)
	if status != want || stdout != "" || !strings.Contains(stderr, says) {
		t.Errorf("%q: status %d, stdout %q, stderr %q; want status %d and %q", args, status, stdout, stderr, want, says)
	}
}

func TestCommandHelp(t *testing.T) { clitest.Help(t, program()) }

// Repeatable flags of all commands do not split values at commas.
func TestSliceFlags(t *testing.T) {
	if n := clitest.Repeated(t, program()); n < 25 {
		t.Errorf("%d flags that may be repeated, want all of them", n)
	}
}

// Documents, and the commands that models record, name only flags that exist.
func TestDocuments(t *testing.T) {
	n := clitest.Documents(t, program(), "../../*.md", "../../docs/*.md", "../../samples/README.md", "../../models/*.md", "../../boost/*.md", "../../bench/*.md")
	if n < 20 {
		t.Errorf("%d command lines, want those of the training guide at least", n)
	}
}

// A wrong command line is one clear line on stderr, nothing on stdout, and
// status 2.
func TestWrongCalls(t *testing.T) {
	for want, args := range map[string][]string{
		"no command given":            {},
		`no command is called "frob"`: {"frob"},
		"-bogus":                      {"inspect", "-bogus", "x.cascade"},
	} {
		out, errs, status := call(t, args...)
		if status != statusUsage || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, stdout %q, stderr %q, want one line with %q", args, status, out, errs, want)
		}
	}
}
