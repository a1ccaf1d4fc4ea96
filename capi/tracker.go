package main

import (
	"image"
	"math"
	"slices"
	"sync"
	"time"

	"haarlem/cascade/detector"
	"haarlem/track"
)

// A tracker makes tracks of what is found in the frames of a video.
type tracker struct {
	mu        sync.Mutex
	tracker   *track.Tracker
	describer track.Describer
	looks     []*track.Descriptor
	at        time.Duration
}

// A tracked object is a track at the time of a frame.
type tracked struct {
	number, index int // index of its detection in the frame, -1 if it was missed
	box           image.Rectangle
	misses        int
	score         float64 // of the newest detection
}

// newTracker returns a tracker that takes up lost tracks for memory seconds.
func newTracker(memory float64, o *track.Options) (*tracker, error) {
	const longest = 1e6
	if !(memory >= -longest && memory <= longest) {
		return nil, argument("options.memory is %v seconds", memory)
	}
	o.Memory = time.Duration(memory * float64(time.Second))
	t, err := track.New(o)
	if err != nil {
		return nil, err
	}
	return &tracker{tracker: t, at: math.MinInt64}, nil
}

// update takes in what was found in the frame of a time in seconds. The picture, which
// may be nil, tells apart objects that pass each other.
func (t *tracker) update(s *scratch, seconds float64, p *pixels, found []detector.Detection) ([]tracked, error) {
	const longest = 1e9 // some 30 years
	if !(seconds >= -longest && seconds <= longest) {
		return nil, argument("a frame at %v seconds, want at most %v", seconds, float64(longest))
	}
	for i := range found {
		if b := found[i].Box; b.Empty() || !b.In(image.Rect(-maxCoordinate, -maxCoordinate, maxCoordinate, maxCoordinate)) {
			return nil, argument("detection %d has the box %v", i, b)
		}
	}
	at := time.Duration(seconds * float64(time.Second))
	t.mu.Lock()
	defer t.mu.Unlock()
	if at < t.at {
		return nil, argument("a frame at %v seconds, after one at %v", seconds, t.at.Seconds())
	}
	t.at = at
	t.looks = t.looks[:0]
	if p != nil && p.width > 0 && p.height > 0 {
		g := p.grey(&s.grey)
		for i := range found {
			t.looks = append(t.looks, t.describer.Describe(g, found[i].Box))
		}
	}
	var numbers []int
	if len(t.looks) > 0 {
		numbers = t.tracker.UpdateDescribed(at, found, t.looks)
	} else {
		numbers = t.tracker.Update(at, found)
	}
	var all []tracked
	for _, k := range t.tracker.Tracks(at) {
		all = append(all, tracked{k.Number, slices.Index(numbers, k.Number), k.Box, k.Misses, k.Last.Score})
	}
	return all, nil
}
