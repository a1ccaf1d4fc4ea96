package camera

import (
	"image"
	"time"

	"haarlem/internal/app/frames"
)

// A paced source gives the frames of a file at the times that they have, as a
// camera would. A frame that is late is given at once.
type paced struct {
	frames.Source
	start time.Time
}

func pace(s frames.Source) frames.Source {
	if s.About().Live {
		return s
	}
	return &paced{Source: s}
}

func (p *paced) Next() (*frames.Frame, error) {
	f, err := p.Source.Next()
	if err != nil {
		return f, err
	}
	if p.start.IsZero() {
		p.start = time.Now().Add(-f.At)
	}
	time.Sleep(time.Until(p.start.Add(f.At)))
	return f, nil
}

// An rgbaSource decodes its frames, into red, green and blue, as a view wants them.
type rgbaSource struct{ frames.Source }

func (s rgbaSource) Next() (*frames.Frame, error) {
	f, err := s.Source.Next()
	if err != nil {
		return nil, err
	}
	if err := f.Decode(); err != nil {
		return nil, err
	}
	f.RGBA()
	return f, nil
}

// A mirrored source shows people as they see themselves.
type mirrored struct{ frames.Source }

func (m mirrored) Next() (*frames.Frame, error) {
	f, err := m.Source.Next()
	if err == nil {
		mirror(f.Image)
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
