package wasm

import (
	"bytes"
	"testing"
)

func TestNumbers(t *testing.T) {
	for v, want := range map[int32]string{0: "\x00", 63: "\x3f", 64: "\xc0\x00", -1: "\x7f", -64: "\x40", -65: "\xbf\x7f", 0xffff: "\xff\xff\x03", -123456: "\xc0\xbb\x78"} {
		if got := string(signed(nil, v)); got != want {
			t.Errorf("%d: % x, want % x", v, got, want)
		}
	}
	for v, want := range map[uint32]string{0: "\x00", 127: "\x7f", 128: "\x80\x01", 624485: "\xe5\x8e\x26"} {
		if got := string(unsigned(nil, v)); got != want {
			t.Errorf("%d: % x, want % x", v, got, want)
		}
	}
}

// The module is always the same, and small. web/same_chromium_test.go tests
// that it is right, where WebAssembly runs.
func TestModule(t *testing.T) {
	m := Module()
	if !bytes.Equal(m, Module()) {
		t.Error("another module each time")
	}
	if !bytes.HasPrefix(m, []byte("\x00asm\x01\x00\x00\x00")) || len(m) > 40_000 {
		t.Errorf("%d bytes, which begin with % x", len(m), m[:8])
	}
}
