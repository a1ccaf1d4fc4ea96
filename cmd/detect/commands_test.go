package main

import (
	"context"
	"io"
	"os"
	"os/exec"
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
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return program().Run(ctx, args, &cli.Streams{In: stdin, Out: stdout, Err: stderr})
}

// With this variable in its environment, the test program is detect.
const asProgram = "HAARLEM_TEST_DETECT"

func init() {
	if os.Getenv(asProgram) != "" {
		main() // which does not return
	}
}

// itself returns detect as a process of its own, not yet started.
func itself(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

func TestCommandHelp(t *testing.T) {
	clitest.Help(t, program())
	if _, out, _ := call(nil, "-help"); strings.Count(out, "\n") > 72 {
		t.Errorf("-help has %d lines:\n%s", strings.Count(out, "\n"), out)
	}
}

// Every flag that may be repeated, of every command, takes a value with commas
// as it stands.
func TestSliceFlags(t *testing.T) {
	if n := clitest.Repeated(t, program()); n < 3 {
		t.Errorf("%d flags that may be repeated, want those of webcam, video and serve", n)
	}
}

// Documents name no flag that there is not. What models were made with may
// have had other names then.
func TestDocuments(t *testing.T) {
	n := clitest.Documents(t, program(), "../../*.md", "../../docs/*.md", "../../samples/README.md", "../../models/*.md", "../../bench/*.md")
	if n < 20 {
		t.Errorf("%d command lines, want those of the README at least", n)
	}
}
