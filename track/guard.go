package track

import (
	"fmt"
	"image"
	"slices"
	"time"

	"haarlem/cascade/detector"
)

// GuardOptions says what a guard hides. A nil *GuardOptions and the zero value mean
// every field's default.
type GuardOptions struct {
	// Strong is the score from which a detection is certainly a face. 0 means that all
	// are.
	Strong float64

	// Hold hides a face that is certain until it, or another one in its place, is
	// found again, or the shot changes; and before it was first found in the same way.
	// A track is certain that was followed for a second. One that was there for less,
	// as false positives are, is held ten times as long as it was there, and two
	// seconds at least.
	Hold bool

	// Delay is how many frames are seen before the first is answered for. What comes
	// later than that does not count. 0 means all: answers come when there are no more
	// frames.
	Delay int

	// Bounds is the picture.
	Bounds image.Rectangle
}

// Why a region is hidden.
const (
	Found  = "found"  // a face was found there in this frame
	Filled = "filled" // one was found there shortly before or after
	Held   = "held"   // one was found there before or after, and where it is now is not known
)

// A Region is a part of a frame to hide.
type Region struct {
	Box    image.Rectangle
	Number int     // of the track; 0 if it has none yet
	Why    string  // Found, Filled or Held
	Score  float64 // of the nearest detection
}

// A Guard says for each frame what to hide so that no face is seen in any: it keeps every
// detection, links them into tracks, and interpolates gaps. A region grows with the time to the nearest detection, since a face moves
// meanwhile. What is unsure is hidden.
//
// It is used by one goroutine at a time.
type Guard struct {
	o        GuardOptions
	tracker  *Tracker
	base     int // numbers of tracks of the shots before
	times    []time.Duration
	first    int   // frame of times[0]
	shots    []int // first frame of each shot, the newest last
	tracks   []*guarded
	byState  map[*state]*guarded
	byNumber map[int]*guarded
	out      int // the frame that is answered next
	next     int // the frame that Add is given next
}

// guarded is what is known of a track.
type guarded struct {
	number int // 0: none yet
	shot   int // the first frame of its shot
	seen   []sighting
	hits   int
	best   float64
	begin  sighting      // the first of all
	from   time.Duration // of begin
	to     time.Duration // of the last sighting
}

// A sighting is where a face was found in a frame.
type sighting struct {
	frame int
	box   image.Rectangle
}

// fill is how long a face is hidden before it is first found and after it is last found,
// whatever it is.
const fill = time.Second / 2

// certainHits is how many detections a track needs, one of them strong, to be held.
const certainHits = 3

// What was followed for long enough is held as long as it takes, if it was found in a
// quarter of the frames or more; what was not, is released.
const (
	certainTime = time.Second
	briefHold   = 2 * time.Second
	briefTimes  = 10
)

// NewGuard returns a guard without frames.
func NewGuard(o *GuardOptions) (*Guard, error) {
	g := &Guard{byState: map[*state]*guarded{}, byNumber: map[int]*guarded{}}
	if o != nil {
		g.o = *o
	}
	if g.o.Delay < 0 || !(g.o.Strong >= 0) {
		return nil, fmt.Errorf("%w: Delay %d, Strong %v, want none negative", ErrOptions, g.o.Delay, g.o.Strong)
	}
	return g, g.cut()
}

// cut begins a shot.
func (g *Guard) cut() error {
	if g.tracker != nil {
		g.base += g.tracker.Count()
	}
	var err error
	g.tracker, err = New(&Options{Hits: 1, Misses: 12, Patience: 12, Bounds: g.o.Bounds})
	clear(g.byState)
	g.shots = append(g.shots, g.next)
	return err
}

