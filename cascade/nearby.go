package cascade

import (
	"math/bits"
	"slices"

	"haarlem/internal/kernel/contrast"
	"haarlem/internal/kernel/lanes"
)

// Where windows stand two pixels apart, an object may lie between them. So near
// a window that came far the scan looks at others, off the grid: one pixel to
// the left and to the right of it, past the cascade's first Nearby exits, and in
// the rows above and below, past the first Around. That finds much of what a
// search of all windows finds, for a few windows more.

// A nearby holds what a scanner needs to look at windows off the grid.
type nearby struct {
	beside, around, between ask

	asks []*ask          // those of them that are asked, in the order of their exits
	all  []*ask          // those of them that are asked on levels of any step
	seen map[uint64]bool // windows that are counted, see cost
}

// An ask is which of the band's windows passed so many exits.
type ask struct {
	exits int // 0: nobody asks
	words int // of a row
	far   []uint64
	some  []bool // per row: whether any window did
}

// newNearby allocates it for rows of so many windows, rounded up to strips.
func (d *Detector) newNearby(rows, perRow int) *nearby {
	n := &nearby{beside: ask{exits: d.o.Nearby}, around: ask{exits: d.o.Around}, between: ask{exits: d.o.Between}}
	for _, a := range []*ask{&n.beside, &n.around, &n.between} {
		if a.exits > 0 {
			a.words = perRow / stripWidth
			a.far, a.some = make([]uint64, rows*a.words), make([]bool, rows)
			n.asks = append(n.asks, a)
		}
	}
	if n.between.exits > 0 {
		n.all = []*ask{&n.between}
	}
	slices.SortFunc(n.asks, func(a, b *ask) int { return a.exits - b.exits })
	return n
}

// of returns who asks about windows of a level.
func (n *nearby) of(l *level) []*ask {
	switch {
	case n == nil:
		return nil
	case l.step == 2:
		return n.asks
	}
	return n.all
}

// forget makes room for another band.
func (a *ask) forget() {
	clear(a.far)
	clear(a.some)
}

// came notes windows of a strip that came far; i is where the strip stands in
// pass and inv, or any window of it.
func (a *ask) came(i int, far uint64) {
	i /= stripWidth
	a.far[i] |= far
	a.some[i/a.words] = true
}

// in returns the windows of strip w in row r of the band that came far. There
// are none outside the band.
func (a *ask) in(r, w int) uint64 {
	if r < 0 || r >= len(a.some) || w == a.words {
		return 0
	}
	return a.far[r*a.words+w]
}

// any reports whether windows of row r of the band came far.
func (a *ask) any(r int) bool { return r >= 0 && r < len(a.some) && a.some[r] }

// margin is how many table rows before a band's first window, and behind its
// last one, those off the grid need.
func (n *nearby) margin() int {
	if n.around.exits > 0 {
		return 1
	}
	return 0
}

// lookNearby visits the windows near those of the rows from to to-1 that came
// far.
func (s *scanner) lookNearby(b *band, level, from, to int) {
	for r := range to - from {
		s.lookBeside(b, level, (from+r)*b.step, &s.near.beside, r, r)
	}
	// Of a row between two bands, or two pieces of work, each looks at what its
	// own windows ask for.
	for r := -1; r < to-from; r++ {
		if y := (from+r)*b.step + 1; y > 0 && y < b.places.Y {
			s.lookBeside(b, level, y, &s.near.around, r, r+1)
		}
	}
}

// lookBeside visits those windows of pixel row y that stand one pixel to the
// left or to the right of windows that came far in the rows r or q of the
// band. If these are not the same, y lies between them, and it visits those of
// the same columns too.
func (s *scanner) lookBeside(b *band, level, y int, a *ask, r, q int) {
	if !a.any(r) && !a.any(q) {
		return
	}
	for w := range a.words {
		if s.err != nil {
			return
		}
		far := a.in(r, w) | a.in(q, w)
		next := a.in(r, w+1) | a.in(q, w+1)
		// Bit i is for the window to the right of the grid's window i.
		for m := far | far>>1 | next<<(stripWidth-1); m != 0; m &= m - 1 {
			if x := 2*(w*stripWidth+bits.TrailingZeros64(m)) + 1; x < b.places.X {
				s.lookAt(b, level, x, y)
			}
		}
		if r != q {
			for m := far; m != 0; m &= m - 1 {
				s.lookAt(b, level, 2*(w*stripWidth+bits.TrailingZeros64(m)), y)
			}
		}
	}
}

// lookAt takes a window off the grid, or of a level between, through the whole
// cascade.
func (s *scanner) lookAt(b *band, level, x, y int) {
	left := x - b.left
	w := waiting{at: b.base + (y-b.top)*b.lay.stride + left/b.lay.step, right: left % b.lay.step, place: b.at(level, x, y), i: -1, score: b.fresh.Score[0]}
	if s.cost != nil {
		if s.near.seen[w.place] {
			return // by another band
		}
		s.near.seen[w.place] = true
		s.cost.Windows++
	}
	if s.err != nil {
		return
	}
	if c := s.d.c; c.Kind == Haar {
		s.spend((c.Width - 2) * (c.Height - 2) / 16)
		var ok bool
		if w.inv, ok = s.d.gate.One(contrast.Area(s.pixels(b, y+1)[left+1:], s.plan.pixStride, c.Width-2, c.Height-2)); !ok {
			return
		}
	}
	prog := b.of(&w)
	switch {
	case s.cost != nil:
		s.tally(b, prog, w.at, w.inv)
	case s.packs != nil:
		s.queue(b, 0, &w)
	default:
		s.spend(prog.cost)
		if prog.One(s.tab, w.at, w.inv, 0, len(prog.Segments), w.score) {
			s.judge(prog, w.at, w.inv, 0, false, w.place)
		}
	}
}

// of returns the program for a window.
func (b *band) of(w *waiting) *program {
	if w.right > 0 {
		return b.beside
	}
	return b.prog
}

// farAlong takes groups from segment begun on up to an ask's exit, notes which
// windows came so far, and reports whether any did. at and i are as for rest.
func (s *scanner) farAlong(b *band, a *ask, groups []lanes.Group, begun, at, i int, inv []float32) bool {
	prog := b.prog
	end := prog.ends[a.exits-1]
	if !s.d.solo {
		s.lanes(prog, groups, begun, end, s.tab, at, inv)
	}
	var any uint32
	for k := range groups {
		g := &groups[k]
		for m := g.Alive; m != 0; m &= m - 1 {
			if s.spend(prog.cost); s.err != nil {
				return false
			}
			l := bits.TrailingZeros32(m)
			x, n := int(g.X)+l, int(g.I)+l
			ok := !s.d.solo || prog.One(s.tab, at+x, inv[n], 0, end, b.fresh.Score[l])
			if ok && !prog.certain {
				_, ok = prog.exactUpTo(s.tab[at+x:], inv[n], b.level.start, a.exits)
			}
			if !ok {
				g.Alive &^= 1 << l
			}
		}
		if any |= g.Alive; g.Alive != 0 {
			a.came(i+int(g.I), uint64(g.Alive)<<(g.I%stripWidth))
		}
	}
	return any != 0
}
