package track

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"slices"
	"time"

	"haarlem/cascade/detector"
)

// FillOptions says how a filler fills. A nil *FillOptions and the zero value
// mean the same: every field's default.
type FillOptions struct {
	// Frames is how many frames are filled: a face that is missed in up to
	// so many frames in a row is there all the same, and it is there for so
	// many frames before it is first found and after it is last found. 0
	// means 12. The filler answers later than that, see [Filler.Delay].
	Frames int

	// Bounds is the picture, see [Options].
	Bounds image.Rectangle
}

// A Filler says for each frame where faces are, detected or not: it fills short gaps
// of tracks, for hiding faces, where a single missed frame identifies a person. Its
// boxes grow with the distance to the nearest detection. [Guard] does more.
//
// It is used by one goroutine at a time.
type Filler struct {
	frames  int
	delay   int
	tracker *Tracker
	next    int // the frame that Add is given next
	out     int // the frame that is answered next
	seen    map[int][]sighting
}

type sighting struct {
	frame int
	box   image.Rectangle
}

// NewFiller returns a filler without frames.
func NewFiller(o *FillOptions) (*Filler, error) {
	var v FillOptions
	if o != nil {
		v = *o
	}
	if v.Frames == 0 {
		v.Frames = 12
	}
	if v.Frames < 0 {
		return nil, fmt.Errorf("%w: Frames %d is negative", ErrOptions, v.Frames)
	}
	t, err := New(&Options{Hits: 1, Misses: v.Frames, Bounds: v.Bounds})
	if err != nil {
		return nil, err
	}
	return &Filler{frames: v.Frames, delay: v.Frames + v.Frames/2 + 1, tracker: t, seen: map[int][]sighting{}}, nil
}

// Delay is how many frames late Add answers: those that are filled, and half as
// many more, since a face that comes into view is filled backwards, for which
// it must be known how it moves.
func (f *Filler) Delay() int { return f.delay }

// Add takes in what was found in the next frame. It answers for the frame that
// came Delay frames before; ok is false as long as there is none.
func (f *Filler) Add(at time.Duration, found []detector.Detection) (boxes []image.Rectangle, ok bool) {
	for k, number := range f.tracker.Update(at, found) {
		f.seen[number] = append(f.seen[number], sighting{f.next, found[k].Box})
	}
	f.next++
	if f.next-f.out <= f.delay {
		return nil, false
	}
	return f.answer(), true
}

// Rest answers for a frame that is left when no more are added. ok is false
// when there is none.
func (f *Filler) Rest() (boxes []image.Rectangle, ok bool) {
	if f.out == f.next {
		return nil, false
	}
	return f.answer(), true
}

func (f *Filler) answer() []image.Rectangle {
	now := f.out
	f.out++
	var boxes []image.Rectangle
	for _, number := range slices.SortedFunc(maps.Keys(f.seen), cmp.Compare) {
		all := f.seen[number]
		if all[len(all)-1].frame+f.frames < now {
			delete(f.seen, number)
			continue
		}
		if box := f.at(all, now); !box.Empty() {
			boxes = append(boxes, box)
		}
		// Those that no later frame asks for; the others say how it moves.
		for len(all) > 2 && all[1].frame <= now && all[1].frame < all[len(all)-1].frame-f.frames {
			all = all[1:]
		}
		f.seen[number] = all
	}
	return boxes
}

// at is where the face of these sightings is in a frame; empty if they are too
// far away.
func (f *Filler) at(all []sighting, now int) image.Rectangle {
	after := slices.IndexFunc(all, func(s sighting) bool { return s.frame > now })
	switch {
	case after == 0: // not found yet
		first := all[0]
		if first.frame-now > f.frames {
			return image.Rectangle{}
		}
		other := first
		for _, s := range all {
			if s.frame <= first.frame+f.frames {
				other = s
			}
		}
		return f.beyond(first, other, now)
	case after < 0: // not found again
		last := all[len(all)-1]
		if last.frame == now {
			return last.box
		}
		other := all[slices.IndexFunc(all, func(s sighting) bool { return s.frame >= last.frame-f.frames })]
		return f.beyond(last, other, now)
	}
	a, b := all[after-1], all[after]
	if a.frame == now {
		return a.box
	}
	return grown(between(a, b, now), min(now-a.frame, b.frame-now))
}

// beyond is where a face is before its first or after its last sighting: where
// it was seen, where it would be if it had moved as it did next to it, and
// everything in between.
func (f *Filler) beyond(edge, other sighting, now int) image.Rectangle {
	box := edge.box
	if edge.frame != other.frame {
		box = box.Union(between(edge, other, now))
	}
	return grown(box, max(now-edge.frame, edge.frame-now))
}

// between is on the straight line through two sightings. Beyond them the box
// moves, but keeps its size.
func between(a, b sighting, now int) image.Rectangle {
	n, d := now-a.frame, b.frame-a.frame
	if n*d < 0 { // before a, as seen from b
		move := func(p, q int) int { return (q - p) * n / d }
		return a.box.Add(image.Pt(
			move(a.box.Min.X+a.box.Max.X, b.box.Min.X+b.box.Max.X)/2,
			move(a.box.Min.Y+a.box.Max.Y, b.box.Min.Y+b.box.Max.Y)/2,
		))
	}
	on := func(p, q int) int { return p + (q-p)*n/d }
	return image.Rect(on(a.box.Min.X, b.box.Min.X), on(a.box.Min.Y, b.box.Min.Y),
		on(a.box.Max.X, b.box.Max.X), on(a.box.Max.Y, b.box.Max.Y))
}

// grown adds a fiftieth of the box on each side for each frame between it and
// a detection, and at most a quarter.
func grown(box image.Rectangle, frames int) image.Rectangle {
	k := min(frames, 12)
	return image.Rect(box.Min.X-k*box.Dx()/50, box.Min.Y-k*box.Dy()/50, box.Max.X+k*box.Dx()/50, box.Max.Y+k*box.Dy()/50)
}
