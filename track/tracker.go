package track

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"haarlem/cascade"
)

// Options says how a tracker follows. A nil *Options and the zero value mean
// the same: every field's default.
type Options struct {
	// Overlap is how much a detection and the place where a track should be
	// must overlap to be one face, see [Overlap]. 0 means 0.3.
	Overlap float64

	// Hits is how many detections make a track that is shown and gets a
	// number. A track with fewer ends with its first miss. 0 means 2; 1 shows
	// every detection at once.
	Hits int

	// Misses is how many updates in a row may miss a track before it ends.
	// 0 means 8, -1 none.
	Misses int

	// Bounds is the picture: a track whose centre leaves it ends. Empty means
	// that there are no bounds.
	Bounds image.Rectangle
}

// ErrOptions is what errors about impossible options wrap.
var ErrOptions = errors.New("track: bad options")

func (o *Options) withDefaults() (Options, error) {
	var v Options
	if o != nil {
		v = *o
	}
	if v.Overlap == 0 {
		v.Overlap = 0.3
	}
	if v.Hits == 0 {
		v.Hits = 2
	}
	if v.Misses == 0 {
		v.Misses = 8
	}
	switch {
	case !(v.Overlap > 0 && v.Overlap < 1):
		return v, fmt.Errorf("%w: Overlap %v, want more than 0 and less than 1", ErrOptions, v.Overlap)
	case v.Hits < 1:
		return v, fmt.Errorf("%w: Hits %d, want 1 or more", ErrOptions, v.Hits)
	case v.Misses < -1:
		return v, fmt.Errorf("%w: Misses %d, want -1 or more", ErrOptions, v.Misses)
	}
	v.Misses = max(v.Misses, 0)
	return v, nil
}

// A Track is one face that is followed.
type Track struct {
	// Number counts the tracks that were shown, from 1. It is 0 while a
	// track has too few detections to be shown.
	Number int

	// Box is where the face is at the time that was asked for: the filter's
	// box, not a detection's.
	Box image.Rectangle

	// Last is the newest detection, First and Seen the times of the first
	// and of the newest.
	Last        cascade.Detection
	First, Seen time.Duration

	// Hits counts detections, Misses the updates since the newest.
	Hits, Misses int
}

// A Tracker makes tracks of detections. It is used by one goroutine at a time.
type Tracker struct {
	o      Options
	tracks []*state
	count  int // tracks numbered so far
	quiet  bool
	pairs  []pair
}

type state struct {
	Track
	m   motion
	hit bool // in the current update
}

type pair struct {
	track, found int
	overlap      float64
}

// New returns a tracker without tracks.
func New(o *Options) (*Tracker, error) {
	v, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Tracker{o: v}, nil
}

// Update takes in what was found in a frame, and returns for each detection
// the number of its track, 0 if that is not shown yet. Times must not go back.
//
// Tracks and detections that overlap are joined, those that overlap most
// first. What is left of the detections begins new tracks, what is left of the
// tracks has a miss.
func (t *Tracker) Update(at time.Duration, found []cascade.Detection) []int {
	owner := t.update(at, found)
	numbers := make([]int, len(found))
	for k, s := range owner {
		if s != nil {
			numbers[k] = s.Number
		}
	}
	return numbers
}

// update is Update, and returns the track of each detection, shown or not; nil
// for one without pixels.
func (t *Tracker) update(at time.Duration, found []cascade.Detection) []*state {
	t.quiet = true
	for _, s := range t.tracks {
		s.hit = false
		s.Box = s.m.box(at)
	}
	t.pairs = t.pairs[:0]
	for i, s := range t.tracks {
		for k, f := range found {
			if o := Overlap(s.Box, f.Box); o >= t.o.Overlap {
				t.pairs = append(t.pairs, pair{i, k, o})
			}
		}
	}
	slices.SortFunc(t.pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.overlap, a.overlap), cmp.Compare(a.track, b.track), cmp.Compare(a.found, b.found))
	})
	owner := make([]*state, len(found))
	for _, p := range t.pairs {
		if s := t.tracks[p.track]; !s.hit && owner[p.found] == nil {
			owner[p.found] = s
			s.take(found[p.found], at)
		}
	}
	t.drop(at)
	for k, f := range found {
		if owner[k] == nil && !f.Box.Empty() {
			t.quiet = false
			owner[k] = &state{
				Track: Track{Box: f.Box, Last: f, First: at, Seen: at, Hits: 1},
				m:     newMotion(f.Box, at), hit: true,
			}
			t.tracks = append(t.tracks, owner[k])
		}
	}
	for _, s := range owner {
		if s != nil && s.Number == 0 && s.Hits >= t.o.Hits {
			t.count++
			s.Number = t.count
		}
	}
	return owner
}

func (s *state) take(f cascade.Detection, at time.Duration) {
	s.hit = true
	s.m.measure(f.Box, at)
	s.Box = s.m.box(at)
	s.Last, s.Seen = f, at
	s.Hits++
	s.Misses = 0
}

// drop counts misses and ends tracks.
func (t *Tracker) drop(at time.Duration) {
	t.tracks = slices.DeleteFunc(t.tracks, func(s *state) bool {
		if !s.hit {
			t.quiet = false
			s.Misses++
			if s.Misses > t.o.Misses || s.Hits < t.o.Hits || t.covered(s) {
				return true
			}
		}
		middle := image.Pt((s.Box.Min.X+s.Box.Max.X)/2, (s.Box.Min.Y+s.Box.Max.Y)/2)
		if !t.o.Bounds.Empty() && !middle.In(t.o.Bounds) {
			t.quiet = false
			return true
		}
		return false
	})
}

// covered tells whether another track, which was found, stands where s is
// thought to be: two tracks had begun for one face.
func (t *Tracker) covered(s *state) bool {
	return slices.ContainsFunc(t.tracks, func(o *state) bool {
		return o.hit && Overlap(o.Box, s.Box) > 0.5
	})
}

// Tracks returns the tracks that are shown, in the order of their numbers, as
// they should be at a time: usually that of the frame to draw on, which is
// newer than the one that was searched.
func (t *Tracker) Tracks(at time.Duration) []Track {
	var all []Track
	for _, s := range t.tracks {
		if s.Number > 0 {
			all = append(all, s.at(at))
		}
	}
	slices.SortFunc(all, func(a, b Track) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// All returns all tracks, shown or not, as Tracks does. A [Planner] wants
// these: a track becomes one that is shown only if it is looked for.
func (t *Tracker) All(at time.Duration) []Track {
	all := make([]Track, len(t.tracks))
	for i, s := range t.tracks {
		all[i] = s.at(at)
	}
	return all
}

func (s *state) at(at time.Duration) Track {
	track := s.Track
	track.Box = s.m.box(at)
	return track
}

// Count is how many tracks have been numbered so far.
func (t *Tracker) Count() int { return t.count }

// Quiet tells whether nothing happened in the last update: every track was
// found, and none began or ended.
func (t *Tracker) Quiet() bool { return t.quiet }
