package engine

import (
	"cmp"
	"context"
	"image"
	"math/bits"
	"slices"

	"haarlem/internal/longsort"
	"haarlem/internal/program"
)

// Levels of a pyramid that differ by a tenth show nearly the same, and a window
// that finds an object on one of them goes far on the next. So only some levels
// are searched whole, and those between only near windows that came far: what
// scaling, tables and windows of a whole level cost is saved. Windows of levels
// between are few and stand in clusters, so each cell of eight by eight places
// has tables of its own, no larger than its windows.

// A cell is a square of places of a level between.
type cell struct {
	level, x, y int32  // x and y count cells
	asked       uint64 // which windows, row by row
}

// survivors are windows of a strip that passed a probe, and where its first one
// stands.
type survivors struct{ at, windows uint64 }

// appendSurvivors appends the strips with windows that passed, of a band that begins
// with row from of windows.
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

// askedCells is memory for finding out which cells are looked at.
type askedCells struct {
	cells   []cell
	windows []uint64 // of one level, cell by cell
	buf     []survivors
}

// enoughCells is how many cells are looked at together, if not one level has more.
const enoughCells = 1 << 16

// each has look look at the cells that survivors ask for, ordered by level, row and
// column.
func (a *askedCells) each(ctx context.Context, p *plan, all []survivors, look func(context.Context, []cell) error) error {
	var err error
	if a.buf, err = longsort.Stable(ctx, all, a.buf, func(a, b survivors) int { return cmp.Compare(a.at, b.at) }); err != nil {
		return err
	}
	a.cells = a.cells[:0]
	// Strips of the last level that is searched whole, and of the next; the first
	// level is one.
	var before, behind []survivors
	behind, all = ofLevel(all, 0)
	next, work := 0, 0
	for i := range p.levels {
		l := &p.levels[i]
		if i == next {
			before = behind
			for next = i + 1; next < len(p.levels) && !p.levels[next].whole; next++ {
			}
			behind, all = ofLevel(all, next)
		}
		if l.whole || len(before)+len(behind) == 0 {
			continue
		}
		width, height := (l.places.X+cellSide-1)/cellSide, (l.places.Y+cellSide-1)/cellSide
		a.windows = slices.Grow(a.windows[:0], width*height)[:width*height]
		clear(a.windows)
		work += width * height / 4
		for _, strips := range [...][]survivors{before, behind} {
			for _, f := range strips {
				from := &p.levels[levelOf(f.at)]
				x, y := from.place(f.at)
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
		for k, asked := range a.windows {
			if asked != 0 {
				a.cells = append(a.cells, cell{level: int32(i), x: int32(k % width), y: int32(k / width), asked: asked})
			}
		}
		if len(a.cells) >= enoughCells {
			if err := look(ctx, a.cells); err != nil {
				return err
			}
			a.cells = a.cells[:0]
		}
	}
	if len(a.cells) == 0 {
		return nil
	}
	return look(ctx, a.cells)
}

// ofLevel cuts strips of a level off those of the next ones.
func ofLevel(all []survivors, level int) (these, rest []survivors) {
	n := 0
	for n < len(all) && levelOf(all[n].at) == level {
		n++
	}
	return all[:n], all[n:]
}

// near adds the nine windows of l nearest to the one at (x, y) of from to the
// windows of its cells, of which so many stand in a row.
func (l *level) near(windows []uint64, cells int, from *level, x, y int) {
	c := image.Pt(l.nearest(x-from.edge.X, from, from.window.X)+l.edge.X, l.nearest(y-from.edge.Y, from, from.window.Y)+l.edge.Y)
	nine := image.Rect(c.X-1, c.Y-1, c.X+2, c.Y+2).Intersect(image.Rectangle{Max: l.places})
	if nine.Empty() {
		return
	}
	for y := nine.Min.Y / cellSide; y*cellSide < nine.Max.Y; y++ {
		for x := nine.Min.X / cellSide; x*cellSide < nine.Max.X; x++ {
			in := nine.Sub(image.Pt(x*cellSide, y*cellSide)).Intersect(image.Rect(0, 0, cellSide, cellSide))
			row := uint64(1)<<in.Dx() - 1
			for v := in.Min.Y; v < in.Max.Y; v++ {
				windows[y*cells+x] |= row << (v*cellSide + in.Min.X)
			}
		}
	}
}

// nearest returns where on l a window stands whose centre is that of the one at
// x of from, both in pixels of the scaled images, of so many pixels.
func (l *level) nearest(x int, from *level, side int) int {
	half := float64(side) / 2
	centre := float64((float64(x) + half) * (float64(from.factor) / float64(l.factor)))
	return Round(centre - half)
}
