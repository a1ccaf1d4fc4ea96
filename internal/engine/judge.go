package engine

import (
	"math/bits"

	"haarlem/internal/kernel/lanes"
	"haarlem/internal/program"
)

// A judge takes windows through segments in lanes, and has the last word on those
// that lanes leave alive.
type judge struct {
	*budget
	tables  *tables
	levels  []level
	solo    bool // see setup
	exits   int  // of the cascade
	scratch lanes.Scratch
	results results
}

// lanes is prog.Run, for no longer than the context allows.
func (j *judge) lanes(prog *program.Program, groups []lanes.Group, from, to int, tab []uint16, at int, inv []float32) {
	cost := prog.UpTo[to] - prog.UpTo[from]
	if j.solo {
		cost *= lanes.Width // one lane after the other
	}
	most := max(4*checkEvery/max(cost, 1), 1)
	for len(groups) > 0 && j.err == nil {
		n := min(len(groups), most)
		prog.Run(&j.scratch, groups[:n], from, to, tab, at, inv)
		j.spend(n * cost)
		groups = groups[n:]
	}
}

// all has the last word on what lanes have left alive of groups that they
// took from segment first on. at and place are where the first window of the
// strip stands in the tables and in the level, inv is its contrast and what is
// behind it.
func (j *judge) all(b *band, groups []lanes.Group, first, at int, inv []float32, place uint64) {
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
			if j.solo && !prog.One(j.tables.tab, x, inv[n], first, end, b.fresh.Score[l]) {
				continue
			}
			j.one(prog, x, inv[n], g.Score[l], !j.solo && first < end, b.behind(place, n))
		}
	}
}

// one has the last word on a window that lanes have left alive with a score,
// which is known to be the window's or not.
func (j *judge) one(prog *program.Program, at int, inv float32, score int32, known bool, place uint64) {
	if prog.Certain && known {
		j.results.found(hit{place, prog.Margin(score)})
		return
	}
	j.spend(prog.Cost)
	if passed, margin := prog.Exact(j.tables.tab[at:], inv, j.levels[levelOf(place)].start, j.exits); passed == j.exits {
		j.results.found(hit{place, margin})
	}
}

// passes reports whether a window passes so many exits, which lanes cannot tell
// for certain.
func (j *judge) passes(b *band, at int, inv float32, exits int) bool {
	passed, _ := b.prog.Exact(j.tables.tab[at:], inv, b.level.start, exits)
	return passed == exits
}
