package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/cli/clitest"
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
