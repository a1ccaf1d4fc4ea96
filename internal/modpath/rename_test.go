package main

import (
	"os"
	"path/filepath"
	"testing"

	"haarlem/internal/must"
)

func TestMention(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{"cascade", "cmd", "internal", ".git"} {
		must.Do(os.Mkdir(filepath.Join(root, folder), 0o755))
	}
	old := must.Get(mention(root, "haarlem"))
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
