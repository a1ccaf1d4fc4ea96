package engine

import (
	"math"
	"math/bits"

	"haarlem/internal/kernel/lanes"
	"haarlem/internal/program"
)

// sweptRows is the number of rows of a strip that are taken together.
const sweptRows = 32

// strips evaluates the first weak classifiers of windows, strip by strip, and puts
// the survivors into groups of lanes. It takes several rows of a strip together.
type strips struct {
	*judge
	contrasts *contrasts
	haar      bool // with a contrast gate
	skip      bool // OpenCV's rule of windows applies
	first     bool // the first exit need not be evaluated again

	carry  []bool            // per row of the band: the next strip's first window is skipped
	groups []lanes.Group     // of a strip
	alive  [sweptRows]uint64 // windows of each row
	passed [sweptRows]uint64 // those that pass the first exit
	scores [sweptRows*program.StripWidth + lanes.Width]int32
}

// begin returns groups of the windows of a strip, in some rows of the band from row on,
// that pass the contrast gate and, with OpenCV's rule, the first exit. in are the
// windows of a row that exist; the first is element at of the tables and i of pass and
// inv. The groups have gone through the first begun segments.
func (s *strips) begin(b *band, row, rows, at, i int, in uint64) (groups []lanes.Group, begun int) {
	alive := s.alive[:rows]
	for r := range alive {
		alive[r] = in
		if s.haar {
			alive[r] &= s.contrasts.pass[(i+r*b.perRow)/64]
		}
	}
	if s.skip {
		s.passFirst(b, alive, at, i)
		for r := range alive {
			alive[r] = visited(alive[r], s.passed[r], &s.carry[row+r])
		}
		if s.first {
			if len(b.stages) > 1 {
				return s.next(b, alive, at, i), b.stages[len(b.stages)-1]
			}
			begun = b.prog.First
		}
	}
	return s.group(b, alive), begun
}

// next returns groups of the survivors of the sweeps after the first exit. Rows with few
// windows are not swept.
func (s *strips) next(b *band, alive []uint64, at, i int) []lanes.Group {
	s.groups = s.groups[:0]
	end := b.stages[len(b.stages)-1]
	from := b.prog.First
	few := s.passed[:len(alive)]
	for _, to := range b.stages[1:] {
		lowest := sweptGroups
		if b.prog.Tabulated(from) {
			lowest = minForPatterns(alive)
		}
		for r, a := range alive {
			few[r] = 0
			if groupsOf(a) < lowest {
				few[r], alive[r] = a, 0
			}
		}
		n := len(s.groups)
		groups := s.appendGroups(b, few, nil)[n:]
		s.lanes(b.prog, groups, from, end, s.tables.tab, at, s.contrasts.inv[i:])
		s.sweep(b, from, to, alive, at, i)
		from = to
	}
	return s.appendGroups(b, alive, s.scores[:])
}

// sweptGroups is the number of groups of a row from which a sweep pays, but for patterns.
const sweptGroups = 3

// minForPatterns is that number for stages of patterns. Their sweeps take all rows, so
// either all are swept or none.
func minForPatterns(alive []uint64) int {
	n := 0
	for _, a := range alive {
		n += groupsOf(a)
	}
	if mean, _ := lanes.PatternSweep(); n < mean*len(alive) {
		return program.StripWidth
	}
	return 0
}

// groupsOf returns about how many groups the windows of a row need.
func groupsOf(alive uint64) int {
	const low = 0x7fff7fff7fff7fff
	return bits.OnesCount64((alive&low + low | alive) &^ low)
}

