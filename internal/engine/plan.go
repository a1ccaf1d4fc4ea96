package engine

import (
	"context"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/kernel/contrast"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/kernel/resize"
	"haarlem/internal/kernel/sumtable"
	"haarlem/internal/program"
)

// bandElements is about the number of table elements of a band, so that its tables
// stay in the second-level cache.
const bandElements = 128 << 10

// defaultStops are the numbers of weak classifiers after which survivors are
// compacted, for windows of 24x24 pixels. Copying larger windows takes longer. More
// stops, or slightly different ones, change the time by one or two per cent.
var defaultStops = []int{64, 200}

// defaultPoints is the number of table elements of such a window.
const defaultPoints = 25 * 25

// defaultSwept is the number of segments that a sweep evaluates for all windows of a
// strip, rejected or not, before it collects the few survivors.
const defaultSwept = 4

// A setup is a cascade and how it is searched, whatever the image.
type setup struct {
	c      *cascade.Cascade // its Search is the one in force
	o      Options
	near   near
	gate   contrast.Gate
	scalar bool // without vectors, windows after the first exit are evaluated one by one

	stopsAfter []int // see defaultStops; nil means no compaction
	sweep      int   // see defaultSwept; 0 means no sweep

	compact lazy[*program.Program] // for compacted windows; for others it is placed anew
	cells   lazy[*cellGrid]        // for levels that are not dense
}

// newSetup returns a setup without compaction and sweeps.
func newSetup(c *cascade.Cascade, o Options) *setup {
	s := &setup{c: c, o: o, near: nearOf(c, &o), scalar: !lanes.Vectors()}
	area := float64((c.Width - 2) * (c.Height - 2))
	s.gate = contrast.Gate{
		Width: c.Width - 2,
		Area:  area,
		Below: contrast.Below(area, 1/c.MinStdDev), // infinity without a gate
	}
	s.compact.make = func(ctx context.Context) (*program.Program, error) {
		return program.Compile(ctx, c, compactLayout(c))
	}
	s.cells.make = s.newCellGrid
	return s
}

// compactLayout is the layout of compacted windows: the columns of a window one after
// the other, each with 16 lanes.
func compactLayout(c *cascade.Cascade) program.Layout {
	return program.Layout{Step: c.Width + 1, Plane: lanes.Width, Stride: (c.Width + 1) * lanes.Width}
}

// A plan is all that depends on the size of an image only.
type plan struct {
	width, height int
	levels        []level
	units         []unit
	grids         []grid
	order         []int            // of exits in the grids' programs; nil means the model's
	compact       *program.Program // for compacted windows
	cells         *cellGrid        // for levels that are not dense; nil without any
	stops         []int            // numbers of exits after which survivors are compacted; none: never
	halved        int              // the most halvings of a level
	perRow        int              // windows in a row of inv and pass
	pixStride     int              // bytes in a row of a level's pixels
}

// A unit of work is some rows of windows of one level.
type unit struct {
	level    int
	from, to int // rows of windows
}

// A grid is what levels with the same step between windows share.
type grid struct {
	lay    program.Layout
	prog   *program.Program
	beside *program.Program // for windows one pixel to the right of the grid; nil if none are searched off it
	swept  int              // segments of a sweep; 0 means no sweep
	stages []int            // ends of sweeps with OpenCV's rule of windows; see denseStages
	rows   int              // of windows in a band
	tabled int              // table rows in a band, at most
}

// cellSide is the side of a cell, in window positions, which are a word of bits.
const cellSide = 8

// A cellGrid is for cells of levels that are not dense, in images of all sizes.
type cellGrid struct {
	grid
	cols  int // pixels in a row
	size  int // table elements of a cell
	batch int // cells in the tables at a time
}

// orderWindows is the number of windows from which finding an order of stages pays.
// It takes as long as searching some hundred thousand windows.
const orderWindows = 1 << 18

// planFor makes the plan for images of a size, with stages reordered if that pays. It
// uses programs of the last plan, which may be nil. It fails only if ctx ends.
func (s *setup) planFor(ctx context.Context, width, height int, order *lazy[[]int], last *plan) (*plan, error) {
	ls, err := levels(ctx, s.c, &s.o, width, height)
	if err != nil {
		return nil, err
	}
	return s.planOn(ctx, width, height, ls, order, last)
}

