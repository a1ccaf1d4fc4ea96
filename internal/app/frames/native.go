package frames

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"time"

	"haarlem/internal/video"
)

// A nativeSource is a Source of package video.
type nativeSource struct {
	r    *video.Reader
	c    io.Closer // nil: it stays open
	info Footage
	read int
	last time.Duration
}

func newNative(name string, r io.Reader, c io.Closer, o *video.Options) (*nativeSource, error) {
	v, err := video.NewReader(r, o)
	if err != nil {
		err = fmt.Errorf("%s: %w", Shown(name), err)
		if c != nil {
			err = errors.Join(err, c.Close())
		}
		return nil, err
	}
	info := v.Info()
	jpeg := info.Kind == "Motion JPEG" || info.Kind == "AVI with Motion JPEG"
	return &nativeSource{r: v, c: c, info: Footage{
		Name: name, FPS: info.Rate.Float(), rate: info.Rate, Frames: info.Frames, y4m: info.Y4M, jpeg: jpeg,
		fullRange: jpeg || bytes.Contains([]byte(info.Y4M), []byte(video.FullRange)),
	}}, nil
}

// estimate works out how many frames a file of so many bytes holds.
func (s *nativeSource) estimate(size int64) {
	if n := s.r.FrameBytes(); n > 0 {
		s.info.Estimate = int(size / int64(n))
	}
}

func (s *nativeSource) About() Footage { return s.info }

func (s *nativeSource) Next() (*Frame, error) {
	v, err := s.r.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, s.info.Ended(s.read, s.last)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", Shown(s.info.Name), err)
	}
	s.read++
	s.last = v.Time
	name := Shown(s.info.Name)
	return &Frame{Index: v.Index, At: v.Time, coded: func() (image.Image, error) {
		img, err := v.Decode()
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return img, err
	}}, nil
}

func (s *nativeSource) Close() error {
	if s.c == nil {
		return nil
	}
	return s.c.Close()
}
