package track

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"haarlem/cascade/detector"
)

// Options says how a tracker follows. A nil *Options and the zero value mean
// the same: every field's default.
type Options struct {
	// Overlap is the smallest overlap of a detection and the predicted box of a track
	// for them to be associated, see [Overlap]. 0 means 0.3.
	Overlap float64

	// Hits is how many detections confirm a track: it is shown and gets a number.
	// A track with fewer ends with its first miss. 0 means 2; 1 confirms every
	// detection at once.
	Hits int

	// Misses is how many updates in a row may miss a track before it ends.
	// 0 means 8, -1 none.
	Misses int

	// Bounds is the picture: a track whose centre leaves it ends. Empty means
	// that there are no bounds.
	Bounds image.Rectangle

	// Strong is the score from which a detection may begin a track or take one up
	// again. Weaker ones only continue a track that is where they are, as in ByteTrack
	// (Zhang and others, 2022). 0 means that all detections are strong.
	Strong float64

	// Memory is how long after its last detection a track that has a number may be
	// taken up again by a face that appears near and, if it has a [Descriptor], looks
	// like it. 0 means two seconds, a negative value not at all.
	Memory time.Duration

	// Patience is how many updates a track may wait for its number while it could be
	// one that was lost nearby and does not look like it yet, such as a face that
	// comes out from behind something. 0 means none. It needs descriptors.
	Patience int
}

// ErrOptions is what errors about impossible options wrap.
var ErrOptions = errors.New("track: bad options")

func (o *Options) withDefaults() (Options, error) {
	v := *cmp.Or(o, &Options{})
	v.Overlap = cmp.Or(v.Overlap, 0.3)
	v.Hits = cmp.Or(v.Hits, 2)
	v.Misses = cmp.Or(v.Misses, 8)
	v.Memory = cmp.Or(v.Memory, 2*time.Second)
	switch {
	case !(v.Strong >= 0):
		return v, fmt.Errorf("%w: Strong %v, want 0 or more", ErrOptions, v.Strong)
	case !(v.Overlap > 0 && v.Overlap < 1):
		return v, fmt.Errorf("%w: Overlap %v, want more than 0 and less than 1", ErrOptions, v.Overlap)
	case v.Hits < 1:
		return v, fmt.Errorf("%w: Hits %d, want 1 or more", ErrOptions, v.Hits)
	case v.Patience < 0 || v.Patience > 1000:
		return v, fmt.Errorf("%w: Patience %d, want 0 to 1000", ErrOptions, v.Patience)
	case v.Misses < -1:
		return v, fmt.Errorf("%w: Misses %d, want -1 or more", ErrOptions, v.Misses)
	}
	v.Misses = max(v.Misses, 0)
	return v, nil
}

// A Track is one face that is tracked.
type Track struct {
	// Number counts the tracks that were shown, from 1. It is 0 while a
	// track has too few detections to be shown.
	Number int

	// Box is where the face is at the time that was asked for: the filter's
	// box, not a detection's.
	Box image.Rectangle

	// Last is the newest detection, First and Seen the times of the first
	// and of the newest.
	Last        detector.Detection
	First, Seen time.Duration

	// Hits counts detections, Misses the updates since the newest.
	Hits, Misses int
}

// A Tracker makes tracks of detections. It is used by one goroutine at a time.
type Tracker struct {
	o      Options
	tracks []*state
	lost   []*state // ended, and may be taken up again
	count  int      // tracks numbered so far
	quiet  bool
	pairs  []pair
	last   time.Duration // of the last update
	waits  time.Duration // how long a number may be waited for, about
}

type state struct {
	Track
	m     motion
	looks gallery
	first image.Rectangle // where it was first found
	age   int             // updates
	hit   bool            // in the current update

	ends, covered bool // in it, see drop
}

