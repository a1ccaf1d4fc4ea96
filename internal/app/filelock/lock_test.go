package filelock

import (
	"os"
	"path/filepath"
	"testing"

	"haarlem/internal/must"
)

// A lock whose file was removed by its holder is no lock.
func TestLockTakenAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first := must.Get(Take(path))
	got := make(chan *Lock)
	go func() {
		l, err := Take(path) // waits
		if err != nil {
			t.Error(err)
		}
		got <- l
	}()
	must.Do(first.Discard())
	second := <-got
	if _, err := Take(path); err == nil {
		t.Error("two have the lock")
	}
	must.Do(second.Discard())
	if _, err := os.Lstat(path); err == nil {
		t.Error("the file is still there")
	}
}
