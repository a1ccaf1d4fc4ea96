package engine

import (
	"math/bits"

	"haarlem/internal/program"
)

// Where windows stand two pixels apart, an object may lie between them. So near
// a window that came far the scan looks at others, off the grid: one pixel to
// the left and to the right of it, past the cascade's first RefineX exits, and in
// the rows above and below, past the first Around. That finds much of what a
// search of all windows finds, for a few windows more.

// A refiner looks at single windows near those that probes have noted.
type refiner struct {
	*budget
	tables    *tables
	contrasts *contrasts
	probes    *probes
	haar      bool // there is a contrast gate
	visit     visitor
}

// near visits the windows near those of the rows from to to-1 of the band that
// passed the probes.
func (f *refiner) near(b *band, from, to int) {
	for r := range to - from {
		f.beside(b, (from+r)*b.step, &f.probes.beside, r, r)
	}
	// Of a row between two bands, or two pieces of work, each looks at what its
	// own windows ask for.
	for r := -1; r < to-from; r++ {
		if y := (from+r)*b.step + 1; y > 0 && y < b.places.Y {
			f.beside(b, y, &f.probes.around, r, r+1)
		}
	}
}

// beside visits those windows of pixel row y that stand one pixel to the
// left or to the right of windows that passed the probe in the rows r or q of the
// band. If these are not the same, y lies between them, and it visits those of
// the same columns too.
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
		// Bit i is for the window to the right of the grid's window i.
		for m := passed | passed>>1 | next<<(program.StripWidth-1); m != 0; m &= m - 1 {
			if x := 2*(w*program.StripWidth+bits.TrailingZeros64(m)) + 1; x < b.places.X {
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
	w := window{at: b.base + (y-b.top)*b.lay.Stride + left/b.lay.Step, right: left % b.lay.Step, place: b.level.at(x, y), i: -1, score: b.fresh.Score[0]}
	ok := true
	if f.haar {
		w.inv, ok = f.contrasts.one(f.tables, b, left, y)
	}
	f.visit.window(b, w, ok)
}
