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

	"haarlem/internal/annotate"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/must"
)

// The lines hold what the video shows: the boxes that they call shown, with
// their numbers and scores, drawn into the frames, are the video to the last
// pixel. A face has its number in its first frame, and is there as predicted in
// frames in which it is missed.
func TestLinesHoldWhatIsDrawn(t *testing.T) {
	p := detecttest.NewPan(t, 24)
	grey := image.NewRGBA(p.Images[0].Rect)
	for i := range grey.Pix {
		grey.Pix[i] = 128
	}
	for i := 10; i < 13; i++ { // nothing can be found there
		p.Images[i] = grey
	}
	movie := detecttest.FakeBackend(t, p.Source("pan.mp4"))
	dir := t.TempDir()
	lines := filepath.Join(dir, "c.jsonl")
	status, _, stderr := call(nil, append([]string{"video", "pan.mp4", "-out", filepath.Join(dir, "a.mp4"), "-out", lines}, detecttest.PanArgs...)...)
	if status != statusOK {
		t.Fatalf("status %d, %s", status, stderr)
	}
	text := must.Get(os.ReadFile(lines))
	frames := parseFrames(t, string(text))
	if len(frames) != 24 || len(movie.Images) != 24 {
		t.Fatalf("%d lines and %d pictures for 24 frames", len(frames), len(movie.Images))
	}
	numbered, first := 0, map[int]int{}
	for i, f := range frames {
		want := &image.RGBA{Pix: slices.Clone(p.Images[i].Pix), Stride: p.Images[i].Stride, Rect: p.Images[i].Rect}
		var marks []annotate.Mark
		for _, face := range f.Faces {
			s := face.Shown
			label := fmt.Sprintf("%.2f", face.Score)
			if face.Track > 0 {
				label = fmt.Sprintf("%d: %s", face.Track, label)
			}
			marks = append(marks, annotate.Mark{Box: image.Rect(s.X, s.Y, s.X+s.Width, s.Y+s.Height), Label: label})
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
		annotate.Draw(want, marks)
		if !bytes.Equal(want.Pix, movie.Images[i].Pix) {
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

// A full disk is said once, though frames are held behind the one that did not
// fit.
func TestFullDiskIsSaidOnce(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"video", "in", "-out", filepath.Join(dir, "a.mp4")},
		{"blur", "in.mp4", "-out", filepath.Join(dir, "b.mp4")},
	} {
		movie := detecttest.FakeBackend(t, detecttest.NewPan(t, 40).Source("in"))
		movie.Full = 4
		status, _, stderr := call(nil, append(args, detecttest.PanArgs...)...)
		if status != statusFailed || strings.Count(stderr, "no space left") != 1 {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	var stderr bytes.Buffer
	detecttest.FakeBackend(t, detecttest.NewPan(t, 1).Source("in")) // which is written when all is over
	full := detecttest.WriterFunc(func([]byte) (int, error) { return 0, io.ErrShortWrite })
	if status := run(t.Context(), append([]string{"video", "in"}, detecttest.PanArgs...), nil, full, &stderr); status != statusFailed || !strings.Contains(stderr.String(), "writing results") {
		t.Errorf("stdout is full: status %d, %s", status, stderr.String())
	}
}
