package picture

import (
	"errors"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// heicFile is a file that begins as HEIC pictures do.
func heicFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "-odd name.heic")
	must.Do(os.WriteFile(path, []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"+strings.Repeat("\x00", 100)), 0o666))
	return path
}

// fake is a converter that a shell script plays.
func fake(t *testing.T, script string) *Converter {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	dir := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(dir, "heif-convert"), []byte("#!/bin/sh\n"+script+"\n"), 0o777))
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	for _, c := range converters {
		if c.name == "heif-convert" {
			return &Converter{filepath.Join(dir, c.name), c.arguments}
		}
	}
	panic("no heif-convert")
}

// A HEIC picture is read with a converter, and only with one; what goes wrong is
// said with the file's name.
func TestConverter(t *testing.T) {
	path := heicFile(t)
	sample := must.Get(filepath.Abs("../samples/group.png"))
	var kind *KindError
	if _, err := Open(path, nil); !errors.As(err, &kind) {
		t.Fatalf("without one: %v", err)
	}
	p, err := Open(path, &Options{Converter: fake(t, `cp "`+sample+`" "$2"`)})
	if err != nil || p.Image.Bounds() != image.Rect(0, 0, 800, 500) {
		t.Fatalf("%v", err)
	}
	if p, err = Open(path, &Options{Converter: fake(t, `cp "`+sample+`" "${2%.png}-1.png"; cp "$1" "${2%.png}-2.png"`)}); err != nil || p.Image.Bounds().Dx() != 800 {
		t.Errorf("of two pictures: %v", err)
	}
	for script, want := range map[string]struct {
		text string
		err  error
	}{
		"echo bad file $1 >&2; exit 3": {"bad file in.heic", ErrDamaged},
		"exit 0":                       {"made no picture", ErrDamaged},
		`cp "$1" "$2"`:                 {"HEIC", ErrFormat},
	} {
		_, err := Open(path, &Options{Converter: fake(t, script)})
		if !errors.Is(err, want.err) || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want.text) {
			t.Errorf("%s: %v", script, err)
		}
	}
	if _, err := Open(path, &Options{MaxPixels: 1000, Converter: fake(t, `cp "`+sample+`" "$2"`)}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many pixels: %v", err)
	}
	if c := FindConverter(); c == nil || filepath.Base(c.Program) != "heif-convert" && filepath.Base(c.Program) != "heif-dec" {
		t.Errorf("found %v", c)
	}
	var none *Converter
	if none.Converts(heic) {
		t.Error("none converts")
	}
}

// What libheif writes, its converter reads.
func TestRealHEIC(t *testing.T) {
	encode, err := exec.LookPath("heif-enc")
	c := FindConverter()
	if err != nil || c == nil {
		t.Skip("no heif-enc or no converter here")
	}
	path := filepath.Join(t.TempDir(), "group.heic")
	if out, err := exec.Command(encode, "-q", "90", "../samples/group.png", "-o", path).CombinedOutput(); err != nil {
		t.Skipf("heif-enc: %v\n%s", err, out)
	}
	p, err := Open(path, &Options{Converter: c})
	if err != nil || p.Image.Bounds() != image.Rect(0, 0, 800, 500) {
		t.Fatal(err)
	}
}
