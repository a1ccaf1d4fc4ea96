package search

import (
	"strings"
	"testing"

	"haarlem/cascade/pico"
	"haarlem/cascade/pico/picotest"
)

// A run that was killed goes on only with the same smallest score.
func TestPicoDigest(t *testing.T) {
	model, err := pico.Open(picotest.File(t))
	if err != nil {
		t.Fatal(err)
	}
	written := func(score float64) string {
		var b strings.Builder
		if err := (&PicoFinder{Model: model, MinScore: score}).write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if written(5) == written(0) {
		t.Error("detections of another smallest score are taken from the journal")
	}
}
