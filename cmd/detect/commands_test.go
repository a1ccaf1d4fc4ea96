package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/haar"
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

// The ways to call the program in this process.
var (
	calls = clitest.Caller{Program: program}
	given = calls.Given

	call, works, quietly = calls.Call, calls.Works, calls.Quietly
	says, fails, ends    = calls.Says, calls.Fails, calls.Ends
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
	if out := works(t, "-help"); strings.Count(out, "\n") > 72 {
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

// TestModelOfAnySize describes models that are as large as a reader lets pass, and
// that every window goes through to the end.
func TestModelOfAnySize(t *testing.T) {
	model := func(weak, nodes int) *cascade.Cascade {
		c := &cascade.Cascade{Kind: cascade.Haar, Width: 24, Height: 24, Features: []haar.Feature{{Rects: [3]haar.Rect{
			{X: 2, Y: 2, W: 8, H: 8, Weight: -1}, {X: 2, Y: 2, W: 4, H: 8, Weight: 2}}}}}
		for range weak {
			var w cascade.Weak
			for k := range nodes {
				n := cascade.Node{Threshold: -1e6, Left: int32(-k), Right: int32(k + 1)}
				if k == nodes-1 {
					n.Right = int32(-nodes)
				}
				w.Nodes = append(w.Nodes, n)
			}
			w.Leaves = make([]float32, nodes+1)
			c.Weak = append(c.Weak, w)
		}
		c.Exits = []cascade.Exit{{After: weak}}
		return c
	}
	dir := t.TempDir()
	for name, c := range map[string]*cascade.Cascade{"chain": model(1, 500_000), "stumps": model(120_000, 1), "short": model(3, 2)} {
		b := must.Bytes(c.Encode)
		file := filepath.Join(dir, name+".cascade")
		must.Do(os.WriteFile(file, b, 0o600))
		began := time.Now()
		out := works(t, "model", file)
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: after %v", name, took)
		}
		if whole := strings.Contains(out, "texture of 640x480"); whole != (name == "short") {
			t.Errorf("%s: counted on the whole texture: %v\n%s", name, whole, out)
		}
	}
}
