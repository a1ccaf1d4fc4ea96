package main

import (
	"strings"
	"testing"
)

// A wrong command line is one clear line on stderr, nothing on stdout, and
// status 2.
func TestWrongCalls(t *testing.T) {
	for want, args := range map[string][]string{
		"no command given":            {},
		`no command is called "frob"`: {"frob"},
		"-bogus":                      {"inspect", "-bogus", "x.cascade"},
	} {
		out, errs, status := call(t, args...)
		if status != statusUsage || out != "" || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: status %d, stdout %q, stderr %q, want one line with %q", args, status, out, errs, want)
		}
	}
}
