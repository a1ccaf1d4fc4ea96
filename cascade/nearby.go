package cascade

import (
	"math/bits"

	"haarlem/internal/kernel/lanes"
	"haarlem/internal/kernel/norm"
)

// Where windows stand two pixels apart, an object may lie between them. Around
// a window that came far, past the cascade's first Nearby exits, the scan looks
// at the eight that stand one pixel away too. That finds nearly what a search
// of all windows finds, for a few per cent more windows.

// A nearby holds what a scanner needs to look at windows off the grid.
type nearby struct {
	words int      // of a row
	far   []uint64 // the band's windows that came far; the first row is the last one of the band above
	last  int      // where the band's last row is
	some  []bool   // per strip: whether any of its windows did

	// The contrast of a strip's windows in one row, those on the grid's columns
	// and those beside them.
	row       int // pixel row whose column sums they are; -1: none
	sum, sq   []uint32
	psum, psq []uint32
	inv       [2][]float32
	pass      [2][]uint64
	none      []byte // a row of zeros
}

// newNearby allocates it for rows of so many windows, rounded up to strips.
func newNearby(c *Cascade, rows, perRow int) *nearby {
	// The pixels under a strip, with the windows beside it, and what kernels
	// read and write behind them.
	columns := 2*stripWidth + c.Width + 4*norm.Slack
	words := perRow / stripWidth
	n := &nearby{
		words: words,
		far:   make([]uint64, (rows+2)*words),
		some:  make([]bool, words),
		sum:   make([]uint32, columns), sq: make([]uint32, columns),
		psum: make([]uint32, columns), psq: make([]uint32, columns),
		none: make([]byte, columns),
	}
	for k := range n.inv {
		n.inv[k] = make([]float32, stripWidth+lanes.Width)
		n.pass[k] = make([]uint64, 1)
	}
	return n
}

// begin starts a band of so many rows, which goes on below the last one or
// stands alone.
func (n *nearby) begin(rows int, goesOn bool) {
	above := n.far[:n.words]
	clear(above)
	if goesOn {
		copy(above, n.far[n.last:])
	}
	clear(n.far[n.words:])
	clear(n.some)
	n.last = rows * n.words
}

// came notes windows of a strip that came far; i is where the strip stands in
// pass and inv, or any window of it.
func (n *nearby) came(i int, far uint64) {
	i /= stripWidth
	n.far[n.words+i] |= far
	n.some[i%n.words] = true
}

// around returns the windows next to those of strip w that came far, in pixel
// row y of a band whose rows of windows begin at from: bit i of even is for
// the window at column i of the grid, bit i of odd for the one beside it.
// Those that the band above had reason to visit are left out.
func (n *nearby) around(from, w, y int) (even, odd uint64) {
	i := (y/2-from+1)*n.words + w
	odd = n.spread(i, w)
	if y%2 == 0 {
		return 0, odd
	}
	even = n.far[i]
	below := i + n.words
	if y/2 < from {
		return n.far[below] &^ even, n.spread(below, w) &^ odd
	}
	return even | n.far[below], odd | n.spread(below, w)
}

// spread returns the windows left and right of those that came far in strip w
// of a row, which is at i.
func (n *nearby) spread(i, w int) uint64 {
	far := n.far[i]
	beside := far | far>>1
	if w+1 < n.words {
		beside |= n.far[i+1] << (stripWidth - 1)
	}
	return beside
}

// lookNearby visits the windows around those of the rows from to to-1 that came
// far. In the pixel row between two pieces of work, each visits those that it
// has reason to; what is found twice is dropped later.
func (s *scanner) lookNearby(b *band, level, from, to int) {
	n := s.near
	wx, wy := b.width+1-s.d.c.Width, b.height+1-s.d.c.Height
	for x := 0; x < b.nx; x += stripWidth {
		w := x / stripWidth
		// The next strip's first window may have the one before it looked at.
		if !n.some[w] && (w+1 == n.words || !n.some[w+1]) {
			continue
		}
		here := min(b.nx-x, stripWidth)
		onGrid := ^uint64(0) >> (stripWidth - here)
		beside := onGrid
		if 2*(x+here-1)+1 >= wx {
			beside >>= 1
		}
		n.row = -1
		for y := max(2*from-1, 0); y < min(2*to, wy); y++ {
			even, odd := n.around(from, w, y)
			seen := [2]uint64{even & onGrid, odd & beside}
			if seen[0]|seen[1] == 0 {
				continue
			}
			if s.cost != nil {
				s.cost.Windows += bits.OnesCount64(seen[0]) + bits.OnesCount64(seen[1])
			}
			if s.d.c.Kind == Haar {
				s.nearContrast(b, x, y, here, &seen)
			}
			at := (y-b.top)*b.lay.stride + x
			for k, prog := range [2]*program{b.prog, b.beside} {
				if seen[k] != 0 {
					s.visit(b, prog, level, 2*x+k, y, at, n.inv[k], seen[k])
				}
			}
		}
	}
}

// nearContrast works out the contrast of the windows of the strip at x in pixel
// row y, and leaves those seen that have enough.
func (s *scanner) nearContrast(b *band, x, y, windows int, seen *[2]uint64) {
	n := s.near
	height := s.d.c.Height - 2
	columns := 2*windows + s.d.c.Width - 2
	first := y + 1
	if n.row < 0 || first-n.row >= height {
		clear(n.sum)
		clear(n.sq)
		for i := range height {
			norm.Move(n.sum, n.sq, s.pixels(b, first+i)[2*x:], n.none, columns)
		}
	} else {
		for i := n.row; i < first; i++ {
			norm.Move(n.sum, n.sq, s.pixels(b, i+height)[2*x:], s.pixels(b, i)[2*x:], columns)
		}
	}
	n.row = first
	norm.Prefix(n.psum, n.sum, columns)
	norm.Prefix(n.psq, n.sq, columns)
	for k := range seen {
		if seen[k] != 0 {
			norm.Row(n.inv[k], n.pass[k], n.psum[k:], n.psq[k:], windows, 2, &s.d.gate)
			seen[k] &= n.pass[k][0]
		}
	}
}

// visit takes windows of one row through the whole cascade. They stand two
// pixels apart; the first of their strip is at (x, y) of the level.
func (s *scanner) visit(b *band, prog *program, level, x, y, at int, inv []float32, alive uint64) {
	if s.cost != nil {
		for m := alive; m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m)
			s.tally(prog, at+l, inv[l])
		}
		return
	}
	end := len(prog.Segments)
	groups := s.group(alive)
	if !s.d.solo {
		prog.Run(&s.scratch, groups, 0, end, s.tab, at, inv)
	}
	s.decide(b, prog, groups, 0, at, inv, b.at(level, x, y))
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
