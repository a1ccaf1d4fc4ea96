package cascade

import (
	"math/bits"

	"haarlem/internal/kernel/lanes"
	"haarlem/internal/kernel/sumtable"
)

// Windows that come far are few, and seldom neighbours: from the tenth weak
// learner or so on, most of a group's lanes idle. So at some exits, the plan's
// stops, lanes halt, and what is left of their windows waits until there are
// sixteen, from anywhere in the band. These are copied into a table of their
// own, where the same corner of all of them stands side by side, and go on
// together to the next stop. A copy takes a window as long as ten to fifteen
// records take a group, and what is left by then has far to go.

// defaultStops says behind how many weak learners lanes halt, for windows of
// 24x24 pixels; copies of larger ones take longer. More stops, or somewhat other
// ones, change the time by a hundredth or two.
var defaultStops = []int{64, 200}

// defaultPoints is how many corners those windows have.
const defaultPoints = 25 * 25

// A pack is as wide as a group.
var _ [sumtable.Windows]struct{} = [lanes.Width]struct{}{}

// A packer holds what a scanner needs to let windows go on in packs.
type packer struct {
	table  []uint16
	blocks []sumtable.Block
	queues []queue // the first for windows that begin in packs, then one for each stop
}

// A queue is the windows that wait at a stop.
type queue struct {
	n       int
	waiting [lanes.Width]waiting
	group   [1]lanes.Group
	inv     [lanes.Width]float32
}

// A waiting is a window that waits.
type waiting struct {
	at    int    // in the table
	place uint64 // as in hit
	right int    // pixels that it stands to the right of the grid
	i     int    // in pass, of the grid's windows; -1: it stands off the grid
	inv   float32
	score int32
}

// stops returns where lanes halt: how many exits there are before each stop, in
// the order in which lanes look at them. What Nearby, Around and Between ask for
// are among them, if others come before. There are none where packs are not worth
// it, or cannot be made.
func (d *Detector) stops(p *plan, order []int) []int {
	if !sumtable.FastTogether() || d.c.tilted() || len(p.layouts) == 0 || (d.c.Width+1)/p.maxStep() < sumtable.Columns {
		return nil
	}
	points := (d.c.Width + 1) * (d.c.Height + 1)
	after, weak := d.stopsAfter, 0
	var stops []int
	for n := range len(d.c.Exits) - 1 {
		e := n
		if order != nil {
			e = order[n]
		}
		weak += d.c.Exits[e].After
		if e > 0 {
			weak -= d.c.Exits[e-1].After
		}
		due := (n+1 == d.o.Nearby || n+1 == d.o.Around || n+1 == d.o.Between) && len(stops) > 0
		for len(after) > 0 && weak*defaultPoints >= after[0]*points {
			after, due = after[1:], true
		}
		if due {
			stops = append(stops, n+1)
		}
	}
	return stops
}

// packedLayout is how a pack's table lies: a window's columns one behind the
// other, of sixteen lanes each.
func packedLayout(c *Cascade) layout {
	return layout{step: c.Width + 1, plane: lanes.Width, stride: (c.Width + 1) * lanes.Width}
}

// newPacker allocates a packer for a plan.
func newPacker(p *plan, c *Cascade) *packer {
	perPhase := c.Width/sumtable.Columns + 1
	return &packer{
		table:  make([]uint16, (c.Height+1)*(c.Width+1)*lanes.Width),
		blocks: make([]sumtable.Block, 0, p.maxStep()*perPhase),
		queues: make([]queue, 1+len(p.stops)),
	}
}

