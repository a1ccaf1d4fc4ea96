package training

import (
	"testing"
)

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"4GiB": 4 << 30, "4G": 4 << 30, "0.5 GB": 5e8, "800mb": 8e8, "100000000": 1e8} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%s is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GiB", "-4GiB", "4XB", "NaN", "1e30GB"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
}
