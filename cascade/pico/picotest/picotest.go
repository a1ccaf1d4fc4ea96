// Package picotest is a cascade of pico for tests.
package picotest

import (
	_ "embed"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

//go:embed random.hex
var random string

// Bytes returns a cascade of random trees. The caller may change it.
func Bytes(t testing.TB) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.TrimSpace(random))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// File writes it, as facefinder, and returns the path.
func File(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "facefinder")
	if err := os.WriteFile(path, Bytes(t), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