// sweep takes the alive windows of a strip in some rows through segments from to to-1,
// which begin with a score of their own.
func (s *strips) sweep(b *band, from, to int, alive []uint64, at, i int) {
	s.spend(len(alive) * program.StripWidth / lanes.Width * (b.prog.UpTo[to] - b.prog.UpTo[from]))
	r := lanes.Rows{
		Tab: s.tables.tab, At: at, Next: b.step * b.lay.Stride,
		Inv: s.contrasts.inv, I: i, PerRow: b.perRow,
		Start: b.fresh.Score[0],
		Alive: alive, Score: s.scores[:],
	}
	if b.prog.Tabulated(from) {
		b.prog.SweepPatterns(&s.scratch, from, &r)
	} else {
		b.prog.SweepStage(&s.scratch, from, to, &r)
	}
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
	for row := range r.Alive {
		r.Alive[row] &= in
	}
	s.groups = s.groups[:0]
	return s.appendGroups(b, r.Alive, s.scores[:])
}

// visited returns those of the windows of a strip in one row that OpenCV visits and that
// pass the first exit. passed are those that pass. After a visited window that the
// first exit rejects, OpenCV skips the next one: so of a run of rejected windows it
// visits every other one, and skips the window after a run of odd length.
func visited(alive, passed uint64, carry *bool) uint64 {
	const even = 0x5555555555555555
	if *carry {
		alive &^= 1
	}
	rejected := alive &^ passed
	starts := rejected &^ (rejected << 1)
	// Adding the start of a run to it leaves the bit after it.
	afterEven, _ := bits.Add64(rejected, starts&even, 0)
	afterOdd, over := bits.Add64(rejected, starts&^even, 0)
	*carry = over != 0
	skipped := (afterEven&^even | afterOdd&even) &^ rejected
	return alive & passed &^ skipped
}

// passFirst sets s.passed to those of the windows of a strip that pass the first exit.
func (s *strips) passFirst(b *band, alive []uint64, at, i int) {
	if b.stages[0] > 0 {
		copy(s.passed[:], alive)
		s.sweep(b, 0, b.stages[0], s.passed[:len(alive)], at, i)
		return
	}
	groups := s.group(b, alive)
	s.lanes(b.prog, groups, 0, b.prog.First, s.tables.tab, at, s.contrasts.inv[i:])
	s.passed = [sweptRows]uint64{}
	for k := range groups {
		g := &groups[k]
		if b.prog.FirstSure > math.MinInt32 {
			s.checkFirst(b, g, at, i)
		}
		row := int(g.I) / b.perRow
		s.passed[row] |= uint64(g.Alive) << (int(g.I) - row*b.perRow)
	}
}

// checkFirst decides windows that may have passed the first exit only by the rounding
// of fixed point.
func (s *strips) checkFirst(b *band, g *lanes.Group, at, i int) {
	for m := g.Alive; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if g.Score[l] < b.prog.FirstSure && !s.passes(b, at+int(g.X)+l, s.contrasts.inv[i+int(g.I)+l], 1) {
			g.Alive &^= 1 << l
		}
	}
}

// group puts the alive windows of a strip in some rows into groups. Each group begins
// with an alive window, so that clusters are not cut in two.
func (s *strips) group(b *band, alive []uint64) []lanes.Group {
	s.groups = s.groups[:0]
	return s.appendGroups(b, alive, nil)
}

// appendGroups appends such groups to those that there are. scores are those of a sweep;
// nil means that windows begin with a new group's. Groups are filled in place: copying
// one that has just been written would wait for its memory.
func (s *strips) appendGroups(b *band, alive []uint64, scores []int32) []lanes.Group {
	x, i := int32(0), int32(0)
	for row, alive := range alive {
		for alive != 0 {
			n := bits.TrailingZeros64(alive)
			s.groups = s.groups[:len(s.groups)+1] // there is room for all windows
			g := &s.groups[len(s.groups)-1]
			g.X, g.I, g.Alive = x+int32(n), i+int32(n), uint32(uint16(alive>>n))
			if scores == nil {
				g.Score = b.fresh.Score
			} else {
				g.Score = [lanes.Width]int32(scores[row*program.StripWidth+n:])
			}
			alive &^= 0xffff << n
		}
		x += int32(b.step * b.lay.Stride)
		i += int32(b.perRow)
	}
	return s.groups
}