// A pair is a track and a detection that may be one face, and how well they agree.
type pair struct {
	track *state
	order int // of the track
	found int
	score float64
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
// Tracks and detections that overlap are joined, those that agree best first:
// strong detections, and then weak ones. What is left of the strong detections
// takes up tracks that were missed nearby, or begins new ones; what is left of
// the tracks has a miss.
func (t *Tracker) Update(at time.Duration, found []detector.Detection) []int {
	return t.UpdateDescribed(at, found, nil)
}

// UpdateDescribed is [Tracker.Update] for detections with descriptors, one each,
// which tell faces apart that pass each other, and tell that a face is one that
// was lost. Descriptors may be nil.
func (t *Tracker) UpdateDescribed(at time.Duration, found []detector.Detection, looks []*Descriptor) []int {
	owner := t.update(at, found, looks)
	numbers := make([]int, len(found))
	for k, s := range owner {
		if s != nil {
			numbers[k] = s.Number
		}
	}
	return numbers
}

// How well a detection and a track agree.
const (
	lookWeight = 0.5 // of similarity, beside overlap
	takenUp    = 0.5 // smallest similarity of a face that was lost and is found again
	alone      = 1.0 // widths from its place within which one is taken up without descriptors
	reach      = 1.5 // widths that a face may be from where it was lost, and
	reachSpeed = 2.5 // widths a second more
	otherSize  = 1.7 // and how many times larger or smaller
)

// update is Update, and returns the track of each detection, shown or not; nil
// for one without pixels, and for a weak one that continues no track.
func (t *Tracker) update(at time.Duration, found []detector.Detection, looks []*Descriptor) []*state {
	t.quiet = true
	t.waits = time.Duration(t.o.Patience) * max(0, at-t.last)
	t.last = at
	t.forget(at)
	for _, s := range t.tracks {
		s.hit = false
		s.Box = s.m.box(at)
	}
	look := func(k int) *Descriptor {
		if k < len(looks) {
			return looks[k]
		}
		return nil
	}
	owner := make([]*state, len(found))
	join := func() {
		slices.SortFunc(t.pairs, func(a, b pair) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.order, b.order), cmp.Compare(a.found, b.found))
		})
		for _, p := range t.pairs {
			if !p.track.hit && owner[p.found] == nil {
				owner[p.found] = p.track
				p.track.take(found[p.found], look(p.found), at)
			}
		}
		t.pairs = t.pairs[:0]
	}
	for _, strong := range []bool{true, false} {
		for i, s := range t.tracks {
			for k, f := range found {
				if s.hit || owner[k] != nil || (f.Score >= t.o.Strong) != strong {
					continue
				}
				if o := Overlap(s.Box, f.Box); o >= t.o.Overlap {
					score := o
					if d := look(k); d != nil && len(s.looks) > 0 {
						score += float64(lookWeight * s.looks.similarity(d))
					}
					t.pairs = append(t.pairs, pair{s, i, k, score})
				}
			}
		}
		join()
	}
	// Faces that were lost, for a moment or for longer.
	for i, s := range slices.Concat(t.tracks, t.lost) {
		for k, f := range found {
			if s.hit || s.Number == 0 || owner[k] != nil || f.Score < t.o.Strong || f.Box.Empty() {
				continue
			}
			if score, ok := s.again(f.Box, look(k), at); ok && t.o.Memory > 0 {
				t.pairs = append(t.pairs, pair{s, i, k, score})
			}
		}
	}
	join()
	t.lost = slices.DeleteFunc(t.lost, func(s *state) bool {
		if s.hit {
			t.quiet = false
			t.tracks = append(t.tracks, s)
		}
		return s.hit
	})
	t.drop(at)
	for k, f := range found {
		if owner[k] == nil && !f.Box.Empty() && f.Score >= t.o.Strong {
			t.quiet = false
			owner[k] = &state{
				Track: Track{Box: f.Box, Last: f, First: at, Seen: at, Hits: 1},
				m:     newMotion(f.Box, at), first: f.Box, hit: true,
			}
			owner[k].looks.add(look(k))
			t.tracks = append(t.tracks, owner[k])
		}
	}
	for _, s := range t.tracks {
		s.age++
	}
	for _, s := range owner {
		if s != nil && s.Number == 0 && s.Hits >= t.o.Hits {
			t.number(s)
		}
	}
	return owner
}

