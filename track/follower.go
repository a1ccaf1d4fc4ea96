package track

import (
	"image"
	"time"

	"haarlem/cascade/detector"
)

// A Followed is a face in one frame, found there or known from others.
type Followed struct {
	// Number is that of its track, the same in all frames, the first one
	// included. It is 0 for a face that no track was made of: it was found
	// here, and not again at once.
	Number int

	// Box is where a track says that the face is: steadier than a detection.
	Box image.Rectangle

	// Detection is what was found in this frame or, if Predicted, in the last
	// one in which the face was found.
	Detection detector.Detection
	Predicted bool
}

// A Follower says for each frame what a [Tracker] shows in it, with numbers
// from the first frame of a track on. For that it answers late, by as many
// frames as it takes to make a track: it holds no more than that.
//
// It is used by one goroutine at a time.
type Follower struct {
	tracker *Tracker
	held    [][]follows // the frames that are not answered, the oldest first
}

// follows is a Followed that does not know its number yet.
type follows struct {
	Followed
	track *state // nil: of no track
}

// NewFollower returns a follower without frames; options are a tracker's.
func NewFollower(o *Options) (*Follower, error) {
	t, err := New(o)
	if err != nil {
		return nil, err
	}
	return &Follower{tracker: t}, nil
}

// Delay is how many frames late Add answers: one less than [Options.Hits], or
// [Options.Patience] if that is more.
func (f *Follower) Delay() int { return max(f.tracker.o.Hits-1, f.tracker.o.Patience) }

// Add takes in what was found in the next frame; times must not go back. It
// answers for the frame that came Delay frames before: what was found in it, in
// the order of the detections, and then what was predicted, in the order of
// numbers. ok is false as long as there is no such frame. Weak detections that
// continue no track are left out, see [Options.Strong]. Descriptors may be nil, see
// [Tracker.UpdateDescribed].
func (f *Follower) Add(at time.Duration, found []detector.Detection, looks []*Descriptor) (faces []Followed, ok bool) {
	var frame []follows
	for k, s := range f.tracker.update(at, found, looks) {
		box := found[k].Box
		switch {
		case s != nil:
			box = s.m.box(at)
		case found[k].Score < f.tracker.o.Strong:
			continue
		}
		frame = append(frame, follows{Followed{Box: box, Detection: found[k]}, s})
	}
	for _, t := range f.tracker.Tracks(at) {
		if t.Misses > 0 {
			frame = append(frame, follows{Followed: Followed{Number: t.Number, Box: t.Box, Detection: t.Last, Predicted: true}})
		}
	}
	f.held = append(f.held, frame)
	if len(f.held) <= f.Delay() {
		return nil, false
	}
	return f.Rest()
}

// Rest answers for a frame that is left when no more are added. ok is false
// when there is none.
func (f *Follower) Rest() (faces []Followed, ok bool) {
	if len(f.held) == 0 {
		return nil, false
	}
	for _, v := range f.held[0] {
		if v.track != nil { // which has its number by now, or never gets one
			v.Number = v.track.Number
		}
		faces = append(faces, v.Followed)
	}
	f.held[0] = nil
	f.held = f.held[1:]
	return faces, true
}

// Count is how many tracks have been numbered so far.
func (f *Follower) Count() int { return f.tracker.Count() }
