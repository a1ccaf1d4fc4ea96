package engine

import (
	"context"
	"math/bits"

	"haarlem/cascade"
)

// A worker does units and cells, one at a time, and holds the memory for that.
type worker struct {
	budget
	plan      *plan
	height    int  // of windows
	haar      bool // there is a contrast gate
	band      band
	tables    tables
	contrasts contrasts
	probes    *probes // nil if nothing depends on how far windows come
	refine    refiner
	visit     visitor
	survivors []survivors // windows near which levels between are looked at
}

// newWorker allocates what one worker needs for a plan but the visitor, which
// visitWith sets.
func newWorker(s *setup, p *plan) *worker {
	w := &worker{plan: p, height: s.c.Height, haar: s.c.Kind == cascade.Haar}
	w.tables = newTables(p, &w.budget)
	w.contrasts = newContrasts(s, p, &w.budget)
	w.probes = newProbes(s.near, p.maxRows(), p.perRow)
	w.refine = refiner{budget: &w.budget, tables: &w.tables, contrasts: &w.contrasts, probes: w.probes, haar: w.haar}
	return w
}

func (w *worker) visitWith(v visitor) { w.visit, w.refine.visit = v, v }

// unit visits the windows of one unit of an image, which is halved by now as often
// as the plan wants.
func (w *worker) unit(ctx context.Context, img *source, u unit) error {
	if err := w.begin(ctx); err != nil {
		return w.end()
	}
	w.rows(img, u)
	return w.end()
}

// rows does what unit does.
func (w *worker) rows(img *source, u unit) {
	l := &w.plan.levels[u.level]
	w.band = band{level: l, grid: w.plan.gridOf(l.step), across: l.x, cols: l.width, perRow: w.plan.perRow, probes: w.probes.of(l)}
	b, g := &w.band, img.halved(l.halved)
	w.contrasts.begin(l.step)
	margin := 0
	if b.beside != nil {
		margin = w.probes.margin()
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
		}
		if w.err != nil {
			return
		}
		for _, a := range b.probes {
			a.clear()
		}
		w.visit.rows(b, from, to)
		w.visit.flush(b)
		if b.beside != nil {
			w.refine.near(b, from, to)
			w.visit.flush(b)
		}
		if w.probes != nil {
			w.survivors = w.probes.between.appendSurvivors(w.survivors, b, from)
		}
	}
}

// cells visits the windows of a batch of cells.
func (w *worker) cells(ctx context.Context, img *source, batch []cell) error {
	if err := w.begin(ctx); err != nil {
		return w.end()
	}
	k := w.plan.cells
	w.band = band{grid: &k.grid, perRow: w.plan.perRow}
	b := &w.band
	for i, c := range batch {
		if w.err != nil {
			break
		}
		b.level = &w.plan.levels[c.level]
		b.base = i * k.size
		b.left = int(c.x) * cellSide
		b.cols = min(k.cols, b.width-b.left)
		if !b.copied {
			b.across, b.skip = b.x.Cut(b.inner())
		}
		y := int(c.y) * cellSide
		w.tables.begin(b, y+bits.TrailingZeros64(c.asked)/cellSide)
		w.tables.build(b, img.halved(b.level.halved), y+(bits.Len64(c.asked)-1)/cellSide+w.height)
		for m := c.asked; m != 0 && w.err == nil; m &= m - 1 {
			n := bits.TrailingZeros64(m)
			w.refine.window(b, b.left+n%cellSide, y+n/cellSide)
		}
	}
	w.visit.flush(b)
	return w.end()
}

// end returns what came of the work, and makes ready for the next.
func (w *worker) end() error {
	if w.err != nil {
		w.visit.drop()
	}
	return w.budget.end()
}
