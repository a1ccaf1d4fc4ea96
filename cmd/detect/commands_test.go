package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/detecttest"
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
	n := clitest.Documents(t, program(), func(file string) bool { return strings.Contains(file, "models"+string(filepath.Separator)) },
		"../../*.md", "../../docs/*.md", "../../samples/README.md", "../../models/*.md", "../../bench/*.md")
	if n < 20 {
		t.Errorf("%d command lines, want those of the README at least", n)
	}
}

// Old names of flags work, and say what they are called now.
func TestOldNames(t *testing.T) {
	for line, want := range map[string]string{
		"-min 100":                           "note: -min is called -min-size now\n",
		"-max 60":                            "note: -max is called -max-size now\n",
		"-score 0.9":                         "note: -score is called -min-score now\n",
		"-neighbors 5":                       "note: -neighbors is called -min-neighbors now\n",
		"-min-size 100 -max-size 120":        "",
		"-min-score 0.9 -min-neighbors=5 -h": "",
	} {
		if status, _, stderr := call(nil, append(strings.Fields(line), "-model", detecttest.Drawn, detecttest.Group)...); status != statusOK || stderr != want {
			t.Errorf("%s: status %d, stderr %q, want %q", line, status, stderr, want)
		}
	}
}
