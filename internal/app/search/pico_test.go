package search

import (
	"testing"

	"haarlem/cascade/pico"
	"haarlem/cascade/pico/picotest"
	"haarlem/internal/must"
)

// A run that was killed goes on only with the same smallest score.
func TestPicoDigest(t *testing.T) {
	model := must.Get(pico.Open(picotest.File(t)))
	written := func(score float64) string {
		return string(must.Bytes((&PicoFinder{Model: model, MinScore: score}).write))
	}
	if written(5) == written(0) {
		t.Error("detections of another smallest score are taken from the journal")
	}
}
