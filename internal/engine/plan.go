package engine

import (
	"context"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/kernel/contrast"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/kernel/sumtable"
	"haarlem/internal/program"
)

// bandElements is about how many table elements a band may have, so that its
// tables stay in the second-level cache.
const bandElements = 128 << 10

// defaultStops says behind how many weak learners lanes halt, for windows of
// 24x24 pixels; copies of larger ones take longer. More stops, or somewhat other
// ones, change the time by a hundredth or two.
var defaultStops = []int{64, 200}

// defaultPoints is how many corners those windows have.
const defaultPoints = 25 * 25

// defaultSwept is how many segments whole strips go through, dead or alive,
// before anybody asks which windows are left. Of those that are looked at there
// are few, then.
const defaultSwept = 4

// A setup is what does not depend on an image: a cascade, and how it is searched.
type setup struct {
	c    *cascade.Cascade // its Search is how it is searched
	o    Options
	near near
	gate contrast.Gate
	solo bool // there are no vectors: behind the first exit windows go one by one

	stopsAfter []int // see defaultStops; nil: lanes do not halt
	sweep      int   // see defaultSwept; 0: there is no sweep

	packed lazy[*program.Program] // for windows in packs
	cells  lazy[*cellGrid]        // for windows of levels between
}

// newSetup returns a setup in which lanes go through all segments as they stand.
func newSetup(c *cascade.Cascade, o Options) *setup {
	s := &setup{c: c, o: o, near: nearOf(c, &o), solo: !lanes.Vectors()}
	area := float64((c.Width - 2) * (c.Height - 2))
	s.gate = contrast.Gate{
		Width: c.Width - 2,
		Area:  area,
		Below: contrast.Below(area, 1/c.MinStdDev), // infinity if there is no gate
	}
	s.packed.make = func(ctx context.Context) (*program.Program, error) {
		return program.Compile(ctx, c, packedLayout(c))
	}
	s.cells.make = func(ctx context.Context) (*cellGrid, error) { return newCellGrid(ctx, c) }
	return s
}

// packedLayout is how a pack's table lies: a window's columns one behind the
// other, of sixteen lanes each.
func packedLayout(c *cascade.Cascade) program.Layout {
	return program.Layout{Step: c.Width + 1, Plane: lanes.Width, Stride: (c.Width + 1) * lanes.Width}
}

// A plan is how images of one size are searched.
type plan struct {
	width, height int
	levels        []level
	units         []unit
	grids         []grid
	packed        *program.Program // for windows in packs
	cells         *cellGrid        // for windows of levels between; nil where there are none
	stops         []int            // behind how many exits they are packed; none: never
	halved        int              // how many times the picture is halved, at most
	perRow        int              // windows of a row of inv and pass
	pixStride     int              // bytes of a row of a level's pixels
}

// A unit is a piece of work: some rows of windows of one level.
type unit struct {
	level    int
	from, to int // rows of windows
}

// A grid is how levels with one step between windows are searched.
type grid struct {
	lay    program.Layout
	prog   *program.Program
	beside *program.Program // for windows one pixel to the right of the grid; nil: none is looked at off it
	swept  int              // segments that strips are swept through; 0: there is no sweep
	rows   int              // of windows that a band has
	tabled int              // rows of tables that a band may have
}

// cellSide is how many places a cell has in a row; the bits of a word are those
// of a cell.
const cellSide = 8

// A cellGrid is how cells of levels between are searched, in pictures of all sizes.
type cellGrid struct {
	grid
	cols  int // pixels of a row
	size  int // table elements of a cell
	batch int // how many lie in the tables together
}

// orderWindows is how many windows a picture must have to be worth an order, which
// takes as long to find as some hundred thousand windows take to be searched.
const orderWindows = 1 << 18

// planFor works out the plan for images of a size, with stages in an order if that
// is worth it. It fails only if ctx ends.
func (s *setup) planFor(ctx context.Context, width, height int, order *lazy[[]int]) (*plan, error) {
	ls, err := levels(ctx, s.c, &s.o, width, height)
	if err != nil {
		return nil, err
	}
	var stages []int
	if order != nil && order.make != nil && visits(ls) >= orderWindows {
		if stages, err = order.get(ctx); err != nil {
			return nil, err
		}
	}
	return s.newPlan(ctx, width, height, ls, stages)
}

// newPlan works out the plan for images of a size, with the pyramid ls. Lanes
// look at the exits in the order; nil: as they stand. It fails only if ctx ends.
func (s *setup) newPlan(ctx context.Context, width, height int, ls []level, order []int) (*plan, error) {
	p := &plan{width: width, height: height, levels: ls}
	for i := range p.levels {
		l := &p.levels[i]
		p.pixStride = max(p.pixStride, roundUp(l.width, 64)+64)
		p.halved = max(p.halved, l.halved)
		p.perRow = max(p.perRow, roundUp(l.nx, program.StripWidth))
		if p.gridOf(l.step) != nil {
			continue
		}
		// The first level of a step is the widest.
		g, err := s.newGrid(ctx, l.width, l.step, order)
		if err != nil {
			return nil, err
		}
		p.grids = append(p.grids, g)
	}
	p.stops = s.stops(p, order)
	if order == nil {
		for i := range p.grids {
			p.grids[i].swept = s.swept(p.grids[i].prog, p.stops)
		}
	}
	var err error
	if p.stops != nil {
		if p.packed, err = s.packed.get(ctx); err != nil { // which is the same for pictures of all sizes
			return nil, err
		}
		if order != nil {
			p.packed = p.packed.Reordered(order)
		}
	}
	if slices.ContainsFunc(p.levels, func(l level) bool { return !l.whole }) {
		if p.cells, err = s.cells.get(ctx); err != nil {
			return nil, err
		}
	}
	p.divide(s.o.workers())
	return p, nil
}

