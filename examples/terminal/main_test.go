package main

import (
	"bytes"
	"strings"
	"testing"

	"haarlem/internal/must"
)

func TestShow(t *testing.T) {
	var out bytes.Buffer
	must.Do(show(&out, "../../samples/group.png", 80))
	if text := out.String(); !strings.HasSuffix(text, "11 faces in (800,500) pixels\n") || strings.Count(text, "\n") != 26 || strings.Count(text, "▀") != 25*80 {
		t.Errorf("%d lines, %d characters: %.200q", strings.Count(text, "\n"), strings.Count(text, "▀"), text)
	}
	if err := show(&out, "main.go", 80); err == nil {
		t.Error("a text is shown as a picture")
	}
}
