package boosting

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocsProgram: the program in docs/boosting.md runs as printed there, on a
// CSV file, and prints the curve.
func TestDocsProgram(t *testing.T) {
	page, err := os.ReadFile("../../../docs/boosting.md")
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
	if lines := strings.Split(strings.TrimSpace(string(out)), "\n"); len(lines) < 10 || lines[1] != "0,0" || lines[len(lines)-1] != "1,1" {
		t.Errorf("the curve is not one from 0,0 to 1,1:\n%s", out)
	}
}