// number gives a track its number: that of a lost one which it is, or else the next,
// unless it is worth waiting.
func (t *Tracker) number(s *state) {
	best, at, wait := takenUp, -1, false
	for i, l := range t.lost {
		if len(l.looks) == 0 || len(s.looks) == 0 || l.Seen >= s.First {
			continue
		}
		if !l.within(s.first, s.First) {
			continue
		}
		wait = true
		for _, d := range s.looks {
			if v := l.looks.similarity(d); v >= best {
				best, at = v, i
			}
		}
	}
	switch {
	case at >= 0:
		l := t.lost[at]
		s.Number, s.First, s.Hits = l.Number, l.First, s.Hits+l.Hits
		for _, d := range l.looks {
			s.looks.add(d)
		}
		t.lost = slices.Delete(t.lost, at, at+1)
	case !wait || s.age >= t.o.Patience:
		t.count++
		s.Number = t.count
	}
}

// forget drops tracks that were lost too long ago.
func (t *Tracker) forget(at time.Duration) {
	t.lost = slices.DeleteFunc(t.lost, func(s *state) bool { return at-s.Seen > t.o.Memory+t.waits })
	for _, s := range t.lost {
		s.hit = false
	}
}

// again tells whether a face that appears may be one that was lost, and how well they
// agree.
func (s *state) again(box image.Rectangle, d *Descriptor, at time.Duration) (score float64, ok bool) {
	if !s.within(box, at) {
		return 0, false
	}
	distance := s.distance(box)
	if d == nil || len(s.looks) == 0 {
		return 0.5 - distance, distance <= alone
	}
	similarity := s.looks.similarity(d)
	return similarity - float64(0.1*distance), similarity >= takenUp
}

// within tells whether a face may have come to a box from where it was last found.
func (s *state) within(box image.Rectangle, at time.Duration) bool {
	w0, w1 := float64(s.m.box(s.Seen).Dx()), float64(box.Dx())
	return w1 <= otherSize*w0 && w0 <= otherSize*w1 && s.distance(box) <= reach+float64(reachSpeed*(at-s.Seen).Seconds())
}

// distance is that from where a face was last found, in widths.
func (s *state) distance(box image.Rectangle) float64 {
	x0, y0, w0, _ := measured(s.m.box(s.Seen))
	x1, y1, w1, _ := measured(box)
	return math.Sqrt(float64((x1-x0)*(x1-x0))+float64((y1-y0)*(y1-y0))) / ((w0 + w1) / 2)
}

func (s *state) take(f detector.Detection, d *Descriptor, at time.Duration) {
	if at-s.Seen > time.Second/2 { // where it went meanwhile is not known
		s.m = newMotion(f.Box, max(s.m.at, at))
	} else {
		s.m.measure(f.Box, at)
	}
	s.hit = true
	s.looks.add(d)
	s.Box = s.m.box(at)
	s.Last, s.Seen = f, at
	s.Hits++
	s.Misses = 0
}

// drop counts misses and ends tracks. Those that have a number may be taken up again.
func (t *Tracker) drop(at time.Duration) {
	for _, s := range t.tracks { // all before any is dropped: what is found covers others
		s.ends, s.covered = false, false
		if !s.hit {
			t.quiet = false
			s.Misses++
			s.covered = t.covers(s)
			s.ends = s.covered || s.Misses > t.o.Misses || s.Hits < t.o.Hits
		}
		middle := image.Pt((s.Box.Min.X+s.Box.Max.X)/2, (s.Box.Min.Y+s.Box.Max.Y)/2)
		if !t.o.Bounds.Empty() && !middle.In(t.o.Bounds) {
			t.quiet = false
			s.ends = true
		}
	}
	t.tracks = slices.DeleteFunc(t.tracks, func(s *state) bool {
		switch {
		case !s.ends:
			return false
		case s.covered && s.Hits < settled:
			return true
		case s.Number == 0 && s.Hits >= t.o.Hits: // it waited in vain
			t.count++
			s.Number = t.count
		}
		if s.Number > 0 && t.o.Memory > 0 {
			t.lost = append(t.lost, s)
		}
		return true
	})
}

// settled is the number of detections from which a track that another one covers is taken
// for a face behind a face, rather than for a second track of the same one.
const settled = 8

// covers tells whether another track, which was found, stands where s is
// thought to be: two tracks had begun for one face.
func (t *Tracker) covers(s *state) bool {
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
