package main

import (
	"encoding/json"
	"image"
	"strings"
	"testing"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/video"
	"haarlem/track"
)

// checkLines holds lines of JSON against the truth: every frame is there, and
// the faces are where they were drawn, nearly all of them, with one number
// from frame to frame.
func checkLines(t *testing.T, p *detecttest.Pan, lines string, frames int) {
	t.Helper()
	all := parseFrames(t, lines)
	if len(all) != frames {
		t.Fatalf("%d frames, want %d", len(all), frames)
	}
	shown, found, numbered, changed := 0, 0, 0, 0
	last := map[string]int{} // track by the face's size, which none shares
	for i, f := range all {
		if f.Frame != i || f.Width != 480 || f.Height != 320 {
			t.Fatalf("line %d: frame %d, %dx%d", i, f.Frame, f.Width, f.Height)
		}
		if want := float64(i) / detecttest.PanFPS; f.Time < want-0.02 || f.Time > want+0.1 {
			t.Errorf("frame %d: at %v s, want %v", i, f.Time, want)
		}
		for _, face := range p.Faces[i] {
			shown++
			for _, got := range f.Faces {
				box := image.Rect(got.X, got.Y, got.X+got.Width, got.Y+got.Height)
				if track.Overlap(box, face) < 0.5 {
					continue
				}
				found++
				key := face.Size().String()
				if got.Track > 0 {
					numbered++
					if last[key] != 0 && last[key] != got.Track {
						changed++
					}
					last[key] = got.Track
				}
				break
			}
		}
	}
	if found*100 < shown*90 {
		t.Errorf("%d of %d faces found", found, shown)
	}
	if numbered*100 < found*80 || changed > 2 {
		t.Errorf("of %d faces %d have a track, and %d times it is another than before", found, numbered, changed)
	}
}

func parseFrames(t *testing.T, lines string) []video.Line {
	t.Helper()
	var all []video.Line
	for line := range strings.Lines(lines) {
		if !strings.HasSuffix(line, "\n") {
			t.Fatalf("half a line: %s", line)
		}
		var f video.Line
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&f); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, f)
	}
	return all
}
