package engine

import (
	"math"
	"math/bits"

	"haarlem/internal/kernel/lanes"
	"haarlem/internal/program"
)

// sweptRows is how many rows of a strip are swept at a time.
const sweptRows = 16

// strips begin with the windows of strips: those that have contrast go through the
// first weak learners, and what is left is put into groups of lanes.
type strips struct {
	*judge
	contrasts *contrasts
	haar      bool // there is a contrast gate
	skip      bool // windows are left out by OpenCV's rule
	first     bool // which the first exit has answered for good

	carry  []bool            // per row: the next window is skipped
	groups []lanes.Group     // of a strip
	alive  [sweptRows]uint64 // what a sweep has left of a strip's rows
	scores [sweptRows*program.StripWidth + lanes.Width]int32
}

// begin takes the windows of a strip in one row as far as they go alone: in are
// those that there are, the first of them stands at in the tables and at i in pass
// and inv. What is left has gone through the segments up to begun.
func (s *strips) begin(b *band, row, at, i int, in uint64) (groups []lanes.Group, begun int) {
	if s.haar {
		in &= s.contrasts.pass[i/64]
	}
	if s.skip {
		in = s.visited(b, at, i, in, &s.carry[row])
		if s.first {
			begun = b.prog.First
		}
	}
	if in == 0 {
		return nil, begun
	}
	return s.group(b, in), begun
}

// swept takes the windows of a strip in so many rows through the first segments,
// row by row, dead or alive.
func (s *strips) swept(b *band, rows int, at, i int, in uint64) []lanes.Group {
	r := lanes.Rows{
		Tab: s.tables.tab, At: at, Next: b.step * b.lay.Stride,
		Inv: s.contrasts.inv, Pass: s.contrasts.pass, I: i, PerRow: b.perRow,
		Start: b.fresh.Score[0],
		Alive: s.alive[:rows], Score: s.scores[:],
	}
	b.prog.Sweep(&s.scratch, b.swept, &r)
	s.groups = s.groups[:0]
	for row, alive := range r.Alive {
		n := len(s.groups)
		s.addGroups(b, alive&in)
		for k := range s.groups[n:] {
			g := &s.groups[n+k]
			g.Score = [lanes.Width]int32(r.Score[row*program.StripWidth+int(g.X):])
			g.X += int32(row * r.Next)
			g.I += int32(row * r.PerRow)
		}
	}
	return s.groups
}

// visited returns those of the alive windows of a strip that OpenCV's rule
// visits and that pass the first exit. Behind a visited window that the first
// exit rejects, the next one is skipped.
func (s *strips) visited(b *band, at, i int, alive uint64, carry *bool) uint64 {
	rejected := alive &^ s.passFirst(b, at, i, alive)
	var skipped uint64
	if *carry {
		skipped = 1
	}
	*carry = false
	for m := rejected &^ skipped; m != 0; {
		n := bits.TrailingZeros64(m)
		if n == program.StripWidth-1 {
			*carry = true
			break
		}
		skipped |= 2 << n
		m &^= 3 << n
	}
	return alive &^ rejected &^ skipped
}

// passFirst returns which of the alive windows of a strip pass the first exit.
func (s *strips) passFirst(b *band, at, i int, alive uint64) uint64 {
	var passed uint64
	groups := s.group(b, alive)
	s.lanes(b.prog, groups, 0, b.prog.First, s.tables.tab, at, s.contrasts.inv[i:])
	for k := range groups {
		g := &groups[k]
		if b.prog.FirstSure > math.MinInt32 {
			s.checkFirst(b, g, at, i)
		}
		passed |= uint64(g.Alive) << g.X
	}
	return passed
}

// checkFirst decides about windows that may have come through the first exit by
// the lanes' rounding alone.
func (s *strips) checkFirst(b *band, g *lanes.Group, at, i int) {
	for m := g.Alive; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if x := int(g.X) + l; g.Score[l] < b.prog.FirstSure {
			if s.spend(b.prog.Cost); s.err != nil {
				return
			}
			if !s.passes(b, at+x, s.contrasts.inv[i+x], 1) {
				g.Alive &^= 1 << l
			}
		}
	}
}

// group puts those windows of a strip that are alive into groups. A group begins
// at a window that is alive, so that clusters of them are not cut in two.
func (s *strips) group(b *band, alive uint64) []lanes.Group {
	s.groups = s.groups[:0]
	s.addGroups(b, alive)
	return s.groups
}

// addGroups adds such groups to those that there are.
func (s *strips) addGroups(b *band, alive uint64) {
	for alive != 0 {
		x := bits.TrailingZeros64(alive)
		b.fresh.X, b.fresh.I, b.fresh.Alive = int32(x), int32(x), uint32(uint16(alive>>x))
		s.groups = append(s.groups, b.fresh)
		alive &^= 0xffff << x
	}
}
