package output

import (
	"os"
	"path/filepath"
	"testing"

	"haarlem/internal/must"
)

func TestCommandLine(t *testing.T) {
	got := CommandLine([]string{"train", "-name", "it's", "-where", "a b=1", "-note", "", "-bg", "x/y.txt"})
	if want := `train-cascade train -name 'it'\''s' -where 'a b=1' -note '' -bg x/y.txt`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestPortable(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	wd := must.Get(os.Getwd())
	for path, want := range map[string]string{
		"data/x.csv":                             "data/x.csv",
		"../x.csv":                               "../x.csv",
		filepath.Join(wd, "data", "x.csv"):       "data/x.csv",
		filepath.Join(filepath.Dir(wd), "x.csv"): ".../x.csv",
	} {
		if got := Portable(path); got != want {
			t.Errorf("%s became %s, want %s", path, got, want)
		}
	}
}