// planOn is planFor for a pyramid that is made already.
func (s *setup) planOn(ctx context.Context, width, height int, ls []level, order *lazy[[]int], last *plan) (*plan, error) {
	var stages []int
	if order != nil && order.make != nil && visits(ls) >= orderWindows {
		var err error
		if stages, err = order.get(ctx); err != nil {
			return nil, err
		}
	}
	return s.newPlan(ctx, width, height, ls, stages, last)
}

// newPlan makes the plan for images of a size and their pyramid. Lanes evaluate exits
// in the given order; nil means the model's. It fails only if ctx ends.
func (s *setup) newPlan(ctx context.Context, width, height int, ls []level, order []int, last *plan) (*plan, error) {
	p := &plan{width: width, height: height, levels: ls, order: order}
	if len(ls) == 0 {
		return p, nil
	}
	compact, err := s.compact.get(ctx)
	if err != nil {
		return nil, err
	}
	if order != nil {
		compact = compact.Reordered(order)
	}
	for i := range p.levels {
		l := &p.levels[i]
		if !l.copied && l.x.Index == nil { // else another cascade's plan has them
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			l.x = resize.NewScale(width, l.scaled.X).Halved(l.halved).Axis(l.scaled.X)
			l.y = resize.NewScale(height, l.scaled.Y).Halved(l.halved).Axis(l.scaled.Y)
		}
		p.pixStride = max(p.pixStride, roundUp(l.width, 64)+64)
		p.halved = max(p.halved, l.halved)
		p.perRow = max(p.perRow, roundUp(l.nx, program.StripWidth))
		if s.o.OnlyNear || p.gridOf(l.step) != nil {
			continue
		}
		// The first level of a step is the widest.
		g, err := s.newGrid(ctx, l, compact, last.grid(l.step, order))
		if err != nil {
			return nil, err
		}
		p.grids = append(p.grids, g)
	}
	p.stops = s.stops(p, order)
	for i := range p.grids {
		p.grids[i].stages = s.denseStages(p.grids[i].prog, p.stops)
	}
	if order == nil {
		for i := range p.grids {
			p.grids[i].swept = s.swept(p.grids[i].prog, p.stops)
		}
	}
	if p.stops != nil {
		p.compact = compact
	}
	if slices.ContainsFunc(p.levels, func(l level) bool { return !l.dense }) {
		if p.cells, err = s.cells.get(ctx); err != nil {
			return nil, err
		}
	}
	p.divide(s.o.workers())
	return p, nil
}

// newGrid places prog for levels up to a width, or takes another grid of it, if that has
// the same layout. It fails only if ctx ends.
func (s *setup) newGrid(ctx context.Context, l *level, prog *program.Program, other *grid) (g grid, err error) {
	width, step := l.width, l.step
	lay := program.NewLayout(s.c, width, step, 0)
	// Not by the exact height, so that images of other sizes have the same layout.
	more := max(min(bandElements/lay.Stride, roundUp(l.height, 256)), 8*step)
	g.rows, g.tabled = more/step, s.c.Height+1+more
	g.lay = program.NewLayout(s.c, width, step, g.tabled)
	if other != nil && other.lay == g.lay {
		g.prog, g.beside = other.prog, other.beside
		return g, nil
	}
	if g.prog, err = prog.In(ctx, g.lay); err != nil {
		return g, err
	}
	if s.near.offGrid() && step == 2 {
		lay := g.lay
		lay.Right = 1
		g.beside, err = prog.In(ctx, lay)
	}
	return g, err
}

// newCellGrid places the cascade's program for cells. It fails only if ctx ends.
func (s *setup) newCellGrid(ctx context.Context) (*cellGrid, error) {
	c := s.c
	prog, err := s.compact.get(ctx)
	if err != nil {
		return nil, err
	}
	k := &cellGrid{cols: cellSide - 1 + c.Width}
	rows := cellSide + c.Height
	lay := program.NewLayout(c, k.cols, 1, 0)
	k.size = rows * lay.Stride
	k.batch = max(bandElements/k.size, 1)
	k.lay = program.NewLayout(c, k.cols, 1, rows*k.batch)
	k.prog, err = prog.In(ctx, k.lay)
	return k, err
}

