//go:build unix

package samples

import (
	"errors"
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
