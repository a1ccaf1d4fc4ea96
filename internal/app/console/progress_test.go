package console

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"haarlem/cascade"
)

// Without a terminal, a long run writes a log line now and then.
func TestProgressLog(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&Streams{Err: &b}, cascade.Object{Singular: "face", Plural: "faces"}, 100)
	p.Add(3)
	if b.Len() > 0 {
		t.Errorf("at once: %q", b.String())
	}
	p.last = p.last.Add(-logEvery)
	p.Add(4)
	p.Add(5)
	p.Finish()
	if got := b.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "pictures=2 of=100 faces=7") {
		t.Errorf("after a while: %q", got)
	}
}

// The log of a long run.
func TestObjectsInProgress(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&Streams{Err: &b}, cascade.Object{Singular: "bus", Plural: "buses"}, 100)
	p.last = time.Now().Add(-logEvery)
	p.Add(3)
	if !strings.Contains(b.String(), " buses=3") || strings.Contains(b.String(), "faces") {
		t.Errorf("%s", b.String())
	}
}