// newGrid compiles the cascade for levels of at most a width.
func (s *setup) newGrid(ctx context.Context, width, step int, order []int) (g grid, err error) {
	lay := program.NewLayout(s.c, width, step, 0)
	more := max(bandElements/lay.Stride, 8*step)
	g.rows, g.tabled = more/step, s.c.Height+1+more
	g.lay = program.NewLayout(s.c, width, step, g.tabled)
	if g.prog, err = program.Compile(ctx, s.c, g.lay); err != nil {
		return g, err
	}
	if order != nil {
		g.prog = g.prog.Reordered(order)
	}
	if s.near.offGrid() && step == 2 {
		lay := g.lay
		lay.Right = 1
		g.beside, err = program.Compile(ctx, s.c, lay)
	}
	return g, err
}

// newCellGrid fails only if ctx ends.
func newCellGrid(ctx context.Context, c *cascade.Cascade) (*cellGrid, error) {
	k := &cellGrid{cols: cellSide - 1 + c.Width}
	rows := cellSide + c.Height
	lay := program.NewLayout(c, k.cols, 1, 0)
	k.size = rows * lay.Stride
	k.batch = max(bandElements/k.size, 1)
	k.lay = program.NewLayout(c, k.cols, 1, rows*k.batch)
	var err error
	k.prog, err = program.Compile(ctx, c, k.lay)
	return k, err
}

// elements returns how many table elements a batch needs.
func (k *cellGrid) elements() int { return elementsOf(&k.lay, k.size*k.batch, k.prog) }

// elements returns how many table elements a band needs.
func (g *grid) elements() int {
	n := elementsOf(&g.lay, g.lay.Stride*g.tabled, g.prog)
	if g.beside != nil {
		n = max(n, elementsOf(&g.lay, g.lay.Stride*g.tabled, g.beside))
	}
	return n
}

// elementsOf returns how many elements tables of so many sums need.
func elementsOf(lay *program.Layout, sums int, p *program.Program) int {
	if lay.Tilt != 0 {
		sums *= 2
	}
	return sums + p.Reach + 2*program.StripWidth // a group at the last row reads past it
}

// gridOf returns the grid for a step, or nil.
func (p *plan) gridOf(step int) *grid {
	for i := range p.grids {
		if p.grids[i].lay.Step == step {
			return &p.grids[i]
		}
	}
	return nil
}

// maxStep returns the largest step of any level.
func (p *plan) maxStep() int {
	m := 0
	for i := range p.grids {
		m = max(m, p.grids[i].lay.Step)
	}
	return m
}

// stops returns where lanes halt: how many exits there are before each stop, in
// the order in which lanes look at them. What probes ask for
// are among them, if others come before. There are none where packs are not worth
// it, or cannot be made.
func (s *setup) stops(p *plan, order []int) []int {
	if !sumtable.FastTogether() || program.Tilted(s.c) || len(p.grids) == 0 || (s.c.Width+1)/p.maxStep() < sumtable.Columns {
		return nil
	}
	points := (s.c.Width + 1) * (s.c.Height + 1)
	after, weak := s.stopsAfter, 0
	var stops []int
	for n := range len(s.c.Exits) - 1 {
		e := n
		if order != nil {
			e = order[n]
		}
		weak += s.c.Exits[e].After
		if e > 0 {
			weak -= s.c.Exits[e-1].After
		}
		due := (n+1 == s.near.x || n+1 == s.near.y || n+1 == s.near.levels) && len(stops) > 0
		for len(after) > 0 && weak*defaultPoints >= after[0]*points {
			after, due = after[1:], true
		}
		if due {
			stops = append(stops, n+1)
		}
	}
	return stops
}

// swept returns how many segments of a program strips are swept through: none
// where that is not worth it. Who asks how far windows come asks behind it.
func (s *setup) swept(prog *program.Program, stops []int) int {
	if !lanes.FastSweep() || s.c.Kind != cascade.Haar || s.o.Windows == WindowsOpenCV {
		return 0
	}
	n := prog.Sweeps(s.sweep)
	for _, exits := range slices.Concat(stops, []int{s.near.x, s.near.y, s.near.levels}) {
		if exits > 0 {
			n = min(n, prog.Ends[exits-1])
		}
	}
	return n
}

// divide cuts the levels into units. One worker takes levels whole; several
// get pieces small enough to end at about the same time.
func (p *plan) divide(workers int) {
	total := 0
	for i := range p.levels {
		if p.levels[i].whole {
			total += p.levels[i].width * p.levels[i].height
		}
	}
	piece := max(total, 1)
	if workers > 1 {
		piece = max(total/(workers*6), 1)
	}
	for i := range p.levels {
		l := &p.levels[i]
		if !l.whole {
			continue
		}
		n := min((l.width*l.height+piece-1)/piece, l.ny)
		for k := range n {
			p.units = append(p.units, unit{i, l.ny * k / n, l.ny * (k + 1) / n})
		}
	}
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
