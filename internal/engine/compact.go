package engine

import (
	"math/bits"

	"haarlem/cascade"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/kernel/sumtable"
	"haarlem/internal/program"
)

// Survivors are few and seldom neighbours. From about the tenth weak classifier on,
// most lanes of a group idle. So survivors are compacted at some exits, the stops of
// the plan: they wait until there are 16, from anywhere in the band. The 16 are copied
// into a table of their own, where the same corner of all of them is side by side, and
// are evaluated together up to the next stop. Copying a window takes as long as 10 to
// 15 records of a group, and survivors have many more before them.

// A batch of copied windows is as wide as a group.
var _ [sumtable.Windows]struct{} = [lanes.Width]struct{}{}

// A compactor collects survivors and evaluates them 16 at a time.
type compactor struct {
	*judge
	c      *cascade.Cascade
	prog   *program.Program // for copied windows
	stops  []int            // see plan
	table  []uint16
	blocks []sumtable.Block
	queues []queue // one for windows from the first weak classifier on, then one for each stop
}

// A queue is windows that wait at a stop.
type queue struct {
	n       int
	waiting [lanes.Width]window
	group   [1]lanes.Group
	again   [1]lanes.Group
	inv     [lanes.Width]float32
}

// newCompactor returns nil for a plan without stops.
func newCompactor(c *cascade.Cascade, p *plan, j *judge) *compactor {
	if p.stops == nil {
		return nil
	}
	perPhase := c.Width/sumtable.Columns + 1
	return &compactor{
		judge: j, c: c, prog: p.compact, stops: p.stops,
		table:  make([]uint16, (c.Height+1)*(c.Width+1)*lanes.Width),
		blocks: make([]sumtable.Block, 0, p.maxStep()*perPhase),
		queues: make([]queue, 1+len(p.stops)),
	}
}

// first returns the number of exits up to the first stop.
func (p *compactor) first() int { return p.stops[0] }

// wait queues the survivors of groups at the first stop. at, i and position are those
// of the strip's first window, in the tables, in pass and inv, and in the level.
func (p *compactor) wait(b *band, groups []lanes.Group, at, i int, inv []float32, position uint64) {
	for k := range groups {
		g := &groups[k]
		for m := g.Alive; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			n := int(g.I) + l
			w := p.place(1)
			w.at, w.position, w.right, w.i, w.inv, w.score = at+int(g.X)+l, b.offset(position, n), 0, i+n, inv[n], g.Score[l]
			if p.survives(b, p.stops[0], w) {
				p.placed(b, 1)
			}
		}
	}
}

// halt queues a window at a stop.
func (p *compactor) halt(b *band, stop int, w *window) {
	if p.survives(b, p.stops[stop], w) {
		p.queue(b, 1+stop, w)
	}
}

// queue adds a window to a queue, and evaluates a queue that is full.
func (p *compactor) queue(b *band, number int, w *window) {
	*p.place(number) = *w
	p.placed(b, number)
}

// place returns the next place of a queue, which a window is written to before placed.
// So no window is copied that has just been written.
func (p *compactor) place(number int) *window {
	q := &p.queues[number]
	return &q.waiting[q.n]
}

// placed adds the window in the next place to a queue, and evaluates a queue that is full.
func (p *compactor) placed(b *band, number int) {
	q := &p.queues[number]
	q.n++
	if q.n == len(q.waiting) {
		p.resume(b, number)
	}
}

// survives records for probes that a window of the grid has passed a number of exits.
// It reports false if the exact evaluator rejects the window.
func (p *compactor) survives(b *band, exits int, w *window) bool {
	if len(b.probes) == 0 || w.i < 0 {
		return true // no probe
	}
	sure := b.prog.Certain
	for _, a := range b.probes {
		if a.exits != exits {
			continue
		}
		if !sure {
			if sure = p.passes(b, w.at, w.inv, exits); !sure {
				return false
			}
		}
		a.survived(w.i, 1<<(w.i%program.StripWidth))
	}
	return true
}

// flush evaluates all queues, before the band's tables change.
func (p *compactor) flush(b *band) {
	for number := range p.queues {
		p.resume(b, number)
	}
}

// drop empties all queues.
func (p *compactor) drop() {
	for i := range p.queues {
		p.queues[i].n = 0
	}
}

// resume evaluates the windows of a queue up to the next stop, or to the end.
func (p *compactor) resume(b *band, number int) {
	q := &p.queues[number]
	if q.n == 0 {
		return
	}
	windows := q.waiting[:q.n]
	q.n = 0
	if p.err != nil {
		return
	}
	p.spend((p.c.Width + 1) * (p.c.Height + 1))
	p.gather(&b.lay, windows)
	g := &q.group[0]
	for l := range windows {
		q.inv[l], g.Score[l] = windows[l].inv, windows[l].score
	}
	g.Alive = 1<<len(windows) - 1
	from, to, last := 0, len(p.prog.Segments), number == len(p.stops)
	if number > 0 {
		from = p.prog.Ends[p.stops[number-1]-1]
	}
	if !last {
		to = p.prog.Ends[p.stops[number]-1]
	}
	p.lanes(p.prog, q.group[:], from, to, p.table, 0, q.inv[:])
	var sure uint32
	if last {
		sure = p.sure(b, q)
	}
	for m := g.Alive; m != 0 && p.err == nil; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		w := &windows[l]
		w.score = g.Score[l]
		if last {
			p.arrive(b, w, sure>>l&1 != 0)
		} else {
			p.halt(b, number, w)
		}
	}
}

// sure returns which windows of a queue, of those that survived to the end, certainly
// pass. In lanes that takes less than the exact evaluation of a single one.
func (p *compactor) sure(b *band, q *queue) uint32 {
	alive := q.group[0].Alive
	if alive == 0 || p.prog.Certain {
		return alive
	}
	q.again[0] = lanes.Group{Alive: alive, Score: b.fresh.Score}
	p.spend(p.prog.UpTo[len(p.prog.Segments)])
	p.prog.Sure(&p.scratch, q.again[:], p.table, 0, q.inv[:])
	return q.again[0].Alive
}

// arrive decides a window that survived to the end. sure says that it passes.
func (p *compactor) arrive(b *band, w *window, sure bool) {
	switch prog := b.programOf(w); {
	case !p.survives(b, p.exits, w):
	case prog.Certain || !sure:
		p.decide(prog, w.at, w.inv, w.score, true, w.position)
	default:
		p.spend(prog.Cost)
		p.results.found(hit{w.position, prog.Last(p.tables.tab[w.at:], w.inv, b.level.start)})
	}
}

// gather copies windows into the compactor's table.
func (p *compactor) gather(lay *program.Layout, windows []window) {
	columns := p.c.Width + 1
	p.blocks = p.blocks[:0]
	for phase := range lay.Step {
		n := (columns - phase + lay.Step - 1) / lay.Step
		for i := 0; i < n; i += sumtable.Columns {
			x := phase + min(i, n-sumtable.Columns)*lay.Step
			b := sumtable.Block{To: int32(x * lanes.Width)}
			places := [2]int32{lay.At(int32(x), 0), lay.At(int32(x+1), 0)}
			for l := range b.At {
				w := &windows[min(l, len(windows)-1)] // lanes without a window copy the last one
				b.At[l] = int32(w.at) + places[w.right]
			}
			p.blocks = append(p.blocks, b)
		}
	}
	sumtable.Together(p.table, p.tables.tab, p.blocks, p.c.Height+1, lay.Stride, columns*lanes.Width, lay.Step*lanes.Width)
}
