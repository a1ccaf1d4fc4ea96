package hide

import (
	"bytes"
	"image"
	"strings"
	"testing"

	"haarlem/internal/app/frames"
)

// A sheet of a long video holds few pictures at once, and says what it leaves out.
func TestDoubtSheetIsBounded(t *testing.T) {
	s := &doubtSheet{}
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for i := range 20000 {
		f := &frames.Frame{Index: i, Image: m, Doubt: "a"}
		if i > 5000 && i%4 == 0 {
			f.Doubt = ""
		}
		s.add(f)
		if len(s.run) > maxOfARun || len(s.entries) > maxEntries {
			t.Fatalf("frame %d: %d pictures of a run, %d entries", i, len(s.run), len(s.entries))
		}
	}
	var b bytes.Buffer
	if err := s.write(&b, "x<y"); err != nil || !strings.Contains(b.String(), "x&lt;y") || !strings.Contains(b.String(), "more runs have no picture") {
		t.Errorf("%v, %.600s", err, b.String())
	}
}
