package cascade

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"haarlem/internal/must"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	c := fileCascades()["xml-trees"]
	for name, data := range map[string][]byte{"native.xml": encode(t, c), "opencv.txt": encodeOpenCV(t, c)} {
		path := filepath.Join(dir, name)
		must.Do(os.WriteFile(path, data, 0o644))
		if got, err := Open(path); err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	bad := filepath.Join(dir, "bad")
	must.Do(os.WriteFile(bad, []byte("<a>\n"), 0o644))
	if _, err := Open(bad); !errors.Is(err, ErrFormat) || !strings.HasPrefix(err.Error(), bad+": ") || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v, want one of ErrFormat with path and line", err)
	}
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want one of fs.ErrNotExist", err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v for a folder, want one that names it", err)
	}
}

// The error for other files says what they look like.
func TestReadOther(t *testing.T) {
	for file, want := range map[string]string{
		"":                                      "begins with",
		"haarlem":                               "begins with \"haarlem\"",
		"\x1f\x8b\x08\x00":                      "gzip",
		"%YAML:1.0\n---\n":                      "YAML",
		"{\"opencv\":":                          "JSON",
		"\xff\xfe<\x00?\x00":                    "UTF-16",
		"\xfe\xff\x00<\x00?":                    "UTF-16",
		"\x89PNG\r\n\x1a\n":                     "begins with",
		strings.Repeat("a", 1<<20):              "begins with",
		"<html><body></body></html>":            "opencv_storage",
		"<opencv_storage/>":                     "no cascade inside",
		"<opencv_storage><_/></opencv_storage>": "list element",
	} {
		_, err := Read(strings.NewReader(file), nil)
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%.20q: error %v, want one of ErrFormat that says %q", file, err, want)
		}
	}
	if _, err := Read(iotest.ErrReader(errBroken), nil); !errors.Is(err, errBroken) || errors.Is(err, ErrFormat) {
		t.Errorf("error %v, want the reader's own", err)
	}
	if _, err := Read(iotest.OneByteReader(strings.NewReader(newFormXML)), nil); err != nil {
		t.Error(err)
	}
}
