package engine

import (
	"math/bits"

	"haarlem/internal/kernel/lanes"
	"haarlem/internal/program"
)

// A judge runs windows through segments in lanes, and decides those that survive by
// the exact evaluator where lanes are not certain.
type judge struct {
	*budget
	tables  *tables
	levels  []level
	scalar  bool // see setup
	exits   int  // of the cascade
	scratch lanes.Scratch
	results results
}

// lanes is prog.Run with checks of the context.
func (j *judge) lanes(prog *program.Program, groups []lanes.Group, from, to int, tab []uint16, at int, inv []float32) {
	cost := prog.UpTo[to] - prog.UpTo[from]
	if j.scalar {
		cost *= lanes.Width // one lane after another
	}
	limit := max(4*checkEvery/max(cost, 1), 1)
	for len(groups) > 0 && j.err == nil {
		n := min(len(groups), limit)
		prog.Run(&j.scratch, groups[:n], from, to, tab, at, inv)
		j.spend(n * cost)
		groups = groups[n:]
	}
}

// decideAll decides the windows that survive in groups. Their scores begin at segment
// first. at and position are those of the strip's first window; inv begins with its
// contrast.
func (j *judge) decideAll(b *band, groups []lanes.Group, first, at int, inv []float32, position uint64) {
	prog := b.prog
	end := len(prog.Segments)
	for k := range groups {
		g := &groups[k]
		for m := g.Alive; m != 0; m &= m - 1 {
			if j.spend(prog.Cost); j.err != nil {
				return
			}
			l := bits.TrailingZeros32(m)
			x, n := at+int(g.X)+l, int(g.I)+l
			if j.scalar && !prog.One(j.tables.tab, x, inv[n], first, end, b.fresh.Score[l]) {
				continue
			}
			j.decide(prog, x, inv[n], g.Score[l], !j.scalar && first < end, b.offset(position, n))
		}
	}
}

// decide decides a window that survived in lanes with a score. known says that this is
// the window's whole score.
func (j *judge) decide(prog *program.Program, at int, inv float32, score int32, known bool, position uint64) {
	if prog.Certain && known {
		j.results.found(hit{position, prog.Margin(score)})
		return
	}
	if passed, margin := j.exact(prog, at, inv, j.levels[levelOf(position)].start, j.exits); passed == j.exits {
		j.results.found(hit{position, margin})
	}
}

// exact runs the exact evaluator, unless the work has stopped: then passed is -1.
func (j *judge) exact(prog *program.Program, at int, inv float32, start float64, exits int) (passed int, margin float64) {
	if j.spend(prog.Cost); j.err != nil {
		return -1, 0
	}
	return prog.Exact(j.tables.tab[at:], inv, start, exits)
}

// passes reports whether a window passes a number of exits, by the exact evaluator.
func (j *judge) passes(b *band, at int, inv float32, exits int) bool {
	passed, _ := j.exact(b.prog, at, inv, b.level.start, exits)
	return passed == exits
}
