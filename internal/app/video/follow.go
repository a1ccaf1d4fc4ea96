package video

import (
	"errors"
	"fmt"
	"image"
	"sync"

	"haarlem/internal/annotate"
	"haarlem/internal/app/console"
	"haarlem/internal/app/frames"
	"haarlem/internal/luma"
	"haarlem/track"
)

// A followSink tracks what is found from frame to frame, and passes frames on
// with it: some frames late, since a face has its number in its first frame,
// and that of before when it was away for up to two seconds.
type followSink struct {
	follower *track.Follower
	strong   float64 // the score from which on faces are tracked
	sinks    []frames.Sink

	held   []*frames.Frame // that are not passed on; the follower's delay bounds them
	failed bool            // a sink takes nothing any more
}

// Frames that are held for the sake of numbers: at most so many, and not more than
// memory allows.
const (
	maxPatience  = 12
	patientBytes = 128 << 20
)

func (s *followSink) Put(f *frames.Frame) error {
	if s.follower == nil {
		size := f.Bounds().Size()
		patience := min(maxPatience, patientBytes/max(1, 4*size.X*size.Y))
		var err error
		if s.follower, err = track.NewFollower(&track.Options{Strong: s.strong, Patience: patience}); err != nil {
			return err
		}
	}
	s.held = append(s.held, f)
	if faces, ok := s.follower.Add(f.At, f.Found, f.Looks); ok {
		return s.pass(faces)
	}
	return nil
}

// tracks is how many have been numbered.
func (s *followSink) tracks() int {
	if s.follower == nil {
		return 0
	}
	return s.follower.Count()
}

// Describers are the memory for descriptions that are made side by side.
var Describers = sync.Pool{New: func() any { return new(Describer) }}

type Describer struct {
	track.Describer
	Grey []byte
}

// describeFaces says what each face of a frame looks like.
func describeFaces(f *frames.Frame) {
	if len(f.Found) == 0 {
		return
	}
	d := Describers.Get().(*Describer)
	defer Describers.Put(d)
	var g luma.Plane
	var buf []byte
	if g, buf = luma.Of(f.Picture(), d.Grey); f.Planes == nil {
		d.Grey = buf
	}
	plane := g.Gray()
	f.Looks = make([]*track.Descriptor, len(f.Found))
	for i, found := range f.Found {
		f.Looks[i] = d.Describe(plane, found.Box)
	}
}

func (s *followSink) pass(faces []track.Followed) error {
	f := s.held[0]
	s.held[0] = nil
	s.held = s.held[1:]
	f.Faces = faces
	for _, sink := range s.sinks {
		if err := sink.Put(f); err != nil {
			s.failed = true
			return err
		}
	}
	return nil
}

// Close passes on what is held, and closes the sinks.
func (s *followSink) Close() error {
	var errs []error
	for !s.failed && s.follower != nil {
		faces, ok := s.follower.Rest()
		if !ok {
			break
		}
		if err := s.pass(faces); err != nil {
			errs = append(errs, fmt.Errorf("writing results: %w", err))
		}
	}
	for _, sink := range s.sinks {
		errs = append(errs, sink.Close())
	}
	return errors.Join(errs...)
}

// drawFollowed draws the faces of a frame into it.
func drawFollowed(f *frames.Frame) image.Image {
	marks := make([]annotate.Mark, len(f.Faces))
	for i, v := range f.Faces {
		marks[i] = annotate.Mark{Box: v.Box, Label: trackLabel(v.Number, v.Detection.Score)}
	}
	annotate.Draw(f.Canvas(), marks)
	return f.Picture()
}

// TrackMarks are the tracks.
func TrackMarks(tracks []track.Track) []annotate.Mark {
	marks := make([]annotate.Mark, len(tracks))
	for i, t := range tracks {
		marks[i] = annotate.Mark{Box: t.Box, Label: trackLabel(t.Number, t.Last.Score)}
	}
	return marks
}

func trackLabel(number int, score float64) string {
	if number == 0 {
		return console.Score(score)
	}
	return fmt.Sprintf("%d: %s", number, console.Score(score))
}