// elements returns the number of table elements of a batch.
func (k *cellGrid) elements() int { return elementsOf(&k.lay, k.size*k.batch, k.prog) }

// elements returns the number of table elements of a band.
func (g *grid) elements() int {
	n := elementsOf(&g.lay, g.lay.Stride*g.tabled, g.prog)
	if g.beside != nil {
		n = max(n, elementsOf(&g.lay, g.lay.Stride*g.tabled, g.beside))
	}
	return n
}

// elementsOf returns the number of elements for tables of that many sums.
func elementsOf(lay *program.Layout, sums int, p *program.Program) int {
	if lay.Tilt != 0 {
		sums *= 2
	}
	return sums + p.Reach + 2*program.StripWidth // groups in the last row read past its end
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

// grid returns the grid of a plan for a step, if its programs have that order, or nil.
// The plan may be nil.
func (p *plan) grid(step int, order []int) *grid {
	if p == nil || !slices.Equal(p.order, order) {
		return nil
	}
	return p.gridOf(step)
}

// maxStep returns the largest step of any level that is searched densely, at least 1.
func (p *plan) maxStep() int {
	m := 1
	for i := range p.grids {
		m = max(m, p.grids[i].lay.Step)
	}
	return m
}

// stops returns the numbers of exits after which survivors are compacted, in the
// order in which lanes evaluate exits. Exits of probes are among them if an earlier
// stop is. There are none where compaction does not pay or is not possible.
func (s *setup) stops(p *plan, order []int) []int {
	if !sumtable.FastTogether() || program.Tilted(s.c) || (s.c.Width+1)/p.maxStep() < sumtable.Columns {
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

// swept returns the number of segments of a sweep: 0 where it does not pay. No stop
// and no probe lies within a sweep.
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

// denseStages returns the ends of sweeps of all windows of a strip, with OpenCV's rule of
// windows: of the first exit, or 0 where that does not pay, and of the next exits in the
// order of lanes, or of the beginning of one.
func (s *setup) denseStages(prog *program.Program, stops []int) []int {
	ends := []int{0}
	if s.o.Windows != WindowsOpenCV {
		return ends
	}
	if prog.FirstSure == math.MinInt32 && sweepEnd(prog, 0, prog.First) == prog.First {
		ends[0] = prog.First
	}
	if !s.c.Exits[0].Restart || s.near.any() {
		return ends
	}
	from := prog.First
	_, limit := lanes.PatternSweep()
	for e := 1; e < len(prog.Ends) && (stops == nil || e < stops[0]) && e <= limit; e++ {
		end := sweepEnd(prog, from, prog.Ends[e])
		if end > from {
			ends = append(ends, end)
		}
		if end < prog.Ends[e] || !prog.Tabulated(from) {
			break
		}
		from = end
	}
	return ends
}

// sweepEnd returns the end of a sweep from segment from on, and before to. One that does
// not pay ends where it begins.
func sweepEnd(prog *program.Program, from, to int) int {
	switch {
	case to == from+1 && prog.Tabulated(from):
		if groups, _ := lanes.PatternSweep(); groups > 0 {
			return to
		}
	case lanes.FastStage():
		return prog.StageSweeps(from, to)
	}
	return from
}

// divide cuts the levels into units: whole levels for one worker, and pieces for
// several, small enough that all end at about the same time.
func (p *plan) divide(workers int) {
	total := 0
	for i := range p.levels {
		if p.levels[i].dense {
			total += p.levels[i].width * p.levels[i].height
		}
	}
	piece := max(total, 1)
	if workers > 1 {
		piece = max(total/(workers*6), 1)
	}
	for i := range p.levels {
		l := &p.levels[i]
		if !l.dense {
			continue
		}
		n := min((l.width*l.height+piece-1)/piece, l.ny)
		for k := range n {
			p.units = append(p.units, unit{i, l.ny * k / n, l.ny * (k + 1) / n})
		}
	}
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
