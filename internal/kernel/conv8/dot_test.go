//go:build (amd64 || arm64) && !purego

package conv8

import "testing"

// Machines without sums of four products compute the same.
func TestWithoutDot(t *testing.T) {
	if !dot {
		t.Log("this machine has none: the other tests are the same")
	}
	defer func(before bool) { dot = before }(dot)
	dot = false
	TestApply(t)
}
