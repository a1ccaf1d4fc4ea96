package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocsProgram: the program in docs/boosting.md runs as it stands there, on a
// CSV file, and draws the curve.
func TestDocsProgram(t *testing.T) {
	page, err := os.ReadFile("../../docs/boosting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```go\npackage main\n")
	program, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/boosting.md has no program")
	}
	body := program[strings.Index(program, "func main"):]
	if n := strings.Count(body, "\n"); n > 30 {
		t.Errorf("the program has %d lines, want at most 30", n)
	}
	dir := t.TempDir()
	source, binary := write(t, filepath.Join(dir, "main.go"), "package main\n"+program), filepath.Join(dir, "program.exe")
	if out, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	where := t.TempDir()
	write(t, filepath.Join(where, "shop.csv"), shop(300, 0, true))
	run := exec.Command(binary, "shop.csv")
	run.Dir = where
	out, err := run.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "AUC 0.9") {
		t.Errorf("%v\n%s", err, out)
	}
	if info, err := os.Stat(filepath.Join(where, "roc.png")); err != nil || info.Size() == 0 {
		t.Errorf("no curve: %v", err)
	}
}