// gather copies windows into the pack's table.
func (p *packer) gather(tab []uint16, lay *layout, c *Cascade, windows []waiting) {
	columns := c.Width + 1
	p.blocks = p.blocks[:0]
	for phase := range lay.step {
		n := (columns - phase + lay.step - 1) / lay.step
		for i := 0; i < n; i += sumtable.Columns {
			x := phase + min(i, n-sumtable.Columns)*lay.step
			b := sumtable.Block{To: int32(x * lanes.Width)}
			places := [2]int32{lay.at(int32(x), 0), lay.at(int32(x+1), 0)}
			for l := range b.At {
				w := &windows[min(l, len(windows)-1)] // lanes without a window look at one, too
				b.At[l] = int32(w.at) + places[w.right]
			}
			p.blocks = append(p.blocks, b)
		}
	}
	sumtable.Together(p.table, tab, p.blocks, c.Height+1, lay.stride, columns*lanes.Width, lay.step*lanes.Width)
}

// wait lets what lanes have left alive of groups wait at the first stop. at, i
// and place are as for rest.
func (s *scanner) wait(b *band, groups []lanes.Group, at, i int, inv []float32, place uint64) {
	for k := range groups {
		g := &groups[k]
		for m := g.Alive; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			n := int(g.I) + l
			s.halt(b, 0, &waiting{at + int(g.X) + l, s.place(b, place, n), 0, i + n, inv[n], g.Score[l]})
		}
	}
}

// halt lets a window wait at a stop.
func (s *scanner) halt(b *band, stop int, w *waiting) {
	if s.farAt(b, s.plan.stops[stop], w) {
		s.queue(b, 1+stop, w)
	}
}

// queue lets a window wait in the queue of that number.
func (s *scanner) queue(b *band, number int, w *waiting) {
	q := &s.packs.queues[number]
	q.waiting[q.n] = *w
	q.n++
	if q.n == len(q.waiting) {
		s.goOn(b, number)
	}
}

// farAt notes that a window of the grid has passed so many exits, if that is
// asked, so that those near it are looked at. It reports false if the window
// has not, for certain.
func (s *scanner) farAt(b *band, exits int, w *waiting) bool {
	if len(b.asks) == 0 || w.i < 0 {
		return true // nobody asks
	}
	sure := b.prog.certain
	for _, a := range b.asks {
		if a.exits != exits {
			continue
		}
		if !sure {
			s.spend(b.prog.cost)
			if _, sure = b.prog.exactUpTo(s.tab[w.at:], w.inv, b.level.start, exits); !sure {
				return false
			}
		}
		a.came(w.i, 1<<(w.i%stripWidth))
	}
	return true
}

// flush takes on what waits, before the band with its table is gone.
func (s *scanner) flush(b *band) {
	if s.packs == nil {
		return
	}
	for number := range s.packs.queues {
		s.goOn(b, number)
	}
}

// goOn takes the windows of a queue to the next stop, or to the end.
func (s *scanner) goOn(b *band, number int) {
	q := &s.packs.queues[number]
	if q.n == 0 {
		return
	}
	windows := q.waiting[:q.n]
	q.n = 0
	if s.err != nil {
		return
	}
	s.spend((s.d.c.Width + 1) * (s.d.c.Height + 1))
	s.packs.gather(s.tab, b.lay, s.d.c, windows)
	g := &q.group[0]
	for l := range windows {
		q.inv[l], g.Score[l] = windows[l].inv, windows[l].score
	}
	g.Alive = 1<<len(windows) - 1
	prog, stops := s.plan.packed, s.plan.stops
	from, to, last := 0, len(prog.Segments), number == len(stops)
	if number > 0 {
		from = prog.ends[stops[number-1]-1]
	}
	if !last {
		to = prog.ends[stops[number]-1]
	}
	s.lanes(prog, q.group[:], from, to, s.packs.table, 0, q.inv[:])
	for m := g.Alive; m != 0 && s.err == nil; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		w := &windows[l]
		w.score = g.Score[l]
		if last {
			s.arrive(b, w)
		} else {
			s.halt(b, number, w)
		}
	}
}

// arrive has the last word on a window that lanes have left alive to the end.
func (s *scanner) arrive(b *band, w *waiting) {
	if s.farAt(b, len(s.d.c.Exits), w) {
		s.judge(b.of(w), w.at, w.inv, w.score, true, w.place)
	}
}
