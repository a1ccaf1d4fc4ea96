package lanes

import (
	"math/bits"

	"haarlem/internal/cpu"
)

// maxPatterns is the largest number of patterns of a stage that SweepPatterns evaluates.
const maxPatterns = 10

// A decision is a bit for each set of patterns that add their leaves, with bit i for
// pattern i: whether the sum is at least the limit.
type decision [1 << maxPatterns / 8]uint8

// Tabulate prepares segment s for SweepPatterns and reports true, if it is a stage of few
// stumps of patterns that begins with a score of 0.
func (p *Program) Tabulate(s int) bool {
	g := &p.Segments[s]
	if g.Op != Op(Grid, Stump) || g.N < 1 || g.N > maxPatterns || g.Hold != 0 || g.Reset == 0 && s > 0 {
		return false
	}
	var d decision
	var sums [1 << maxPatterns]int32
	for set := range sums {
		if set > 0 {
			sums[set] = sums[set&(set-1)]
			if i := bits.TrailingZeros(uint(set)); i < int(g.N) {
				sums[set] += p.Records[int(g.First)+i].Left
			}
		}
		if sums[set] >= g.Limit {
			d[set/8] |= 1 << (set % 8)
		}
	}
	p.decisions = append(p.decisions, d)
	g.table = int32(len(p.decisions))
	return true
}

// Tabulated reports whether segment s is prepared for SweepPatterns.
func (p *Program) Tabulated(s int) bool { return p.Segments[s].table != 0 }

// SweepPatterns takes each row of r through segment s, which must be tabulated, from a
// score of 0. r.Alive says which windows are alive to begin with, and which are at the
// end; rows without any cost something only between others. There are no scores, and
// r.Pass, r.Start and r.Score are not used.
func (p *Program) SweepPatterns(m *Scratch, s int, r *Rows) {
	rows := len(r.Alive)
	if rows == 0 {
		return
	}
	// The assembly has no bounds checks.
	if !p.Tabulated(s) {
		panic("lanes: SweepPatterns with a segment that is not tabulated")
	}
	for _, row := range [...]int{0, rows - 1} { // the others lie between
		at := r.At + row*r.Next
		_, _ = r.Tab[at], r.Tab[at+p.Reach+Strip-1]
	}
	p.sweepPatterns(m, s, r)
}

// PatternSweep returns from how many groups of a row on SweepPatterns is faster than Run,
// and for how many stages of patterns behind the first that pays; 0 groups mean never.
func PatternSweep() (groups, stages int) {
	switch cpu.Current() {
	case cpu.AVX512:
		return 1, 3
	case cpu.AVX2:
		return 1, 2
	}
	return 0, 0
}
