package video

import (
	"fmt"
	"image"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/app/frames"
	"haarlem/internal/must"
)

// However long a video is, no more frames are held than it takes to know
// numbers, and a source that breaks off leaves none behind.
func TestFollowSinkHoldsLittle(t *testing.T) {
	s := newFollowSink(0)
	counted := &countingSink{}
	s.sinks = []frames.Sink{counted}
	for i := range 500 {
		f := &frames.Frame{Index: i, Image: image.NewRGBA(image.Rect(0, 0, 8, 8)), At: time.Duration(i) * 40 * time.Millisecond, Found: []detector.Detection{{Box: image.Rect(i, 5, i+50, 55)}}}
		must.Do(s.Put(f))
		if len(s.held) > maxPatience || counted.frames < i+1-maxPatience {
			t.Fatalf("frame %d: %d are held, %d passed on", i, len(s.held), counted.frames)
		}
	}
	if err := s.Close(); err != nil || counted.frames != 500 || counted.closed != 1 {
		t.Errorf("%d frames, closed %d times, %v", counted.frames, counted.closed, err)
	}
}

type countingSink struct{ frames, closed int }

func (c *countingSink) Put(f *frames.Frame) error {
	if f.Index != c.frames || len(f.Faces) != 1 || f.Faces[0].Number != 1 {
		return fmt.Errorf("frame %d in place %d, with %+v", f.Index, c.frames, f.Faces)
	}
	c.frames++
	return nil
}

func (c *countingSink) Close() error { c.closed++; return nil }