// Add takes in what was found in the next frame, and whether it begins a new shot.
// Descriptors may be nil. It answers for the frame that came Delay frames before; ok is
// false as long as there is none.
func (g *Guard) Add(at time.Duration, found []detector.Detection, looks []*Descriptor, newShot bool) (regions []Region, ok bool) {
	if newShot && g.next > 0 {
		_ = g.cut() // the options were good before
	}
	for k, owner := range g.tracker.update(at, found, looks) {
		if owner == nil { // without pixels
			continue
		}
		t := g.byState[owner]
		if t == nil {
			t = &guarded{shot: g.shots[len(g.shots)-1], begin: sighting{g.next, found[k].Box}, from: at}
			g.byState[owner] = t
			g.tracks = append(g.tracks, t)
		}
		t.seen = append(t.seen, sighting{g.next, found[k].Box})
		t.hits++
		t.to = at
		t.best = max(t.best, found[k].Score)
		if owner.Number > 0 && t.number == 0 {
			g.number(owner, t)
		}
	}
	g.times = append(g.times, at)
	g.next++
	if g.o.Delay == 0 || g.next-g.out <= g.o.Delay {
		return nil, false
	}
	return g.Rest()
}

// number gives a track its number. If another has it, they are one face, which was lost
// for a while.
func (g *Guard) number(owner *state, t *guarded) {
	number := owner.Number + g.base
	before := g.byNumber[number]
	if before == nil {
		t.number = number
		g.byNumber[number] = t
		return
	}
	before.seen = append(before.seen, t.seen...)
	before.hits += t.hits
	before.to = t.to
	before.best = max(before.best, t.best)
	g.byState[owner] = before
	g.tracks = slices.DeleteFunc(g.tracks, func(o *guarded) bool { return o == t })
}

// Rest answers for a frame that is left when no more are added. ok is false when there is
// none.
func (g *Guard) Rest() (regions []Region, ok bool) {
	if g.out == g.next {
		return nil, false
	}
	now := g.out
	shot, end := g.shot(now)
	for _, t := range g.tracks {
		if t.shot == shot {
			if r, ok := g.region(t, now); ok {
				regions = append(regions, r)
			}
		}
	}
	g.out++
	if g.o.Delay > 0 {
		g.forget(shot, end)
	}
	return regions, true
}

// shot is that of a frame: its first frame, and the first behind it.
func (g *Guard) shot(frame int) (from, to int) {
	i, there := slices.BinarySearch(g.shots, frame)
	if !there {
		i--
	}
	to = g.next
	if i+1 < len(g.shots) {
		to = g.shots[i+1]
	}
	return g.shots[i], to
}

func (g *Guard) time(frame int) time.Duration { return g.times[max(frame-g.first, 0)] }

// forget drops what no later frame asks for, of a stream that may have no end.
func (g *Guard) forget(shot, end int) {
	g.tracks = slices.DeleteFunc(g.tracks, func(t *guarded) bool {
		last := t.seen[len(t.seen)-1]
		over := t.shot < shot || t.shot == shot && g.out >= end ||
			last.frame < g.out && (g.replaced(t, g.out) || !g.held(t, g.time(g.out-1)-t.to) && g.time(g.out-1)-g.time(last.frame) > fill)
		if over {
			delete(g.byNumber, t.number)
			return true
		}
		for len(t.seen) > 2 && t.seen[1].frame < g.out-g.o.Delay {
			t.seen = t.seen[1:]
		}
		return false
	})
	for owner, t := range g.byState {
		if t.seen[len(t.seen)-1].frame < g.out && !slices.Contains(g.tracks, t) {
			delete(g.byState, owner)
		}
	}
	for len(g.shots) > 1 && g.shots[1] <= g.out {
		g.shots = g.shots[1:]
	}
	// Times of frames that some track was last seen in stay.
	keep := g.out - 1
	for _, t := range g.tracks {
		keep = min(keep, t.seen[0].frame)
	}
	if n := keep - g.first; n > 1024 {
		g.times = slices.Clone(g.times[n:])
		g.first += n
	}
}

