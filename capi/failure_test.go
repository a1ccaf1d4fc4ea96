package main

import (
	"math"
	"testing"
)

// A text for C is cut between characters, and has no zero byte.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text    string
		largest uint64
		want    string
	}{
		{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"abc", 0, ""}, {"aé", 2, "a"}, {"aé", 3, "aé"}, {"a\x00b", 9, "a?b"}, {"\xff\xff\xff", 2, "\xff\xff"}, {"x", math.MaxUint64, "x"},
	} {
		if got := cut(c.text, c.largest); got != c.want {
			t.Errorf("cut(%q, %d) is %q, want %q", c.text, c.largest, got, c.want)
		}
	}
}
