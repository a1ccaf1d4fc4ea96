//go:build unix

package samples

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A named pipe that nobody writes to is refused, whatever it is named as.
func TestNamedPipe(t *testing.T) {
	for _, name := range []string{"truth.csv", "truth.xml", "truth.json", "truth", "crops.vec", "bg.txt"} {
		path := filepath.Join(t.TempDir(), name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skipf("no named pipes here: %v", err)
		}
		done := make(chan error, 1)
		go func() {
			var err error
			switch filepath.Ext(name) {
			case ".vec":
				_, err = ReadVec(path, 0, 0)
			case ".txt":
				_, err = ListPictures(path)
			default:
				_, err = ReadTruth(path, Auto)
			}
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, errNoFile) {
				t.Errorf("%s: %v, want %v", name, err, errNoFile)
			}
		case <-time.After(30 * time.Second):
			t.Errorf("%s: waits for a writer", name)
		}
	}
}

// A named pipe is written to, and is a pipe afterwards.
func TestWriteToPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	got := make(chan string, 1)
	go func() {
		b, err := os.ReadFile(path)
		got <- fmt.Sprint(string(b), err)
	}()
	err := WriteAtomically(path, func(w io.Writer) error {
		_, err := io.WriteString(w, "{}")
		return err
	})
	info, statError := os.Lstat(path)
	if err != nil || statError != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Fatalf("%v, %v, mode %v", err, statError, info.Mode())
	}
	if text := <-got; text != "{}<nil>" {
		t.Errorf("the reader got %q", text)
	}
}
