package engine

import (
	"math/bits"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/program"
)

// A funnel is the visitor of a search: strips, probes, compaction, decision.
type funnel struct {
	judge   judge
	strips  strips
	compact *compactor // nil without stops
}

// newFunnel allocates a funnel for one worker.
func newFunnel(s *setup, p *plan, t *tables, c *contrasts) *funnel {
	f := &funnel{judge: judge{
		budget: t.budget, tables: t, levels: p.levels, scalar: s.scalar, exits: len(s.c.Exits),
		results: results{budget: t.budget},
	}}
	skip := s.o.Windows == WindowsOpenCV
	f.strips = strips{
		judge: &f.judge, contrasts: c,
		haar: s.c.Kind == cascade.Haar, skip: skip, first: skip && s.c.Exits[0].Restart,
		carry:  make([]bool, p.maxRows()),
		groups: make([]lanes.Group, 0, sweptRows*program.StripWidth/lanes.Width),
	}
	f.compact = newCompactor(s.c, p, &f.judge)
	return f
}

// rows is part of visitor. It goes strip by strip, so that the strip's part of the
// tables stays in the first-level cache.
func (f *funnel) rows(b *band, from, to int) {
	rows := to - from
	clear(f.strips.carry[:rows])
	for x := 0; x < b.nx; x += program.StripWidth {
		in := ^uint64(0)
		if n := b.nx - x; n < program.StripWidth {
			in >>= program.StripWidth - n
		}
		for y := from; y < to && f.judge.err == nil; y += sweptRows {
			f.strip(b, y, min(sweptRows, to-y), y-from, x, in)
		}
	}
}

// strip visits the windows of a strip, from column x on, in some rows from y on, which
// is row r of the band.
func (f *funnel) strip(b *band, y, rows, r, x int, in uint64) {
	at, i := (y*b.step-b.top)*b.lay.Stride+x, r*b.perRow+x
	if f.strips.haar && !f.strips.skip && !f.strips.contrasts.any(i, rows, b.perRow) {
		return
	}
	var groups []lanes.Group
	first, begun := 0, b.swept
	if b.swept > 0 {
		groups = f.strips.swept(b, rows, at, i, in)
	} else {
		groups, begun = f.strips.begin(b, r, rows, at, i, in)
		first = begun
	}
	if len(groups) > 0 {
		f.rest(b, b.level.at(x*b.step, y*b.step), groups, first, begun, at, i)
	}
}

// rest evaluates groups of a strip, of one row or several, from segment begun to the
// end. Their scores begin at segment first. at, i and position are those of the first
// row's first window, in the tables, in pass and inv, and in the level.
func (f *funnel) rest(b *band, position uint64, groups []lanes.Group, first, begun, at, i int) {
	inv := f.strips.contrasts.inv[i:]
	for _, a := range b.probes {
		if f.compact != nil && a.exits >= f.compact.first() {
			break // the compactor does it
		}
		if !f.probe(b, a, groups, begun, at, i, inv) {
			return
		}
		begun = b.prog.Ends[a.exits-1]
		groups = slices.DeleteFunc(groups, func(g lanes.Group) bool { return g.Alive == 0 })
	}
	tab := f.judge.tables.tab
	if f.compact != nil {
		f.judge.lanes(b.prog, groups, begun, b.prog.Ends[f.compact.first()-1], tab, at, inv)
		f.compact.wait(b, groups, at, i, inv, position)
		return
	}
	if !f.judge.scalar {
		f.judge.lanes(b.prog, groups, begun, len(b.prog.Segments), tab, at, inv)
	}
	f.judge.decideAll(b, groups, first, at, inv, position)
}

// probe evaluates groups from segment begun up to a probe's exit, records the
// survivors, and reports whether there are any. at and i are as for rest.
func (f *funnel) probe(b *band, a *probe, groups []lanes.Group, begun, at, i int, inv []float32) bool {
	j, prog := &f.judge, b.prog
	end := prog.Ends[a.exits-1]
	if !j.scalar {
		j.lanes(prog, groups, begun, end, j.tables.tab, at, inv)
	}
	var any uint32
	for k := range groups {
		g := &groups[k]
		for m := g.Alive; m != 0; m &= m - 1 {
			if j.spend(prog.Cost); j.err != nil {
				return false
			}
			l := bits.TrailingZeros32(m)
			x, n := int(g.X)+l, int(g.I)+l
			ok := !j.scalar || prog.One(j.tables.tab, at+x, inv[n], 0, end, b.fresh.Score[l])
			if ok && !prog.Certain {
				ok = j.passes(b, at+x, inv[n], a.exits)
			}
			if !ok {
				g.Alive &^= 1 << l
			}
		}
		if any |= g.Alive; g.Alive != 0 {
			a.survived(i+int(g.I), uint64(g.Alive)<<(g.I%program.StripWidth))
		}
	}
	return any != 0
}

// window is part of visitor. It evaluates the whole cascade.
func (f *funnel) window(b *band, w window, ok bool) {
	if !ok || f.judge.err != nil {
		return
	}
	if f.compact != nil {
		f.compact.queue(b, 0, &w)
		return
	}
	j, prog := &f.judge, b.programOf(&w)
	if j.spend(prog.Cost); j.err == nil && prog.One(j.tables.tab, w.at, w.inv, 0, len(prog.Segments), w.score) {
		j.decide(prog, w.at, w.inv, 0, false, w.position)
	}
}

// flush is part of visitor.
func (f *funnel) flush(b *band) {
	if f.compact != nil {
		f.compact.flush(b)
	}
}

// drop is part of visitor.
func (f *funnel) drop() {
	if f.compact != nil {
		f.compact.drop()
	}
}
