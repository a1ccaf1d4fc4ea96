package main

import (
	"image"
	"time"
)

// A paced source gives the frames of a file at the times that they have, as a
// camera would. A frame that is late is given at once.
type paced struct {
	frameSource
	start time.Time
}

func pace(s frameSource) frameSource {
	if s.about().live {
		return s
	}
	return &paced{frameSource: s}
}

func (p *paced) next() (*frame, error) {
	f, err := p.frameSource.next()
	if err != nil {
		return f, err
	}
	if p.start.IsZero() {
		p.start = time.Now().Add(-f.at)
	}
	time.Sleep(time.Until(p.start.Add(f.at)))
	return f, nil
}

// An rgba source decodes its frames, into red, green and blue, as a view wants them.
type rgbaSource struct{ frameSource }

func (s rgbaSource) next() (*frame, error) {
	f, err := s.frameSource.next()
	if err != nil {
		return nil, err
	}
	if err := f.decode(); err != nil {
		return nil, err
	}
	f.rgba()
	return f, nil
}

// A mirrored source shows people as they see themselves.
type mirrored struct{ frameSource }

func (m mirrored) next() (*frame, error) {
	f, err := m.frameSource.next()
	if err == nil {
		mirror(f.image)
	}
	return f, err
}

func mirror(m *image.RGBA) {
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		at := m.PixOffset(m.Rect.Min.X, y)
		row := m.Pix[at : at+4*m.Rect.Dx()]
		for i, k := 0, len(row)-4; i < k; i, k = i+4, k-4 {
			a, b := [4]byte(row[i:i+4]), [4]byte(row[k:k+4])
			copy(row[i:], b[:])
			copy(row[k:], a[:])
		}
	}
}
