package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A copy of the repository builds and passes its layering test under another
// path, and finds what the original finds.
func TestRename(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the module once more")
	}
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
		{"go", "run", "./cmd/detect", "samples/group.png"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = copied
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
		if args[1] == "run" && strings.Count(string(out), "\n  at ") != 11 {
			t.Errorf("the renamed program finds:\n%s", out)
		}
	}
	left, err := os.ReadFile(filepath.Join(copied, "bench", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(left), "replace "+path+" => ../") {
		t.Errorf("bench/go.mod is\n%s", left)
	}
}

// copyModule copies what the go command reads.
func copyModule(t *testing.T, to, from string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
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
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMention(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{"cascade", "cmd", "internal", ".git"} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	old, err := mention(root, "haarlem")
	if err != nil {
		t.Fatal(err)
	}
	for before, want := range map[string]string{
		"module haarlem\n":                  "module NEW\n",
		"\t\"haarlem/cascade\"\n":           "\t\"NEW/cascade\"\n",
		"\t\"haarlem/internal/eval\"\n":     "\t\"NEW/internal/eval\"\n",
		"go install haarlem/cmd/detect":     "go install NEW/cmd/detect",
		"HasPrefix(p, \"haarlem/\")":        "HasPrefix(p, \"NEW/\")",
		"require haarlem v0.0.0":            "require NEW v0.0.0",
		"-replace haarlem=../haarlem":       "-replace NEW=../haarlem",
		"replace haarlem => ../":            "replace NEW => ../",
		"haarlem-cascade 2\n":               "haarlem-cascade 2\n",
		"haarlem_faces_total":               "haarlem_faces_total",
		"\"haarlem train-cascade (devel)\"": "\"haarlem train-cascade (devel)\"",
		"other.org/haarlem/cascade":         "other.org/haarlem/cascade",
		"haarlem/cascades.txt":              "haarlem/cascades.txt",
	} {
		if got := old.ReplaceAllString(before, "${1}${3}NEW${2}${4}"); got != want {
			t.Errorf("%q becomes %q, want %q", before, got, want)
		}
	}
}

func TestCheckPath(t *testing.T) {
	for _, path := range []string{"", "a//b", "a b", "-x/", "-help", "a/-b", "example.org/é", "./x", "x/..", "a$1"} {
		if checkPath(path) == nil {
			t.Errorf("%q is taken", path)
		}
	}
	if err := checkPath("github.com/some-one/haarlem/v2"); err != nil {
		t.Error(err)
	}
}
