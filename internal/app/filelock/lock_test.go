package filelock

import (
	"os"
	"path/filepath"
	"testing"
)

// A lock whose file was removed by its holder is no lock.
func TestLockTakenAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Take(path)
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan *Lock)
	go func() {
		l, err := Take(path) // waits
		if err != nil {
			t.Error(err)
		}
		got <- l
	}()
	if err := first.Discard(); err != nil {
		t.Fatal(err)
	}
	second := <-got
	if _, err := Take(path); err == nil {
		t.Error("two have the lock")
	}
	if err := second.Discard(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the file is still there")
	}
}