// held tells whether a track is of something that is certain enough to be hidden for so
// long after it was last found, or before it first was.
func (g *Guard) held(t *guarded, away time.Duration) bool {
	if !g.o.Hold || t.hits < certainHits || t.best < g.o.Strong {
		return false
	}
	there := t.to - t.from
	dense := 4*t.hits >= t.seen[len(t.seen)-1].frame-t.begin.frame
	return there >= certainTime && dense || away <= max(briefHold, briefTimes*there)
}

// region is where the face of a track may be in a frame of its shot.
func (g *Guard) region(t *guarded, now int) (Region, bool) {
	r := Region{Number: t.number, Why: Filled, Score: t.best}
	i, there := slices.BinarySearchFunc(t.seen, now, func(s sighting, frame int) int { return s.frame - frame })
	if there {
		r.Box, r.Why = t.seen[i].box, Found
		if g.o.Hold { // a detection may be beside the face, the next one is better
			for _, k := range []int{i - 1, i + 1} {
				if k >= 0 && k < len(t.seen) && absolute(t.seen[k].frame-now) <= straight {
					r.Box = r.Box.Union(t.seen[k].box)
				}
			}
		}
		return r, true
	}
	at := g.time(now)
	switch {
	case i == 0 || i == len(t.seen):
		edge, inwards := 0, 1 // not found yet
		if i > 0 {
			edge, inwards = i-1, -1 // not found again
		}
		away := absolute(g.time(t.seen[edge].frame) - at)
		if away > fill {
			if !g.held(t, away) || g.replaced(t, now) {
				return r, false
			}
			r.Why = Held
		}
		r.Box = g.beyond(t.seen[edge], g.near(t.seen, edge, inwards), now, away)
	default:
		a, b := t.seen[i-1], t.seen[i]
		away := min(at-g.time(a.frame), g.time(b.frame)-at)
		if away > fill {
			r.Why = Held
		}
		r.Box = g.grownBy(between(a, b, now), away)
		if g.o.Hold && b.frame-a.frame > straight { // it may have gone on, and come back
			r.Box = r.Box.Union(g.beyond(a, g.near(t.seen, i-1, -1), now, at-g.time(a.frame)))
			r.Box = r.Box.Union(g.beyond(b, g.near(t.seen, i, 1), now, g.time(b.frame)-at))
		}
	}
	if !g.o.Bounds.Empty() {
		r.Box = r.Box.Intersect(g.o.Bounds)
	}
	return r, !r.Box.Empty()
}

// near is a sighting some frames before (-1) or behind (1) another, which says how the
// face moves there.
func (g *Guard) near(seen []sighting, edge, step int) sighting {
	other := seen[edge]
	for i := edge + step; i >= 0 && i < len(seen) && absolute(i-edge) < 8; i += step {
		if absolute(g.time(seen[i].frame)-g.time(seen[edge].frame)) > fill {
			break
		}
		other = seen[i]
	}
	return other
}

func absolute[T ~int | ~int64](d T) T { return max(d, -d) }

