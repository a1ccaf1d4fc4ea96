package main

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/picture"
)

// The lines hold what the video shows: the boxes that they call shown, with
// their numbers and scores, drawn into the frames, are the video to the last
// pixel. A face has its number in its first frame, and is there as predicted in
// frames in which it is missed.
func TestLinesHoldWhatIsDrawn(t *testing.T) {
	p := newPan(t, 24)
	grey := image.NewRGBA(p.images[0].Rect)
	for i := range grey.Pix {
		grey.Pix[i] = 128
	}
	for i := 10; i < 13; i++ { // nothing can be found there
		p.images[i] = grey
	}
	movie := fakeBackend(t, p.source("pan.mp4"))
	dir := t.TempDir()
	lines := filepath.Join(dir, "c.jsonl")
	status, _, stderr := call(nil, append([]string{"video", "pan.mp4", "-out", filepath.Join(dir, "a.mp4"), "-out", lines}, panArgs...)...)
	if status != statusOK {
		t.Fatalf("status %d, %s", status, stderr)
	}
	text, err := os.ReadFile(lines)
	if err != nil {
		t.Fatal(err)
	}
	frames := parseFrames(t, string(text))
	if len(frames) != 24 || len(movie.images) != 24 {
		t.Fatalf("%d lines and %d pictures for 24 frames", len(frames), len(movie.images))
	}
	numbered, first := 0, map[int]int{}
	for i, f := range frames {
		want := &image.RGBA{Pix: slices.Clone(p.images[i].Pix), Stride: p.images[i].Stride, Rect: p.images[i].Rect}
		var marks []picture.Mark
		for _, face := range f.Faces {
			s := face.Shown
			label := fmt.Sprintf("%.2f", face.Score)
			if face.Track > 0 {
				label = fmt.Sprintf("%d: %s", face.Track, label)
			}
			marks = append(marks, picture.Mark{Box: image.Rect(s.X, s.Y, s.X+s.Width, s.Y+s.Height), Label: label})
			if blind := i >= 10 && i < 13; blind && !face.Predicted {
				t.Errorf("frame %d: found where nothing is: %+v", i, face)
			}
			if face.Predicted && (image.Rect(face.X, face.Y, face.X+face.Width, face.Y+face.Height) != image.Rect(s.X, s.Y, s.X+s.Width, s.Y+s.Height) || face.Track == 0) {
				t.Errorf("frame %d: predicted %+v", i, face)
			}
			if _, ok := first[face.Track]; !ok && face.Track > 0 {
				first[face.Track] = i
				if face.Predicted {
					t.Errorf("frame %d: the first one of track %d is predicted", i, face.Track)
				}
			}
		}
		picture.AnnotateInPlace(want, marks)
		if !bytes.Equal(want.Pix, movie.images[i].Pix) {
			t.Errorf("frame %d shows other boxes than the lines, %+v", i, f.Faces)
		}
		if i == 0 || i >= 10 && i < 13 {
			for _, face := range f.Faces {
				if face.Track > 0 {
					numbered++
				}
			}
		}
	}
	if numbered < 4*3 {
		t.Errorf("in the first frame and where nothing can be found, %d faces have a number, want three each", numbered)
	}
	if !slices.Contains([]int{first[1], first[2], first[3]}, 0) {
		t.Errorf("tracks begin in frames %v", first)
	}
}

// However long a video is, no more frames are held than it takes to know
// numbers, and a source that breaks off leaves none behind.
func TestFollowSinkHoldsLittle(t *testing.T) {
	s := newFollowSink(0)
	counted := &countingSink{}
	s.sinks = []frameSink{counted}
	for i := range 500 {
		f := &frame{index: i, image: image.NewRGBA(image.Rect(0, 0, 8, 8)), at: time.Duration(i) * 40 * time.Millisecond, found: []detector.Detection{{Box: image.Rect(i, 5, i+50, 55)}}}
		if err := s.put(f); err != nil {
			t.Fatal(err)
		}
		if len(s.held) > mostPatience || counted.frames < i+1-mostPatience {
			t.Fatalf("frame %d: %d are held, %d passed on", i, len(s.held), counted.frames)
		}
	}
	if err := s.close(); err != nil || counted.frames != 500 || counted.closed != 1 {
		t.Errorf("%d frames, closed %d times, %v", counted.frames, counted.closed, err)
	}
}

type countingSink struct{ frames, closed int }

func (c *countingSink) put(f *frame) error {
	if f.index != c.frames || len(f.faces) != 1 || f.faces[0].Number != 1 {
		return fmt.Errorf("frame %d in place %d, with %+v", f.index, c.frames, f.faces)
	}
	c.frames++
	return nil
}

func (c *countingSink) close() error { c.closed++; return nil }

// A full disk is said once, though frames are held behind the one that did not
// fit.
func TestFullDiskIsSaidOnce(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"video", "in", "-out", filepath.Join(dir, "a.mp4")},
		{"blur", "in.mp4", "-out", filepath.Join(dir, "b.mp4")},
	} {
		movie := fakeBackend(t, newPan(t, 40).source("in"))
		movie.full = 4
		status, _, stderr := call(nil, append(args, panArgs...)...)
		if status != statusFailed || strings.Count(stderr, "no space left") != 1 {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	var stderr bytes.Buffer
	fakeBackend(t, newPan(t, 1).source("in")) // which is written when all is over
	full := writerFunc(func([]byte) (int, error) { return 0, io.ErrShortWrite })
	if status := run(t.Context(), append([]string{"video", "in"}, panArgs...), nil, full, &stderr); status != statusFailed || !strings.Contains(stderr.String(), "writing results") {
		t.Errorf("stdout is full: status %d, %s", status, stderr.String())
	}
}

// What was opened before, such as standard input, is no camera, whatever
// folder its name is in; and who sends a stream has no plug to pull.
func TestWhereFramesComeFrom(t *testing.T) {
	for _, test := range []struct {
		name                  string
		stdin, device, stream bool
	}{
		{"/dev/stdin", true, false, false},
		{"/dev/fd/3", true, false, false},
		{"/proc/self/fd/0", true, false, false},
		{"/dev/video0", false, true, false},
		{"rtsp://camera/1", false, false, true},
		{"udp://@:1234", false, false, true},
		{"in.mp4", false, false, false},
		{"https://host/in.mp4", false, false, false},
	} {
		if isStdin(test.name) != test.stdin || isDevice(test.name) != test.device || isStream(test.name) != test.stream {
			t.Errorf("%s: stdin %v, device %v, stream %v", test.name, isStdin(test.name), isDevice(test.name), isStream(test.name))
		}
	}
	for name, say := range map[string]string{"rtsp://camera/1": "has the sender ended, or the network failed?", "camera 0": "was it unplugged or switched off?"} {
		if err := (footage{name: name, live: true, fps: 25}).ended(7, 0); !strings.Contains(err.Error(), say) {
			t.Errorf("%v, want %q", err, say)
		}
	}
	if err := (footage{name: "/dev/stdin", fps: 25, frames: 100}).ended(0, 0); !strings.Contains(err.Error(), "pipe") {
		t.Errorf("%v, want something about pipes", err)
	}
}
