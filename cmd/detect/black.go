package main

import (
	"fmt"
	"image"
	"time"
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
	frameSource
	frames int // black ones; -1: it has shown something
}

func watchBlack(s frameSource) frameSource {
	if !s.about().live {
		return s
	}
	return &blackWatch{frameSource: s}
}

func (b *blackWatch) next() (*frame, error) {
	f, err := b.frameSource.next()
	if err != nil || b.frames < 0 {
		return f, err
	}
	if err := f.decode(); err != nil {
		return nil, err
	}
	if !isBlack(f.picture()) {
		b.frames = -1
		return f, nil
	}
	b.frames++
	if b.frames >= blackFrames && f.at >= blackTime {
		return nil, fmt.Errorf("%s: gives black pictures only, %s so far: is its cover closed, or its shutter key pressed?", b.about().name, count(b.frames, "frame"))
	}
	return f, nil
}

// isBlack looks at every seventh pixel of every fifth row.
func isBlack(img image.Image) bool {
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