// beyond is where a face may be before its first or behind its last sighting: where it
// was seen, where it would be if it had moved on for a while, and around both.
func (g *Guard) beyond(edge, other sighting, now int, away time.Duration) image.Rectangle {
	box := g.grownBy(edge.box, away)
	if edge.frame != other.frame {
		// A velocity says nothing about a face that has been gone for long.
		until := edge.frame
		step := 1
		if now < edge.frame {
			step = -1
		}
		for f := edge.frame + step; f != now+step && absolute(g.time(f)-g.time(edge.frame)) <= fill; f += step {
			until = f
		}
		box = box.Union(g.grownBy(between(edge, other, until), away))
	}
	return box
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

// How fast a region grows on each side, and how far, in widths of the box.
const (
	growSpeed = 0.5  // a second
	holdSpeed = 0.75 // to be safe
	growMax   = 1.0
	growMin   = 0.1 // at once, to be safe

	straight = 4 // frames of a gap in which a face moves straight
)

// grownBy is a box around what may have moved for a time.
func (g *Guard) grownBy(b image.Rectangle, away time.Duration) image.Rectangle {
	speed := growSpeed
	if g.o.Hold {
		speed = holdSpeed
	}
	share := min(growMax, float64(speed*away.Seconds()))
	if g.o.Hold {
		share = max(share, growMin)
	}
	dx, dy := int(share*float64(b.Dx())+0.5), int(share*float64(b.Dy())+0.5)
	return image.Rect(b.Min.X-dx, b.Min.Y-dy, b.Max.X+dx, b.Max.Y+dy)
}

// replaced tells whether, since a track was last seen, a face has appeared where it is
// thought to be: that one is it. Before it was first seen, it is the same backwards.
func (g *Guard) replaced(t *guarded, now int) bool {
	return slices.ContainsFunc(g.tracks, func(o *guarded) bool {
		edge, other := t.seen[len(t.seen)-1], o.begin
		if now < t.begin.frame {
			edge, other = t.begin, o.seen[len(o.seen)-1]
		}
		if o == t || o.shot != t.shot || !g.certain(o) || other.frame == edge.frame ||
			other.frame < min(edge.frame, now) || other.frame > max(edge.frame, now) {
			return false
		}
		place := g.grownBy(edge.box, absolute(g.time(other.frame)-g.time(edge.frame)))
		return middleOf(other.box).In(place)
	})
}

// certain tells whether a track may take the place of another.
func (g *Guard) certain(t *guarded) bool { return t.hits >= certainHits && t.best >= g.o.Strong }

func middleOf(b image.Rectangle) image.Point {
	return image.Pt((b.Min.X+b.Max.X)/2, (b.Min.Y+b.Max.Y)/2)
}

// A Scene tells where shots change. The zero value is ready.
type Scene struct{ before []byte }

// sceneSide is that of the small pictures which are compared.
const sceneSide = 16

// Thumbnail is the small grey picture of a frame that [Scene.Cut] compares.
func Thumbnail(pix []byte, stride, width, height int) []byte {
	out := make([]byte, sceneSide*sceneSide)
	for j := range sceneSide {
		for i := range sceneSide {
			x0, x1 := i*width/sceneSide, max((i+1)*width/sceneSide, i*width/sceneSide+1)
			y0, y1 := j*height/sceneSide, max((j+1)*height/sceneSide, j*height/sceneSide+1)
			sum, n := 0, 0
			for y := y0; y < min(y1, height); y += max(1, (y1-y0)/8) {
				for x := x0; x < min(x1, width); x += max(1, (x1-x0)/8) {
					sum, n = sum+int(pix[y*stride+x]), n+1
				}
			}
			out[j*sceneSide+i] = byte(sum / max(n, 1))
		}
	}
	return out
}

// How unlike two frames of different shots are. What is less unlike counts as one shot:
// a face is hidden for too long rather than for too short a time.
const (
	cutDifference  = 24  // mean, in grey levels
	cutCorrelation = 0.4 // maximum
)

// Cut takes the next frame's thumbnail, and tells whether it begins a new shot.
func (s *Scene) Cut(thumbnail []byte) bool {
	before := s.before
	s.before = thumbnail
	if before == nil {
		return false
	}
	var difference, sa, sb, n int64
	for i, a := range before {
		b := thumbnail[i]
		difference += int64(max(a, b) - min(a, b))
		sa, sb, n = sa+int64(a), sb+int64(b), n+1
	}
	if difference < cutDifference*n {
		return false
	}
	var ab, aa, bb int64
	for i := range before {
		a, b := n*int64(before[i])-sa, n*int64(thumbnail[i])-sb
		ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
	}
	// ab / sqrt(aa*bb) < cutCorrelation, without a root.
	return ab <= 0 || float64(ab)*float64(ab) < float64(cutCorrelation*cutCorrelation*float64(aa))*float64(bb)
}
