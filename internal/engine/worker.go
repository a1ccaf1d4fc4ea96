package engine

import (
	"context"
	"math/bits"

	"haarlem/cascade"
)

// A worker is one goroutine's memory. It does units and cells, one at a time, with one
// cascade or several: these share what does not depend on their weak classifiers.
type worker struct {
	budget
	height    int  // of windows
	haar      bool // with a contrast gate
	band      band
	tables    tables
	contrasts contrasts
	forms     []form
}

// A form is a worker's memory for one of the cascades.
type form struct {
	plan      *plan
	probes    *probes // nil without any
	refine    refiner
	visit     visitor
	survivors []survivors // near which levels that are not dense are searched
}

// newWorker allocates a worker for a cascade, or for several with the same setup in all
// that is not their features. Its forms have no visitors, which visitWith sets.
func newWorker(s *setup, plans ...*plan) *worker {
	w := &worker{height: s.c.Height, haar: s.c.Kind == cascade.Haar}
	w.tables = newTables(plans, &w.budget)
	w.contrasts = newContrasts(s, plans[0], &w.budget)
	for _, p := range plans {
		f := form{plan: p, probes: newProbes(s.near, p.maxRows(), p.perRow)}
		f.refine = refiner{budget: &w.budget, tables: &w.tables, contrasts: &w.contrasts, probes: f.probes, haar: w.haar}
		w.forms = append(w.forms, f)
	}
	return w
}

// visitWith sets the visitor of form k.
func (w *worker) visitWith(k int, v visitor) { w.forms[k].visit, w.forms[k].refine.visit = v, v }

// unit visits the windows of one unit, with each form. frame is what is searched; nil
// means all.
func (w *worker) unit(ctx context.Context, img *source, u unit, frame *Frame) error {
	if err := w.begin(ctx); err != nil {
		return w.end()
	}
	w.rows(img, u, frame)
	return w.end()
}

// rows visits the rows of a unit, band by band.
func (w *worker) rows(img *source, u unit, frame *Frame) {
	first := &w.forms[0]
	l := &first.plan.levels[u.level]
	w.band = band{level: l, across: l.x, cols: l.width, perRow: first.plan.perRow}
	b, g := &w.band, img.halved(l.halved)
	first.place(b)
	w.contrasts.begin(l.step)
	margin := 0
	if b.beside != nil {
		margin = first.probes.margin()
	}
	w.tables.begin(b, max(u.from*l.step-margin, 0))
	for from := u.from; from < u.to; from += b.rows {
		if w.account(); w.err != nil {
			return
		}
		to := min(from+b.rows, u.to)
		w.tables.advance(b, max(from*l.step-margin, 0))
		w.tables.build(b, g, min((to-1)*l.step+w.height+margin, l.height))
		if w.haar {
			w.contrasts.rows(&w.tables, b, from, to)
			if frame != nil {
				w.contrasts.within(b, from, to, frame)
			}
		}
		for i := range w.forms {
			if w.err != nil {
				return
			}
			f := &w.forms[i]
			f.place(b)
			f.rows(b, from, to)
		}
		first.place(b)
	}
}

// place makes f the form of a band.
func (f *form) place(b *band) { b.grid, b.probes = f.plan.gridOf(b.step), f.probes.of(b.level) }

// rows visits the windows of a band in the rows from to to-1, and near survivors.
func (f *form) rows(b *band, from, to int) {
	for _, a := range b.probes {
		a.clear()
	}
	f.visit.rows(b, from, to)
	f.visit.flush(b)
	if b.beside != nil {
		f.refine.near(b, from, to)
		f.visit.flush(b)
	}
	if f.probes != nil {
		f.survivors = f.probes.between.appendSurvivors(f.survivors, b, from)
	}
}

// cells visits the windows of a batch of cells of form n.
func (w *worker) cells(ctx context.Context, img *source, n int, batch []cell) error {
	if err := w.begin(ctx); err != nil {
		return w.end()
	}
	f := &w.forms[n]
	k := f.plan.cells
	w.band = band{grid: &k.grid, perRow: f.plan.perRow}
	b := &w.band
	for i, c := range batch {
		if w.err != nil {
			break
		}
		b.level = &f.plan.levels[c.level]
		b.base = i * k.size
		b.left = int(c.x)
		b.cols = min(k.cols, b.width-b.left)
		if !b.copied {
			b.across, b.skip = b.x.Cut(b.inner())
		}
		y := int(c.y)
		w.tables.begin(b, y+bits.TrailingZeros64(c.windows)/cellSide)
		w.tables.build(b, img.halved(b.level.halved), y+(bits.Len64(c.windows)-1)/cellSide+w.height)
		for m := c.windows; m != 0 && w.err == nil; m &= m - 1 {
			n := bits.TrailingZeros64(m)
			f.refine.window(b, b.left+n%cellSide, y+n/cellSide)
		}
	}
	f.visit.flush(b)
	return w.end()
}

// end returns the error of the work, and prepares for the next.
func (w *worker) end() error {
	if w.err != nil {
		for i := range w.forms {
			w.forms[i].visit.drop()
		}
	}
	return w.budget.end()
}
