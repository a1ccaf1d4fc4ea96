package main

import (
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

// The ways to call the program in this process.
var (
	calls                = clitest.Caller{Program: program, In: strings.NewReader("")}
	call, works, quietly = calls.Call, calls.Works, calls.Quietly
	says, fails, ends    = calls.Says, calls.Fails, calls.Ends
)

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

// refuses makes wrong calls of a command.
func refuses(t *testing.T, command string, calls []mistake) {
	t.Helper()
	for _, c := range calls {
		fails(t, c.status, c.says, append([]string{command}, c.args...)...)
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
