//go:build unix

package picture

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// Nobody writes into the pipe: whoever opens it waits for ever.
func TestNamedPipe(t *testing.T) {
	tree(t, map[string]string{"a.png": "any"})
	for _, name := range []string{"x.jpg", "other"} {
		must.Do(syscall.Mkfifo(name, 0o600))
	}
	within := func(what string, f func()) {
		t.Helper()
		done := make(chan struct{})
		go func() { defer close(done); f() }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s hangs", what)
		}
	}
	within("Open", func() {
		var kind *KindError
		if _, err := Open("x.jpg", nil); !errors.As(err, &kind) || !strings.Contains(err.Error(), "x.jpg: not a picture that can be read: it is a named pipe, want a file") {
			t.Error(err)
		}
	})
	within("Size", func() {
		if _, _, err := Size("x.jpg", nil); !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
	})
	within("List", func() {
		f, err := List(".", true)
		if err != nil || !slices.Equal(f.Pictures, []string{"a.png"}) || !slices.Equal(said(f), []string{"x.jpg named pipe"}) {
			t.Errorf("%+v, %v", f, err)
		}
	})
	if _, err := Open("/dev/null", nil); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "device") {
		t.Error(err)
	}
}

// What is open already is read, whatever it is.
func TestOpenDescriptor(t *testing.T) {
	r, w := must.Get2(os.Pipe())
	defer r.Close()
	go func() {
		w.Write(picturetest.PNG(picked(9, 5)))
		w.Close()
	}()
	p, err := Open("/dev/fd/"+strconv.Itoa(int(r.Fd())), nil)
	if err != nil || p.Format != PNG {
		t.Errorf("%v, %v", p, err)
	}
}
