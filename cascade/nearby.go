package cascade

import (
	"math/bits"

	"haarlem/internal/kernel/lanes"
	"haarlem/internal/kernel/norm"
)

// Where windows stand two pixels apart, an object may lie between them. Beside
// a window that came far, past the cascade's first Nearby exits, the scan looks
// at the two that stand one pixel to the left and to the right too. That finds
// much of what a search of all windows finds, for a few windows more.

// A nearby holds what a scanner needs to look at windows off the grid.
type nearby struct {
	words int      // of a row
	far   []uint64 // the band's windows that came far, as pass
	some  []bool   // per strip: whether any of its windows did

	// The contrast of the windows beside those of a strip's row.
	columns columns
	inv     []float32
	pass    []uint64
}

// newNearby allocates it for rows of so many windows, rounded up to strips.
func newNearby(c *Cascade, rows, perRow int) *nearby {
	words := perRow / stripWidth
	return &nearby{
		words: words,
		far:   make([]uint64, rows*words),
		some:  make([]bool, words),
		// The pixels under a strip, with the windows beside it.
		columns: newColumns(2*stripWidth + c.Width + 4*norm.Slack),
		inv:     make([]float32, stripWidth+lanes.Width),
		pass:    make([]uint64, 1),
	}
}

// forget makes room for another band.
func (n *nearby) forget() {
	clear(n.far)
	clear(n.some)
}

// came notes windows of a strip that came far; i is where the strip stands in
// pass and inv, or any window of it.
func (n *nearby) came(i int, far uint64) {
	i /= stripWidth
	n.far[i] |= far
	n.some[i%n.words] = true
}

// beside returns the windows beside those that came far, of strip w in row r:
// bit i is for the one to the right of the grid's window i.
func (n *nearby) beside(r, w int) uint64 {
	i := r*n.words + w
	far := n.far[i]
	beside := far | far>>1
	if w+1 < n.words {
		beside |= n.far[i+1] << (stripWidth - 1)
	}
	return beside
}

// lookNearby visits the windows beside those of the rows from to to-1 that came
// far.
func (s *scanner) lookNearby(b *band, level, from, to int) {
	n := s.near
	places := (b.width + 1 - s.d.c.Width) / 2 // right of the grid's windows
	for x := 0; x < places; x += stripWidth {
		w := x / stripWidth
		// The next strip's first window may have the one before it looked at.
		if !n.some[w] && (w+1 == n.words || !n.some[w+1]) {
			continue
		}
		here := min(places-x, stripWidth)
		n.columns.forget(s.d.c.Width, b.step)
		for r := range to - from {
			seen := n.beside(r, w) & (^uint64(0) >> (stripWidth - here))
			if seen == 0 {
				continue
			}
			if s.cost != nil {
				s.cost.Windows += bits.OnesCount64(seen)
			}
			y := (from + r) * b.step
			if s.d.c.Kind == Haar {
				s.sumColumns(&n.columns, b, 2*x+1, y, 2*here+s.d.c.Width-2)
				n.columns.row(n.inv, n.pass, here, b.step, &s.d.gate)
				seen &= n.pass[0]
			}
			if seen != 0 {
				s.visit(b, level, 2*x+1, y, (y-b.top)*b.lay.stride+x, seen)
			}
		}
	}
}

// visit takes windows that stand two pixels apart through the whole cascade.
// The first of their strip is at (x, y) of the level.
func (s *scanner) visit(b *band, level, x, y, at int, alive uint64) {
	n := s.near
	if s.cost != nil {
		for m := alive; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			s.tally(b.beside, at+l, n.inv[l])
		}
		return
	}
	groups, place := s.group(alive), b.at(level, x, y)
	if s.packs != nil {
		b.beside.Run(&s.scratch, groups, 0, b.beside.ends[s.plan.stops[0]-1], s.tab, at, n.inv)
		s.wait(b, groups, at, -1, n.inv, place)
		return
	}
	if !s.d.solo {
		b.beside.Run(&s.scratch, groups, 0, len(b.beside.Segments), s.tab, at, n.inv)
	}
	s.decide(b, b.beside, groups, 0, at, n.inv, place)
}

// farAlong takes groups up to the exit that says which windows came far, and
// returns these as windows of the strip.
func (s *scanner) farAlong(b *band, groups []lanes.Group, at int, inv []float32) uint64 {
	prog, exits := b.prog, s.d.o.Nearby
	end := prog.ends[exits-1]
	if !s.d.solo {
		prog.Run(&s.scratch, groups, 0, end, s.tab, at, inv)
	}
	var far uint64
	for k := range groups {
		g := &groups[k]
		for m := g.Alive; m != 0; m &= m - 1 {
			l := bits.TrailingZeros32(m)
			x := int(g.X) + l
			ok := !s.d.solo || prog.One(s.tab, at+x, inv[x], 0, end, 0)
			if ok && !prog.certain {
				_, ok = prog.exactUpTo(s.tab[at+x:], inv[x], exits)
			}
			if !ok {
				g.Alive &^= 1 << l
			}
		}
		far |= uint64(g.Alive) << g.X
	}
	return far
}
