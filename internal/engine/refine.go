package engine

import (
	"math/bits"

	"haarlem/internal/program"
)

// With a stride of two pixels, an object may lie between the windows of the grid. So
// more windows are searched near survivors: one pixel to the left and right of those
// that pass the first RefineX exits, and in the rows above and below those that pass
// the first RefineY. This finds most of what a stride of 1 finds, for a few windows
// more.

// A refiner visits single windows near the survivors of probes.
type refiner struct {
	*budget
	tables    *tables
	contrasts *contrasts
	probes    *probes
	haar      bool // with a contrast gate
	visit     visitor
}

// near visits the windows near survivors in the rows from to to-1 of the band.
func (f *refiner) near(b *band, from, to int) {
	for r := range to - from {
		f.beside(b, (from+r)*b.step, &f.probes.beside, r, r)
	}
	// A row between two bands, or two units, is visited by both, each for its own
	// survivors.
	for r := -1; r < to-from; r++ {
		if y := (from+r)*b.step + 1; y > 0 && y < b.positions.Y {
			f.beside(b, y, &f.probes.around, r, r+1)
		}
	}
}

// beside visits the windows of pixel row y that are one pixel to the left or right of
// survivors in the rows r or q of the band. If r and q differ, y is between them, and
// the windows in the survivors' own columns are visited too.
func (f *refiner) beside(b *band, y int, a *probe, r, q int) {
	if !a.any(r) && !a.any(q) {
		return
	}
	for w := range a.words {
		if f.err != nil {
			return
		}
		passed := a.in(r, w) | a.in(q, w)
		next := a.in(r, w+1) | a.in(q, w+1)
		// Bit i is the window to the right of the grid's window i.
		for m := passed | passed>>1 | next<<(program.StripWidth-1); m != 0; m &= m - 1 {
			if x := 2*(w*program.StripWidth+bits.TrailingZeros64(m)) + 1; x < b.positions.X {
				f.window(b, x, y)
			}
		}
		if r != q {
			for m := passed; m != 0; m &= m - 1 {
				f.window(b, 2*(w*program.StripWidth+bits.TrailingZeros64(m)), y)
			}
		}
	}
}

// window visits the window at (x, y) of the level.
func (f *refiner) window(b *band, x, y int) {
	if f.err != nil {
		return
	}
	left := x - b.left
	w := window{at: b.base + (y-b.top)*b.lay.Stride + left/b.lay.Step, right: left % b.lay.Step, position: b.level.at(x, y), i: -1, score: b.fresh.Score[0]}
	ok := true
	if f.haar {
		w.inv, ok = f.contrasts.one(f.tables, b, left, y)
	}
	f.visit.window(b, w, ok)
}
