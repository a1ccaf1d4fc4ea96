package frames

import (
	"fmt"
	"image"
	"time"

	"haarlem/internal/app/console"
)

// How long a camera may give black pictures at first: some need a second to
// find the right exposure.
const (
	blackTime   = 3 * time.Second
	blackFrames = 10
	blackLevel  = 20 // of 255; 16 is black in video, and sensors have noise
)

// A blackWatch ends a live source that has given nothing but black since it
// was opened. A film may be black for a while, and a camera that has shown
// something may look into the dark.
type blackWatch struct {
	Source
	frames int // black ones; -1: it has shown something
}

func WatchBlack(s Source) Source {
	if !s.About().Live {
		return s
	}
	return &blackWatch{Source: s}
}

func (b *blackWatch) Next() (*Frame, error) {
	f, err := b.Source.Next()
	if err != nil || b.frames < 0 {
		return f, err
	}
	if err := f.Decode(); err != nil {
		return nil, err
	}
	if !IsBlack(f.Picture()) {
		b.frames = -1
		return f, nil
	}
	b.frames++
	if b.frames >= blackFrames && f.At >= blackTime {
		return nil, fmt.Errorf("%s: gives black pictures only, %s so far: is its cover closed, or its shutter key pressed?", b.About().Name, console.Count(b.frames, "frame"))
	}
	return f, nil
}

// IsBlack looks at every seventh pixel of every fifth row.
func IsBlack(img image.Image) bool {
	switch m := img.(type) {
	case *image.RGBA:
		for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y += 5 {
			row := m.Pix[m.PixOffset(m.Rect.Min.X, y):][:4*m.Rect.Dx()]
			for x := 0; x < len(row); x += 28 {
				if row[x] > blackLevel || row[x+1] > blackLevel || row[x+2] > blackLevel {
					return false
				}
			}
		}
	case *image.YCbCr:
		for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y += 5 {
			row := m.Y[m.YOffset(m.Rect.Min.X, y):][:m.Rect.Dx()]
			for x := 0; x < len(row); x += 7 {
				if row[x] > blackLevel {
					return false
				}
			}
		}
	}
	return true
}
