package frames

import (
	"fmt"
	"image"
	"io"
	"os"

	"haarlem/internal/video"
	"haarlem/picture"
)

// A sequenceSource is numbered pictures, such as shots/%04d.png, from the first number
// of 0 to 4 that there is up to the first that is missing.
type sequenceSource struct {
	info   Footage
	rate   video.Rate
	number int // of the next picture
	read   int
}

func newSequence(name string, o *video.Options) (*sequenceSource, error) {
	s := &sequenceSource{rate: o.Rate}
	if s.rate == (video.Rate{}) {
		s.rate = video.Rate{Num: 25, Den: 1}
	}
	s.info = Footage{Name: name, FPS: s.rate.Float(), rate: s.rate, fullRange: true}
	for s.number = 0; s.number <= 4; s.number++ {
		if _, err := os.Stat(s.path(s.number)); err == nil {
			for s.info.Frames < 1<<30 { // so that progress knows the end
				if _, err := os.Stat(s.path(s.number + s.info.Frames)); err != nil {
					return s, nil
				}
				s.info.Frames++
			}
		}
	}
	return nil, fmt.Errorf("%s: cannot be opened: no pictures with such names (numbers begin at 0 to 4)", name)
}

// path is that of a picture. A percent sign that stands for no number stands for itself.
func (s *sequenceSource) path(n int) string {
	at := sequence.FindStringIndex(s.info.Name)
	return s.info.Name[:at[0]] + fmt.Sprintf(s.info.Name[at[0]:at[1]], n) + s.info.Name[at[1]:]
}

func (s *sequenceSource) About() Footage { return s.info }

func (s *sequenceSource) Next() (*Frame, error) {
	if s.read >= s.info.Frames {
		return nil, io.EOF
	}
	path := s.path(s.number + s.read)
	f := &Frame{Index: s.read, At: s.rate.Time(s.read), coded: func() (image.Image, error) {
		p, err := picture.Open(path, nil)
		if err != nil {
			return nil, err
		}
		return p.Image, nil
	}}
	s.read++
	return f, nil
}

func (s *sequenceSource) Close() error { return nil }
