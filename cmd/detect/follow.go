package main

import (
	"errors"
	"fmt"
	"image"

	"haarlem/picture"
	"haarlem/track"
)

// A followSink follows what is found from frame to frame, and passes frames on
// with it: a frame late, since a face gets its number in its second frame and
// has it in the first one too.
type followSink struct {
	follower *track.Follower
	sinks    []frameSink

	held   []*frame // that are not passed on; the follower's delay bounds them
	failed bool     // a sink takes nothing any more
}

func newFollowSink() (*followSink, error) {
	f, err := track.NewFollower(nil)
	return &followSink{follower: f}, err
}

func (s *followSink) put(f *frame) error {
	s.held = append(s.held, f)
	if faces, ok := s.follower.Add(f.at, f.found); ok {
		return s.pass(faces)
	}
	return nil
}

func (s *followSink) pass(faces []track.Followed) error {
	f := s.held[0]
	s.held[0] = nil
	s.held = s.held[1:]
	f.faces = faces
	for _, sink := range s.sinks {
		if err := sink.put(f); err != nil {
			s.failed = true
			return err
		}
	}
	return nil
}

// close passes on what is held, and closes the sinks.
func (s *followSink) close() error {
	var errs []error
	for !s.failed {
		faces, ok := s.follower.Rest()
		if !ok {
			break
		}
		if err := s.pass(faces); err != nil {
			errs = append(errs, fmt.Errorf("writing results: %w", err))
		}
	}
	for _, sink := range s.sinks {
		errs = append(errs, sink.close())
	}
	return errors.Join(errs...)
}

// drawFollowed draws the faces of a frame into it.
func drawFollowed(f *frame) image.Image {
	marks := make([]picture.Mark, len(f.faces))
	for i, v := range f.faces {
		marks[i] = picture.Mark{Box: v.Box, Label: trackLabel(v.Number, v.Detection.Score)}
	}
	picture.AnnotateInPlace(f.canvas(), marks)
	return f.picture()
}

// trackMarks are the tracks.
func trackMarks(tracks []track.Track) []picture.Mark {
	marks := make([]picture.Mark, len(tracks))
	for i, t := range tracks {
		marks[i] = picture.Mark{Box: t.Box, Label: trackLabel(t.Number, t.Last.Score)}
	}
	return marks
}

func trackLabel(number int, score float64) string {
	if number == 0 {
		return scoreText(score)
	}
	return fmt.Sprintf("%d: %s", number, scoreText(score))
}
