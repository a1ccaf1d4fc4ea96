// Package detecttest is what tests of detect's commands share.
package detecttest

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"io"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"haarlem/internal/app/frames"
	"haarlem/internal/must"
	"haarlem/internal/video"
)

func (p *Pan) CheckHidden(t *testing.T, images []*image.RGBA) {
	t.Helper()
	for i, m := range images {
		for _, face := range p.Faces[i] {
			if share := Differs(p.Images[i], m, face); share < 0.25 {
				t.Errorf("frame %d: %.2f of the face at %v changed", i, share, face)
			}
		}
	}
}

// Repeat makes a film longer.
func (p *Pan) Repeat(times int) *FakeSource {
	s := p.Source("camera")
	s.Images = slices.Repeat(p.Images, times)
	s.Info.Live = true
	s.End = errors.New("unplugged")
	return s
}

// Y4M is the film as Y4M.
func (p *Pan) Y4M(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := video.NewY4M(&b, video.Rate{Num: PanFPS, Den: 1}, "")
	for _, m := range p.Images {
		must.Do(w.Write(m, 0))
	}
	return b.Bytes()
}

// A Pan is a film of the drawn group: a window of 480x320 pixels that moves
// over it, with the faces that are in full view in each frame.
type Pan struct {
	Images []*image.RGBA
	Faces  [][]image.Rectangle
}

// PanFPS is how many frames of a Pan are a second.
const PanFPS = 25

// NewPan draws a pan of so many frames.
func NewPan(t *testing.T, frames int) *Pan {
	t.Helper()
	src := group()
	f := must.Get(os.Open(path("samples/group.csv")))
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())
	p := &Pan{}
	for i := range frames {
		corner := image.Pt(60+3*i, 110+i)
		m := image.NewRGBA(image.Rect(0, 0, 480, 320))
		draw.Draw(m, m.Rect, src, corner, draw.Src)
		var faces []image.Rectangle
		for _, row := range rows[1:] {
			var n [4]int
			for k := range n {
				n[k] = must.Get(strconv.Atoi(row[1+k]))
			}
			box := image.Rect(n[0], n[1], n[0]+n[2], n[1]+n[3]).Sub(corner)
			if box.Dx() >= 50 && box.In(m.Rect.Inset(8)) {
				faces = append(faces, box)
			}
		}
		if len(faces) < 3 {
			t.Fatalf("frame %d of the film shows %d faces", i, len(faces))
		}
		p.Images = append(p.Images, m)
		p.Faces = append(p.Faces, faces)
	}
	return p
}

// Source gives copies of the frames, as a file does.
func (p *Pan) Source(name string) *FakeSource {
	return &FakeSource{Info: frames.Footage{Name: name, FPS: PanFPS, Frames: len(p.Images)}, Images: p.Images, End: io.EOF}
}

// PanArgs find the faces quickly.
var PanArgs = []string{"-model", Drawn, "-min-size", "40", "-scale", "1.15"}

// A FakeSource gives pictures, then end.
type FakeSource struct {
	Info   frames.Footage
	Images []*image.RGBA
	End    error
	Before func(i int) // called before the i-th; may wait

	Mu     sync.Mutex
	Given  int
	Closed bool
}

func (s *FakeSource) Next() (*frames.Frame, error) {
	if s.Before != nil {
		s.Before(s.Given)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Closed {
		return nil, errors.New("read after it was closed")
	}
	if s.Given == len(s.Images) {
		return nil, s.End
	}
	m := s.Images[s.Given]
	f := &frames.Frame{
		Index: s.Given,
		At:    time.Duration(float64(s.Given) / s.Info.FPS * float64(time.Second)),
		Image: &image.RGBA{Pix: append([]byte(nil), m.Pix...), Stride: m.Stride, Rect: m.Rect},
	}
	s.Given++
	return f, nil
}

func (s *FakeSource) About() frames.Footage { return s.Info }

func (s *FakeSource) Close() error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Closed {
		return errors.New("closed twice")
	}
	s.Closed = true
	return nil
}

// A FakeMovie is a video file in memory; the file on disk holds the number of
// pictures.
type FakeMovie struct {
	path   string
	Images []*image.RGBA
	Full   int // after so many pictures the disk is; 0: it is not
	Closed bool
}

func (m *FakeMovie) Write(any image.Image, _ time.Duration) error {
	img := any.(*image.RGBA)
	if m.Full > 0 && len(m.Images) == m.Full {
		return errors.New("no space left")
	}
	m.Images = append(m.Images, &image.RGBA{Pix: append([]byte(nil), img.Pix...), Stride: img.Stride, Rect: img.Rect})
	return nil
}

func (m *FakeMovie) Close() error {
	m.Closed = true
	return os.WriteFile(m.path, fmt.Appendf(nil, "%d", len(m.Images)), 0o644)
}

// FakeBackend takes the place of OpenCV until the test ends.
func FakeBackend(t *testing.T, source frames.Source) *FakeMovie {
	t.Helper()
	before := frames.Backend
	t.Cleanup(func() { frames.Backend = before })
	movie := &FakeMovie{}
	frames.Backend = &frames.VideoBackend{
		Only:   true,
		Open:   func(string) (frames.Source, error) { return source, nil },
		Camera: func(string, image.Point) (frames.Source, error) { return source, nil },
		Create: func(path string, _ []string, _ float64, _ image.Point) (frames.Writer, error) {
			movie.path = path
			return movie, nil
		},
		Check: func(path string) (int, error) {
			text, err := os.ReadFile(path)
			if err != nil {
				return 0, err
			}
			return strconv.Atoi(string(text))
		},
	}
	return movie
}
