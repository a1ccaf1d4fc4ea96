package frames

import (
	"errors"
	"image"
	"time"

	"haarlem/internal/v4l2"
)

// A cameraSource is a Source of Video4Linux2.
type cameraSource struct {
	c     *v4l2.Camera
	info  Footage
	read  int
	start time.Time
}

func (s *cameraSource) About() Footage { return s.info }

func (s *cameraSource) Next() (*Frame, error) {
	data, err := s.c.Next()
	if errors.Is(err, v4l2.ErrNoFrame) {
		return nil, s.info.Ended(s.read, 0)
	} else if err != nil {
		return nil, err
	}
	if s.read == 0 {
		s.start = time.Now()
	}
	f := &Frame{Index: s.read, At: time.Since(s.start), coded: func() (image.Image, error) { return s.c.Decode(data) }}
	s.read++
	return f, nil
}

func (s *cameraSource) Close() error { return s.c.Close() }
