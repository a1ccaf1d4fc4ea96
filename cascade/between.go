package cascade

import (
	"cmp"
	"context"
	"image"
	"math/bits"
	"slices"

	"haarlem/integral"
	"haarlem/internal/longsort"
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

// newCells works it out. It fails only if ctx ends.
func (d *Detector) newCells(ctx context.Context) (*cells, error) {
	k := &cells{cols: cellSide - 1 + d.c.Width}
	rows := cellSide + d.c.Height
	lay := newLayout(d.c, k.cols, 1, 0)
	k.size = rows * lay.stride
	k.batch = max(bandElements/k.size, 1)
	k.lay = newLayout(d.c, k.cols, 1, rows*k.batch)
	var err error
	k.program, err = compile(ctx, d.c, k.lay)
	return k, err
}

// elements returns how many table elements a batch needs.
func (k *cells) elements() int {
	n := k.size * k.batch
	if k.lay.tilt != 0 {
		n *= 2
	}
	return n + k.program.Reach + 2*stripWidth
}

// A far is which windows of a strip came far, and where its first one stands.
type far struct{ at, windows uint64 }

// places appends the strips with windows that came far, of a band that begins with
// row from of windows.
func (a *ask) places(dst []far, b *band, level, from int) []far {
	for r := range a.some {
		if !a.some[r] {
			continue
		}
		for w, windows := range a.far[r*a.words:][:a.words] {
			if windows != 0 {
				dst = append(dst, far{b.at(level, w*stripWidth*b.step, (from+r)*b.step), windows})
			}
		}
	}
	return dst
}

// askedCells is memory for finding out which cells are looked at.
type askedCells struct {
	cells   []cell
	windows []uint64 // of one level, cell by cell
	buf     []far
}

// enoughCells is how many cells are looked at together, if not one level has more.
const enoughCells = 1 << 16

// each has look look at the cells that windows that came far ask for, ordered by
// level, row and column.
func (a *askedCells) each(ctx context.Context, p *plan, all []far, look func([]cell) error) error {
	var err error
	if a.buf, err = longsort.Stable(ctx, all, a.buf, func(a, b far) int { return cmp.Compare(a.at, b.at) }); err != nil {
		return err
	}
	a.cells = a.cells[:0]
	// Strips of the last level that is searched whole, and of the next; the first
	// level is one.
	var before, behind []far
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
		for _, strips := range [...][]far{before, behind} {
			for _, f := range strips {
				from := &p.levels[f.at>>32]
				x, y := from.place(f.at)
				for m := f.windows; m != 0; m &= m - 1 {
					l.near(a.windows, width, from, x+bits.TrailingZeros64(m)*from.step, y)
				}
				if work += 16 * stripWidth; work >= enough {
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
			if err := look(a.cells); err != nil {
				return err
			}
			a.cells = a.cells[:0]
		}
	}
	if len(a.cells) == 0 {
		return nil
	}
	return look(a.cells)
}

// ofLevel cuts strips of a level off those of the next ones.
func ofLevel(all []far, level int) (these, rest []far) {
	n := 0
	for n < len(all) && int(all[n].at>>32) == level {
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
	return round(centre - half)
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
	if err := s.begun(ctx); err != nil {
		return s.ended()
	}
	how := s.plan.cells
	b := band{lay: &how.lay, prog: how.program}
	for i, c := range batch {
		if s.err != nil {
			break
		}
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
		for m := c.asked; m != 0 && s.err == nil; m &= m - 1 {
			n := bits.TrailingZeros64(m)
			s.lookAt(&b, int(c.level), b.left+n%cellSide, y+n/cellSide)
		}
	}
	s.flush(&b)
	return s.ended()
}
