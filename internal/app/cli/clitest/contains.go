package clitest

import (
	"strings"
	"testing"
)

// Contains reports which of the texts that are wanted are not in a text.
func Contains(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
