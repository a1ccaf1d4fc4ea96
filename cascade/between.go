package cascade

import (
	"cmp"
	"context"
	"image"
	"math/bits"
	"slices"

	"haarlem/integral"
)

// Levels of a pyramid that differ by a tenth show nearly the same, and a window
// that finds an object on one of them goes far on the next. So only some levels
// are searched whole, and those between only near windows that came far: what
// scaling, tables and windows of a whole level cost is saved. Windows of levels
// between are few and stand in clusters, so each cell of eight by eight places
// has tables of its own, no larger than its windows.

// wholeApart is the largest factor between two levels that are searched whole.
const wholeApart = 1.25

// apart returns every how many levels one is searched whole.
func (o *Options) apart() int {
	n := 1
	if o.Between > 0 {
		for f := o.Scale * o.Scale; f <= wholeApart; f *= o.Scale {
			n++
		}
	}
	return n
}

// cellSide is how many places a cell has in a row; the bits of a word are those
// of a cell.
const cellSide = 8

// A cell is a square of places of a level between.
type cell struct {
	level, x, y int32  // x and y count cells
	asked       uint64 // which windows, row by row
}

// cells says how they are searched, in pictures of all sizes.
type cells struct {
	lay     layout
	program *program
	cols    int // pixels of a row
	size    int // table elements of a cell
	batch   int // how many lie in the tables together
}

// newCells works it out.
func (d *Detector) newCells() *cells {
	k := &cells{cols: cellSide - 1 + d.c.Width}
	rows := cellSide + d.c.Height
	lay := newLayout(d.c, k.cols, 1, 0)
	k.size = rows * lay.stride
	k.batch = max(bandElements/k.size, 1)
	k.lay = newLayout(d.c, k.cols, 1, rows*k.batch)
	k.program = compile(d.c, k.lay)
	return k
}

// elements returns how many table elements a batch needs.
func (k *cells) elements() int {
	n := k.size * k.batch
	if k.lay.tilt != 0 {
		n *= 2
	}
	return n + k.program.Reach + 2*stripWidth
}

// places appends the places of the windows that came far, of a band that begins
// with row from of windows.
func (a *ask) places(dst []uint64, b *band, level, from int) []uint64 {
	for r := range a.some {
		if !a.some[r] {
			continue
		}
		for w, far := range a.far[r*a.words:][:a.words] {
			for ; far != 0; far &= far - 1 {
				x := w*stripWidth + bits.TrailingZeros64(far)
				dst = append(dst, b.at(level, x*b.step, (from+r)*b.step))
			}
		}
	}
	return dst
}

// asked appends the cells that windows that came far ask for.
func (p *plan) asked(dst []cell, far []uint64) []cell {
	for _, at := range far {
		k := int(at >> 32)
		l := &p.levels[k]
		x, y := l.place(at)
		for i := k - 1; i >= 0 && !p.levels[i].whole; i-- {
			dst = p.levels[i].near(dst, i, l, x, y)
		}
		for i := k + 1; i < len(p.levels) && !p.levels[i].whole; i++ {
			dst = p.levels[i].near(dst, i, l, x, y)
		}
	}
	return dst
}

// near appends the cells of l, level number index, that hold the nine windows
// nearest to the one at (x, y) of from.
func (l *level) near(dst []cell, index int, from *level, x, y int) []cell {
	c := image.Pt(l.nearest(x-from.edge.X, from, from.window.X)+l.edge.X, l.nearest(y-from.edge.Y, from, from.window.Y)+l.edge.Y)
	nine := image.Rect(c.X-1, c.Y-1, c.X+2, c.Y+2).Intersect(image.Rectangle{Max: l.places})
	if nine.Empty() {
		return dst
	}
	for y := nine.Min.Y / cellSide; y*cellSide < nine.Max.Y; y++ {
		for x := nine.Min.X / cellSide; x*cellSide < nine.Max.X; x++ {
			in := nine.Sub(image.Pt(x*cellSide, y*cellSide)).Intersect(image.Rect(0, 0, cellSide, cellSide))
			row := uint64(1)<<in.Dx() - 1
			k := cell{level: int32(index), x: int32(x), y: int32(y)}
			for v := in.Min.Y; v < in.Max.Y; v++ {
				k.asked |= row << (v*cellSide + in.Min.X)
			}
			dst = append(dst, k)
		}
	}
	return dst
}

// nearest returns where on l a window stands whose centre is that of the one at
// x of from, both in pixels of the scaled images, of so many pixels.
func (l *level) nearest(x int, from *level, side int) int {
	half := float64(side) / 2
	centre := float64((float64(x) + half) * (float64(from.factor) / float64(l.factor)))
	return round(centre - half)
}

// mergeCells puts cells in order and makes one of those that are the same.
func mergeCells(all []cell) []cell {
	slices.SortFunc(all, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
	})
	kept := all[:0]
	for _, c := range all {
		if n := len(kept) - 1; n >= 0 && kept[n].level == c.level && kept[n].y == c.y && kept[n].x == c.x {
			kept[n].asked |= c.asked
		} else {
			kept = append(kept, c)
		}
	}
	return kept
}

// workCells does cells until none is left.
func (s *scanner) workCells() {
	j := s.job
	defer j.wg.Done()
	batch := j.plan.cells.batch
	for j.err.Load() == nil {
		i := (int(j.next.Add(1)) - 1) * batch
		if i >= len(j.cells) {
			return
		}
		if err := s.doCells(j.ctx, &j.g, j.cells[i:min(i+batch, len(j.cells))]); err != nil {
			failed := err
			j.err.Store(&failed)
		}
	}
}

// doCells visits the windows of a batch of cells.
func (s *scanner) doCells(ctx context.Context, g *integral.Grey, batch []cell) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	how := s.plan.cells
	b := band{lay: &how.lay, prog: how.program}
	for i, c := range batch {
		b.level = &s.plan.levels[c.level]
		b.base, b.built = i*how.size, 0
		b.left = int(c.x) * cellSide
		b.cols = min(how.cols, b.width-b.left)
		if !b.copied {
			b.across, b.skip = b.x.Cut(b.inner())
		}
		y := int(c.y) * cellSide
		s.begin(&b, y+bits.TrailingZeros64(c.asked)/cellSide)
		s.build(&b, s.halves.of(g, b.level), y+(bits.Len64(c.asked)-1)/cellSide+s.d.c.Height)
		for m := c.asked; m != 0; m &= m - 1 {
			n := bits.TrailingZeros64(m)
			s.lookAt(&b, int(c.level), b.left+n%cellSide, y+n/cellSide)
		}
	}
	s.flush(&b)
	return nil
}
