package datasource

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

func TestLines(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	must.Do(os.WriteFile(list, []byte("a.jpg\nb.jpg\n"), 0o666))
	const about = "Streets; version town/streets 1a2b3c; licence CC-BY-2.0 and CC0-1.0; by the authors named there; used 2 as bg.txt; "
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("a.jpg\nb.jpg\n")))
	lines, err := Lines([]string{about + "list " + list, about + "list " + list})
	if line := about + "sha256 " + sum; err != nil || !slices.Equal(lines, []string{line, line}) {
		t.Fatalf("%q, %v", lines, err)
	}
	line := lines[0]
	s, err := Parse(line)
	want := Source{"Streets", "town/streets 1a2b3c", "CC-BY-2.0 and CC0-1.0", "the authors named there", "2 as bg.txt", sum}
	if err != nil || *s != want || !s.IsOpen() {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, licence := range []string{"CC-BY-NC-2.0", "CC0-1.0 and research use", ""} {
		if (&Source{Licence: licence}).IsOpen() {
			t.Errorf("%q is open", licence)
		}
	}
	for text, message := range map[string]string{
		"":                                     "has not these parts: NAME; version ...; licence ...; by ...; used ...; sha256",
		strings.Replace(line, "by ", "of ", 1): "has not these parts: NAME;",
		strings.TrimSuffix(line, sum) + "12":   `sha256 "12" is not one of 64 hex digits`,
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("Parse(%q): %v, want %q", text, err, message)
		}
	}
	if _, err := Lines([]string{about + "list " + list + ".missing"}); err == nil || !strings.Contains(err.Error(), `data source "Streets"`) {
		t.Errorf("a missing list: %v", err)
	}
}
