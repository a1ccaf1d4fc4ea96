package export_test

import (
	"bytes"
	"io"
	"os"
	"testing"
)

// write writes a file.
func write(t testing.TB, path string, f func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
