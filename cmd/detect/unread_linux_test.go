package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/must"
)

// withoutRights runs f as somebody to whom rights on files apply. Root's
// threads can do without theirs one by one.
func withoutRights(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with f
		const nobody = 65534
		err := syscall.Setfsuid(nobody)
		if err == nil {
			f()
		}
		done <- err
	}()
	must.Do(<-done)
}

// A folder that may not be opened costs its own pictures only.
func TestFolderWithoutPermission(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		detecttest.WritePNG(t, filepath.Join(dir, name, "face.png"), detecttest.OneFace(t))
	}
	locked := filepath.Join(dir, "b")
	for path, mode := range map[string]os.FileMode{filepath.Dir(dir): 0o755, dir: 0o755, locked: 0} {
		must.Do(os.Chmod(path, mode))
	}
	defer os.Chmod(locked, 0o755)
	withoutRights(t, func() {
		if _, err := os.ReadDir(locked); err == nil {
			t.Error("the folder can be opened: nothing is tested")
		}
		out := ends(t, statusFailed, locked+": permission denied: what is in this folder was not read", "-model", detecttest.Drawn, "-format", "json", "-recursive", dir)
		if all := parse(t, out); len(all) != 2 {
			t.Errorf("%s", out)
		}
		// Named, it is not the end of the run, either.
		out = ends(t, statusFailed, locked+": permission denied", "-model", detecttest.Drawn, "-format", "json", locked, filepath.Join(dir, "c"))
		if all := parse(t, out); len(all) != 1 {
			t.Errorf("named: %s", out)
		}
	})
}

// Nobody writes into a pipe that is called like a picture.
func TestNamedPipe(t *testing.T) {
	dir := t.TempDir()
	detecttest.WritePNG(t, filepath.Join(dir, "face.png"), detecttest.OneFace(t))
	pipe := filepath.Join(dir, "x.jpg")
	must.Do(syscall.Mkfifo(pipe, 0o600))
	done := make(chan struct{})
	go func() {
		defer close(done)
		out := ends(t, statusFailed, "not searched: 1 named pipe ("+pipe+")", "-model", detecttest.Drawn, "-format", "json", dir)
		if all := parse(t, out); len(all) != 1 {
			t.Errorf("%s", out)
		}
		fails(t, statusFailed, "x.jpg: not a picture that can be read: it is a named pipe, want a file", "-model", detecttest.Drawn, pipe)
		for _, args := range [][]string{{"-model", pipe, detecttest.Group}, {"webcam", "-model", pipe}, {"eval-tracks", "-truth", pipe, "-"}} {
			given(strings.NewReader("")).Says(t, statusUsage, "it is a named pipe or a device", args...)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("detect hangs")
	}
}
