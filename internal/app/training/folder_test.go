package training

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"haarlem/internal/must"
)

// A file that cannot be written completely leaves the older one unchanged, and
// nothing beside it.
func TestFolderFullDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	f := must.Get(openFolder("out", "cascade", false, false))
	defer f.close()
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	f.sink = func(w io.Writer) io.Writer { return &fullDisk{w, 10} }
	path := filepath.Join("out", "state")
	for i, want := range []string{path + ": not saved: " + syscall.ENOSPC.Error(), path + ": not saved; the older one is as it was: " + syscall.ENOSPC.Error()} {
		err := f.write("state", text("much too long for this disk"))
		if !errors.Is(err, syscall.ENOSPC) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if i == 1 {
			break
		}
		must.Do(f.write("state", text("short")))
	}
	if got, err := os.ReadFile(path); string(got) != "short" {
		t.Errorf("the older file is %q, %v", got, err)
	}
	if entries, _ := os.ReadDir("out"); len(entries) != 2 { // it and the lock
		t.Errorf("left over: %v", entries)
	}
}

// A fullDisk accepts a few more bytes.
type fullDisk struct {
	io.Writer
	room int
}

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) > d.room {
		return 0, syscall.ENOSPC
	}
	d.room -= len(b)
	return d.Writer.Write(b)
}
