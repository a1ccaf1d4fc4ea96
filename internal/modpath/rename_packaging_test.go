//go:build packaging

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// A copy of the repository builds and passes its layering test under another
// path, and finds what the original finds.
func TestRename(t *testing.T) {
	root := filepath.Join("..", "..")
	copied := t.TempDir()
	copyModule(t, copied, root)
	const path = "example.org/someone/haarlem"
	if n, err := rename(copied, path); err != nil || n < 100 {
		t.Fatalf("%d files changed, error %v", n, err)
	}
	for _, args := range [][]string{
		{"go", "vet", "./internal/modpath", "./internal/layering"},
		{"go", "test", "-count=1", "./internal/layering"},
		{"go", "list", "-deps", "./..."}, // finds every import
		{"go", "run", "./examples/terminal", "samples/group.png"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = copied
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
		if args[1] == "run" && !strings.Contains(string(out), "\n11 faces in ") {
			t.Errorf("the renamed program finds:\n%s", out)
		}
	}
	left := must.Get(os.ReadFile(filepath.Join(copied, "bench", "go.mod")))
	if !strings.Contains(string(left), "replace "+path+" => ../") {
		t.Errorf("bench/go.mod is\n%s", left)
	}
}

// copyModule copies what the go command reads.
func copyModule(t *testing.T, to, from string) {
	t.Helper()
	must.Do(filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular() || d.Name() == ".git":
			return nil
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o644)
	}))
}
