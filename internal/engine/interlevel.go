package engine

import (
	"cmp"
	"context"
	"image"
	"math"
	"math/bits"
	"slices"

	"haarlem/internal/longsort"
	"haarlem/internal/program"
)

// Pyramid levels that differ by a tenth are nearly the same, and a window at an object
// survives long on both. So only some levels are searched densely, and those between
// only near survivors: this saves scaling, tables and windows of whole levels. Windows
// of these levels are few and in clusters. So each cell of 8 by 8 positions has small
// tables of its own.

// A cell is a square of window positions on a level that is not dense.
type cell struct {
	level, x, y int32  // the first position
	windows     uint64 // those to search, row by row
}

// survivors are the windows of a strip that passed a probe, and the position of its
// first window.
type survivors struct{ at, windows uint64 }

// appendSurvivors appends the strips of a band with survivors. The band begins with
// row from of windows.
func (a *probe) appendSurvivors(dst []survivors, b *band, from int) []survivors {
	for r := range a.some {
		if !a.some[r] {
			continue
		}
		for w, windows := range a.bits[r*a.words:][:a.words] {
			if windows != 0 {
				dst = append(dst, survivors{b.level.at(w*program.StripWidth*b.step, (from+r)*b.step), windows})
			}
		}
	}
	return dst
}

// A cellFinder finds the cells near survivors.
type cellFinder struct {
	cells   []cell
	windows []uint64 // of one level, in squares
	buf     []survivors
}

// cellsAtOnce is the number of cells that are searched together, or of one level.
const cellsAtOnce = 1 << 16

// each calls look with the cells near survivors, ordered by level, row and column.
func (a *cellFinder) each(ctx context.Context, p *plan, all []survivors, look func(context.Context, []cell) error) error {
	var err error
	if a.buf, err = longsort.Stable(ctx, all, a.buf, func(a, b survivors) int { return cmp.Compare(a.at, b.at) }); err != nil {
		return err
	}
	a.cells = a.cells[:0]
	// Strips of the last dense level, and of the next. The first level is dense.
	var before, after []survivors
	after, all = ofLevel(all, 0)
	next, work := 0, 0
	for i := range p.levels {
		l := &p.levels[i]
		if i == next {
			before = after
			for next = i + 1; next < len(p.levels) && !p.levels[next].dense; next++ {
			}
			after, all = ofLevel(all, next)
		}
		if l.dense || len(before)+len(after) == 0 {
			continue
		}
		width := a.begin(l)
		work += len(a.windows) / 4
		for _, strips := range [...][]survivors{before, after} {
			for _, f := range strips {
				from := &p.levels[levelOf(f.at)]
				x, y := from.position(f.at)
				for m := f.windows; m != 0; m &= m - 1 {
					l.near(a.windows, width, from, x+bits.TrailingZeros64(m)*from.step, y)
				}
				if work += 16 * program.StripWidth; work >= checkEvery {
					if err := ctx.Err(); err != nil {
						return err
					}
					work = 0
				}
			}
		}
		if err := a.level(ctx, i, width, look); err != nil {
			return err
		}
	}
	return a.rest(ctx, look)
}

// begin clears a.windows for a level, and returns the number of words in a row.
func (a *cellFinder) begin(l *level) (width int) {
	width = (l.positions.X + cellSide - 1) / cellSide
	n := width * ((l.positions.Y + cellSide - 1) / cellSide)
	a.windows = slices.Grow(a.windows[:0], n)[:n]
	clear(a.windows)
	return width
}

// level adds cells with the windows of level i in a.windows, whose rows have width words.
// A cell begins where windows do, so that a cluster needs few. If there are many cells,
// look is called.
func (a *cellFinder) level(ctx context.Context, i, width int, look func(context.Context, []cell) error) error {
	for k := range a.windows {
		for a.windows[k] != 0 {
			x, y, windows := a.take(k, width)
			a.cells = append(a.cells, cell{level: int32(i), x: int32(k%width*cellSide + x), y: int32(k/width*cellSide + y), windows: windows})
		}
	}
	if len(a.cells) < cellsAtOnce {
		return nil
	}
	return a.rest(ctx, look)
}

// take moves a square of windows out of a.windows. It begins with the first row of word k
// that has windows, and its first column that has any.
func (a *cellFinder) take(k, width int) (x, y int, windows uint64) {
	const row = 1<<cellSide - 1
	here := a.windows[k]
	y = bits.TrailingZeros64(here) / cellSide
	columns := here | here>>32
	columns |= columns >> 16
	columns |= columns >> 8
	x = bits.TrailingZeros64(columns)
	// The columns of a word that are in the square, and those of the next.
	left := uint64(row>>x<<x) * (math.MaxUint64 / row)
	for v := range 2 { // words in the first row and in the second
		for u := range 2 {
			at := k + v*width + u
			if u > 0 && k%width == width-1 || at >= len(a.windows) {
				continue
			}
			in := left
			if u > 0 {
				in = ^left
			}
			if v == 0 {
				in &= math.MaxUint64 << (y * cellSide)
			} else {
				in &^= math.MaxUint64 << (y * cellSide)
			}
			some := a.windows[at] & in
			a.windows[at] &^= some
			if u == 0 {
				some >>= x
			} else {
				some <<= cellSide - x
			}
			if v == 0 {
				some >>= y * cellSide
			} else {
				some <<= (cellSide - y) * cellSide
			}
			windows |= some
		}
	}
	return x, y, windows
}

// rest calls look with the cells that are left.
func (a *cellFinder) rest(ctx context.Context, look func(context.Context, []cell) error) error {
	if len(a.cells) == 0 {
		return nil
	}
	err := look(ctx, a.cells)
	a.cells = a.cells[:0]
	return err
}

// ofLevel splits off the strips of a level.
func ofLevel(all []survivors, level int) (these, rest []survivors) {
	n := 0
	for n < len(all) && levelOf(all[n].at) == level {
		n++
	}
	return all[:n], all[n:]
}

// near adds the nine windows of l nearest to the one at (x, y) of level from. cells
// is the number of cells in a row of l.
func (l *level) near(windows []uint64, cells int, from *level, x, y int) {
	c := image.Pt(l.nearest(x-from.edge.X, from, from.window.X)+l.edge.X, l.nearest(y-from.edge.Y, from, from.window.Y)+l.edge.Y)
	nine := image.Rect(c.X-1, c.Y-1, c.X+2, c.Y+2).Intersect(image.Rectangle{Max: l.positions})
	if nine.Empty() {
		return
	}
	mark(windows, cells, nine, ^uint64(0))
}

// mark adds the windows of a part of a level, those among every of each cell. cells is
// the number of cells in a row.
func mark(windows []uint64, cells int, part image.Rectangle, every uint64) {
	for y := part.Min.Y / cellSide; y*cellSide < part.Max.Y; y++ {
		for x := part.Min.X / cellSide; x*cellSide < part.Max.X; x++ {
			in := part.Sub(image.Pt(x*cellSide, y*cellSide)).Intersect(image.Rect(0, 0, cellSide, cellSide))
			row := uint64(1)<<in.Dx() - 1
			for v := in.Min.Y; v < in.Max.Y; v++ {
				windows[y*cells+x] |= row << (v*cellSide + in.Min.X) & every
			}
		}
	}
}

// nearest returns the position on l of the window with the same centre as the one at
// x of level from, without padding. side is the window's.
func (l *level) nearest(x int, from *level, side int) int {
	half := float64(side) / 2
	centre := float64((float64(x) + half) * (float64(from.factor) / float64(l.factor)))
	return Round(centre - half)
}
