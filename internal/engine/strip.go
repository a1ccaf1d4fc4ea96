package engine

import (
	"math"
	"math/bits"

	"haarlem/internal/kernel/lanes"
	"haarlem/internal/program"
)

// sweptRows is the number of rows of a strip in one sweep.
const sweptRows = 16

// strips evaluates the first weak classifiers of windows, strip by strip, and puts
// the survivors into groups of lanes.
type strips struct {
	*judge
	contrasts *contrasts
	haar      bool // with a contrast gate
	skip      bool // OpenCV's rule of windows applies
	first     bool // the first exit need not be evaluated again

	carry  []bool            // per row: the next strip's first window is skipped
	groups []lanes.Group     // of a strip
	alive  [sweptRows]uint64 // survivors of a sweep, per row
	scores [sweptRows*program.StripWidth + lanes.Width]int32
}

// begin returns groups of the windows of a strip in one row that pass the contrast
// gate and, with OpenCV's rule, the first exit. in are the windows that exist; the
// first is element at of the tables and i of pass and inv. The groups have gone
// through the first begun segments.
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

// swept returns groups of the survivors of a sweep over a number of rows of a strip.
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

// visited returns those of the alive windows of a strip that OpenCV visits and that
// pass the first exit. After a visited window that the first exit rejects, OpenCV
// skips the next one.
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

// checkFirst decides windows that may have passed the first exit only by the rounding
// of fixed point.
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

// group puts the alive windows of a strip into groups. Each group begins with an alive
// window, so that clusters are not cut in two.
func (s *strips) group(b *band, alive uint64) []lanes.Group {
	s.groups = s.groups[:0]
	s.addGroups(b, alive)
	return s.groups
}

// addGroups appends such groups.
func (s *strips) addGroups(b *band, alive uint64) {
	for alive != 0 {
		x := bits.TrailingZeros64(alive)
		b.fresh.X, b.fresh.I, b.fresh.Alive = int32(x), int32(x), uint32(uint16(alive>>x))
		s.groups = append(s.groups, b.fresh)
		alive &^= 0xffff << x
	}
}
