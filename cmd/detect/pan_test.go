package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"haarlem/track"
)

// A pan is a film of the drawn group: a window of 480x320 pixels that moves
// over it, with the faces that are in full view in each frame.
type pan struct {
	images []*image.RGBA
	faces  [][]image.Rectangle
}

const panFPS = 25

func newPan(t *testing.T, frames int) *pan {
	t.Helper()
	src := readPicture(t, group)
	f, err := os.Open("../../samples/group.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	p := &pan{}
	for i := range frames {
		corner := image.Pt(60+3*i, 110+i)
		m := image.NewRGBA(image.Rect(0, 0, 480, 320))
		draw.Draw(m, m.Rect, src, corner, draw.Src)
		var faces []image.Rectangle
		for _, row := range rows[1:] {
			var n [4]int
			for k := range n {
				if n[k], err = strconv.Atoi(row[1+k]); err != nil {
					t.Fatal(err)
				}
			}
			box := image.Rect(n[0], n[1], n[0]+n[2], n[1]+n[3]).Sub(corner)
			if box.Dx() >= 50 && box.In(m.Rect.Inset(8)) {
				faces = append(faces, box)
			}
		}
		if len(faces) < 3 {
			t.Fatalf("frame %d of the film shows %d faces", i, len(faces))
		}
		p.images = append(p.images, m)
		p.faces = append(p.faces, faces)
	}
	return p
}

// source gives copies of the frames, as a file does.
func (p *pan) source(name string) *fakeSource {
	return &fakeSource{info: footage{name: name, fps: panFPS, frames: len(p.images)}, images: p.images, end: io.EOF}
}

// panArgs find the faces quickly.
var panArgs = []string{"-model", drawn, "-min-size", "40", "-scale", "1.15"}

// checkLines holds lines of JSON against the truth: every frame is there, and
// the faces are where they were drawn, nearly all of them, with one number
// from frame to frame.
func (p *pan) checkLines(t *testing.T, lines string, frames int) {
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
		if want := float64(i) / panFPS; f.Time < want-0.02 || f.Time > want+0.1 {
			t.Errorf("frame %d: at %v s, want %v", i, f.Time, want)
		}
		for _, face := range p.faces[i] {
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

func parseFrames(t *testing.T, lines string) []jsonFrame {
	t.Helper()
	var all []jsonFrame
	for line := range strings.Lines(lines) {
		if !strings.HasSuffix(line, "\n") {
			t.Fatalf("half a line: %s", line)
		}
		var f jsonFrame
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&f); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, f)
	}
	return all
}

// A fakeSource gives pictures, then end.
type fakeSource struct {
	info   footage
	images []*image.RGBA
	end    error
	before func(i int) // called before the i-th; may wait

	mu     sync.Mutex
	given  int
	closed bool
}

func (s *fakeSource) next() (*frame, error) {
	if s.before != nil {
		s.before(s.given)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errors.New("read after it was closed")
	}
	if s.given == len(s.images) {
		return nil, s.end
	}
	m := s.images[s.given]
	f := &frame{
		index: s.given,
		at:    time.Duration(float64(s.given) / s.info.fps * float64(time.Second)),
		image: &image.RGBA{Pix: append([]byte(nil), m.Pix...), Stride: m.Stride, Rect: m.Rect},
	}
	s.given++
	return f, nil
}

func (s *fakeSource) about() footage { return s.info }

func (s *fakeSource) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errors.New("closed twice")
	}
	s.closed = true
	return nil
}

// A fakeMovie is a video file in memory; the file on disk holds the number of
// pictures.
type fakeMovie struct {
	path   string
	images []*image.RGBA
	full   int // after so many pictures the disk is; 0: it is not
	closed bool
}

func (m *fakeMovie) write(any image.Image, _ time.Duration) error {
	img := any.(*image.RGBA)
	if m.full > 0 && len(m.images) == m.full {
		return errors.New("no space left")
	}
	m.images = append(m.images, &image.RGBA{Pix: append([]byte(nil), img.Pix...), Stride: img.Stride, Rect: img.Rect})
	return nil
}

func (m *fakeMovie) close() error {
	m.closed = true
	return os.WriteFile(m.path, fmt.Appendf(nil, "%d", len(m.images)), 0o644)
}

// fakeBackend takes the place of OpenCV until the test ends.
func fakeBackend(t *testing.T, source frameSource) *fakeMovie {
	t.Helper()
	before := backend
	t.Cleanup(func() { backend = before })
	movie := &fakeMovie{}
	backend = &videoBackend{
		only:   true,
		open:   func(string) (frameSource, error) { return source, nil },
		camera: func(string, image.Point) (frameSource, error) { return source, nil },
		create: func(path string, _ []string, _ float64, _ image.Point) (movieWriter, error) {
			movie.path = path
			return movie, nil
		},
		check: func(path string) (int, error) {
			text, err := os.ReadFile(path)
			if err != nil {
				return 0, err
			}
			return strconv.Atoi(string(text))
		},
	}
	return movie
}
