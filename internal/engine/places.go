package engine

import (
	"context"
	"image"
	"math"

	"haarlem/internal/luma"
)

// Where a coarser search says where objects may be, only windows near these places are
// searched, in cells such as those of levels that are not dense.

// A Place is where an object may be.
type Place struct {
	X, Y float64 // its centre in the image
	Side float64 // of a square as large as its box
}

// A window is near a place if its side is no more than nearSide times as large, and no
// less than that much smaller, and if its centre is no farther away, across and down,
// than nearShift of the place's side. models/EXPERIMENTS.md says what others do.
const nearSide, nearShift = 1.25, 0.2

// Near searches g with all engines, each near its own places: those of engine n are
// places[n]. It is for engines with OnlyNear. [Search.Found] returns what was found.
func (s *Search) Near(ctx context.Context, g luma.Plane, places [][]Place) error {
	if err := s.prepare(ctx, g.Width, g.Height); err != nil {
		return err
	}
	first := s.runs[0]
	if len(first.plan.levels) == 0 {
		return nil
	}
	n := first.e.o.workers()
	defer func() { s.image.image = luma.Plane{} }()
	if err := s.begin(ctx, g, n); err != nil {
		return err
	}
	for i, r := range s.runs {
		if err := r.finder.near(ctx, r, places[i]); err != nil {
			return err
		}
		if err := r.collect(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// near searches the cells near places, ordered by level, row and column.
func (a *cellFinder) near(ctx context.Context, r *run, places []Place) error {
	a.cells = a.cells[:0]
	work := 0
	for i := range r.plan.levels {
		l, width := &r.plan.levels[i], 0
		for _, p := range places {
			if work += 16; work >= checkEvery {
				if err := ctx.Err(); err != nil {
					return err
				}
				work = 0
			}
			part := l.around(p)
			if part.Empty() {
				continue
			}
			if width == 0 {
				width = a.begin(l)
				work += len(a.windows) / 4
			}
			mark(a.windows, width, part, r.e.grid(l))
			work += part.Dx() * part.Dy() / 4
		}
		if width == 0 {
			continue
		}
		if err := a.level(ctx, i, width, r.cellsFound); err != nil {
			return err
		}
	}
	return a.rest(ctx, r.cellsFound)
}

// grid returns the windows of each cell of a level that are searched: those of the grid,
// or all where windows between them may be searched too, or cells do not fit the grid.
func (s *setup) grid(l *level) uint64 {
	all := ^uint64(0)
	if s.near.offGrid() || cellSide%l.step != 0 {
		return all
	}
	row, grid := uint64(0), uint64(0)
	for x := 0; x < cellSide; x += l.step {
		row |= 1 << x
	}
	for y := 0; y < cellSide; y += l.step {
		grid |= row << (y * cellSide)
	}
	return grid
}

// around returns the positions of windows of a level that are near a place.
func (l *level) around(p Place) image.Rectangle {
	if r := float64(l.size.X) / p.Side; !(r <= nearSide && r >= 1/nearSide) {
		return image.Rectangle{}
	}
	between := func(centre float64, side, edge, limit int) (from, to int) {
		at := centre/float64(l.factor) - float64(side)/2 + float64(edge)
		far := float64(nearShift*p.Side) / float64(l.factor)
		return int(math.Ceil(max(at-far, 0))), int(math.Floor(min(at+far, float64(limit-1)))) + 1
	}
	x0, x1 := between(p.X, l.window.X, l.edge.X, l.positions.X)
	y0, y1 := between(p.Y, l.window.Y, l.edge.Y, l.positions.Y)
	if x0 >= x1 || y0 >= y1 {
		return image.Rectangle{}
	}
	return image.Rect(x0, y0, x1, y1)
}
