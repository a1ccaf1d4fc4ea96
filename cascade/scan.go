package cascade

import (
	"context"
	"image"
	"math"
	"math/bits"
	"slices"

	"haarlem/integral"
	"haarlem/internal/kernel/contrast"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/kernel/resize"
	"haarlem/internal/kernel/sumtable"
)

// stripWidth is how many windows of a row are looked at together. The scan
// goes down a strip row by row, so that the strip's part of the tables stays
// in the first-level cache.
const stripWidth = 64

// bandElements is about how many table elements a band may have, so that its
// tables stay in the second-level cache.
const bandElements = 128 << 10

// A candidate is a window that passed every exit.
type candidate struct {
	level, x, y int32 // x and y in level pixels
	box         image.Rectangle
	margin      float64
}

// A hit is a candidate in little memory, since cascades in training have
// millions, which are put in order.
type hit struct {
	at     uint64 // level, row and column, in this order: see level.at
	margin float64
}

// A unit is a piece of work: some rows of windows of one level.
type unit struct {
	level    int
	from, to int // rows of windows
}

// A scanner does units, one at a time, and holds the memory for that.
type scanner struct {
	d        *Detector
	plan     *plan
	job      *job
	halves   *halves
	run      func() // work, made once so that starting it allocates nothing
	runCells func() // workCells, as well

	tab       []uint16          // sum rows of the band, and behind them tilted rows
	pix       []byte            // pixel rows of the band
	plain     [2][]uint16       // the last sum rows, not yet split
	tilts     [3][]uint16       // the last tilted rows, not yet split
	scaled    [2][]uint16       // source rows scaled horizontally
	scaledRow [2]int            // which ones
	columns   columns           // for the contrast
	none      []byte            // a row of zeros
	inv       []float32         // contrast of the band's windows
	pass      []uint64          // which of them have enough
	carry     []bool            // per row: the next window is skipped
	groups    []lanes.Group     // of a strip
	alive     [sweptRows]uint64 // what a sweep has left of a strip's rows
	scores    [sweptRows*stripWidth + lanes.Width]int32
	scratch   lanes.Scratch
	hits      []hit
	room      int     // for so many more is none reserved; see scanner.found
	cost      *Cost   // if not nil, windows are counted instead
	left      []int   // how many left at each exit, and how many at none
	near      *nearby // nil if nothing depends on how far windows came
	far       []far   // windows near which levels between are looked at
	packs     *packer // nil if windows stay in the groups of their neighbours

	look func(b *band, from, to int) // if not nil, is called instead

	ctx   context.Context // of the work at hand
	spent int             // since it was looked at
	err   error           // that ends the work
}

// A band is the part of a level that the tables hold at one time.
type band struct {
	*level
	lay    *layout
	prog   *program
	beside *program    // for windows one pixel to the right of the grid; nil: none is looked at off it
	asks   []*ask      // who asks how far the band's windows come
	across resize.Axis // of the level's pixels from left on
	skip   int         // what it has before them
	fresh  lanes.Group // a group that has not begun: each score is the level's start
	base   int         // where in the tables the band begins
	left   int         // pixel column that stands first in the tables
	cols   int         // how many there are
	start  int         // pixel row where the tables' sums begin
	top    int         // pixel row that stands first in the tables
	pixTop int         // pixel row that stands first in pix: up to step earlier
	built  int         // table rows that are built, counted from top
	rows   int         // window rows that fit
}

// do scans one unit. The picture g is halved by now as often as its level wants.
func (s *scanner) do(ctx context.Context, g *integral.Grey, u unit) error {
	if err := s.begun(ctx); err != nil {
		return s.ended()
	}
	s.rows(g, u)
	return s.ended()
}

// rows does what do does.
func (s *scanner) rows(g *integral.Grey, u unit) {
	l := &s.plan.levels[u.level]
	g = s.halves.of(g, l)
	which := s.plan.layoutOf(l.step)
	b := band{level: l, lay: &s.plan.layouts[which], prog: s.plan.programs[which], beside: s.plan.beside[which]}
	b.across, b.cols = l.x, l.width
	b.rows = s.plan.bandRows(which)
	b.asks = s.near.of(l)
	s.columns.forget(s.d.c.Width, l.step)
	margin := 0
	if b.beside != nil {
		margin = s.near.margin()
	}
	s.begin(&b, max(u.from*l.step-margin, 0))
	for from := u.from; from < u.to; from += b.rows {
		if s.account(); s.err != nil {
			return
		}
		to := min(from+b.rows, u.to)
		s.advance(&b, max(from*l.step-margin, 0))
		s.build(&b, g, min((to-1)*l.step+s.d.c.Height+margin, l.height))
		if s.d.c.Kind == Haar {
			s.contrast(&b, from, to)
		}
		if s.err != nil {
			return
		}
		for _, a := range b.asks {
			a.forget()
		}
		switch {
		case s.cost != nil:
			s.count(&b, from, to)
		case s.look != nil:
			seen := b // what look is given escapes, and b must not
			s.look(&seen, from, to)
			continue
		default:
			s.scan(&b, u.level, from, to)
			s.flush(&b)
		}
		if b.beside != nil {
			s.lookNearby(&b, u.level, from, to)
			s.flush(&b)
		}
		if s.near != nil {
			s.far = s.near.between.places(s.far, &b, u.level, from)
		}
	}
}

// begin makes the tables ready for a band that begins at pixel row y, and groups
// for its level.
func (s *scanner) begin(b *band, y int) {
	start := b.prog.start(b.level)
	for l := range b.fresh.Score {
		b.fresh.Score[l] = start
	}
	b.start, b.top, b.pixTop = y, y, y
	s.scaledRow = [2]int{-1, -1}
	clear(s.plain[0][:b.cols+1])
	s.placeRow(b, 0, s.plain[0])
	if b.lay.tilt != 0 {
		clear(s.tilts[0])
		s.placeTilted(b, 0, s.tilts[0])
	}
}

// advance drops the rows above pixel row y.
func (s *scanner) advance(b *band, y int) {
	n := y - b.top
	if n == 0 {
		return
	}
	stride := b.lay.stride
	copy(s.tab, s.tab[n*stride:(b.built+1)*stride])
	if t := b.lay.tilt; t != 0 {
		copy(s.tab[t:], s.tab[t+n*stride:t+(b.built+1)*stride])
	}
	b.top += n
	b.built -= n
	// The contrast of the next row still takes out what is above it.
	n = max(b.top-b.step-b.pixTop, 0)
	copy(s.pix, s.pix[n*s.plan.pixStride:(b.top+b.built-b.pixTop)*s.plan.pixStride])
	b.pixTop += n
}

// pixels returns row y of the level's pixels, which must be in the band, and
// what stands behind it.
func (s *scanner) pixels(b *band, y int) []byte {
	return s.pix[(y-b.pixTop)*s.plan.pixStride:]
}

// build makes pixel and table rows up to pixel row end.
func (s *scanner) build(b *band, g *integral.Grey, end int) {
	for y := b.top + b.built; y < end && s.err == nil; y++ {
		s.spend(b.cols / 4)
		row := s.pixels(b, y)
		s.scaleRow(b, g, y, row)
		b.built++
		if b.lay.step == 1 {
			// Straight into the table; the row above is there.
			at := b.base + b.built*b.lay.stride
			sumtable.Sum(s.tab[at:], s.tab[at-b.lay.stride:], row, b.cols)
		} else {
			sumtable.Sum(s.plain[1], s.plain[0], row, b.cols)
			s.placeRow(b, b.built, s.plain[1])
			s.plain[0], s.plain[1] = s.plain[1], s.plain[0]
		}
		if b.lay.tilt != 0 {
			var before []byte
			if y > b.start {
				before = s.pixels(b, y-1)
			}
			sumtable.Tilt(s.tilts[2], s.tilts[0], s.tilts[1], row, before, b.cols)
			s.placeTilted(b, b.built, s.tilts[2])
			s.tilts[0], s.tilts[1], s.tilts[2] = s.tilts[2], s.tilts[0], s.tilts[1]
		}
	}
}

// placeRow stores row y of the band's sum table.
func (s *scanner) placeRow(b *band, y int, row []uint16) {
	s.store(b, s.tab[b.base+y*b.lay.stride:][:b.lay.stride], row)
}

// placeTilted stores row y of the band's tilted table.
func (s *scanner) placeTilted(b *band, y int, row []uint16) {
	s.store(b, s.tab[b.lay.tilt+b.base+y*b.lay.stride:][:b.lay.stride], row)
}

func (s *scanner) store(b *band, dst, row []uint16) {
	if b.lay.step == 1 {
		copy(dst, row[:b.cols+1])
		return
	}
	sumtable.Split(dst, row, b.cols+1, b.lay.step, b.lay.plane)
}

// inner returns which columns of the scaled image the band has.
func (b *band) inner() (from, to int) {
	left := b.left - b.edge.X
	return max(left, 0), min(left+b.cols, b.scaled.X)
}

// scaleRow makes row y of the band's pixels. Beyond the edge they go on as
// those at the edge do.
func (s *scanner) scaleRow(b *band, g *integral.Grey, y int, dst []byte) {
	y = min(max(y-b.edge.Y, 0), b.scaled.Y-1)
	from, to := b.inner()
	n, before := to-from, from-(b.left-b.edge.X)
	row := dst[before:]
	if b.copied {
		copy(row[:n], g.Row(y)[from:to])
	} else {
		i, part := int(b.y.Index[y]), b.y.Part[y]
		resize.Blend(row, s.scaledSource(b, g, i)[b.skip:], s.scaledSource(b, g, i+1)[b.skip:], n, part)
	}
	for i := range before {
		dst[i] = row[0]
	}
	for i := n; before+i < b.cols; i++ {
		row[i] = row[n-1]
	}
}

// scaledSource returns source row i scaled horizontally. Two are kept, since
// neighbouring rows of a level share them.
func (s *scanner) scaledSource(b *band, g *integral.Grey, i int) []uint16 {
	slot := i & 1
	row := s.scaled[slot]
	if s.scaledRow[slot] != i {
		resize.Row(row, g.Row(i), &b.across)
		s.scaledRow[slot] = i
	}
	return row
}

// contrast works out inv and pass for the window rows from to to-1.
func (s *scanner) contrast(b *band, from, to int) {
	c := &s.columns
	gate := s.d.gate
	gate.Width /= c.per
	for r := from; r < to && s.err == nil; r++ {
		s.spend(b.width / 4)
		s.sumColumns(b, r*b.step)
		n := roundUp(b.nx, stripWidth)
		i := (r - from) * s.plan.perRow
		contrast.Row(s.inv[i:i+n], s.pass[i/64:(i+n)/64], c.psum, c.psq, b.nx, b.step/c.per, &gate)
	}
}

// columns are sums down the pixel columns of windows in one row, less their
// border.
type columns struct {
	per       int // how many columns go into one sum
	first     int // pixel row that they begin with; -1: there are none
	sum, sq   []uint32
	psum, psq []uint32 // running sums of them
}

// newColumns allocates them for so many pixels, with what kernels write behind.
func newColumns(width int) columns {
	return columns{
		sum: make([]uint32, width), sq: make([]uint32, width),
		psum: make([]uint32, width+1), psq: make([]uint32, width+1),
	}
}

// forget makes them ready for windows of a width that stand step pixels apart,
// somewhere else.
func (c *columns) forget(width, step int) {
	c.first, c.per = -1, 1
	if step == 2 && width%2 == 0 {
		c.per = 2
	}
}

// sumColumns brings s.columns to the windows in pixel row y, which only goes
// down.
func (s *scanner) sumColumns(b *band, y int) {
	c := &s.columns
	height := s.d.c.Height - 2
	first := y + 1
	x, move, sum, sq, sums := 0, contrast.Move, c.sum, c.sq, b.width
	if c.per == 2 {
		// Windows' columns less their border begin at odd ones. Before them is
		// a sum of none, so that the windows do not begin with the first.
		x, move, sum, sq, sums = 1, contrast.MovePairs, c.sum[1:], c.sq[1:], (b.width-1)/2
	}
	if c.first < 0 || first-c.first >= height {
		clear(c.sum)
		clear(c.sq)
		for i := range height {
			if s.spend(b.width / 8); s.err != nil {
				return
			}
			move(sum, sq, s.pixels(b, first+i)[x:], s.none, sums)
		}
	} else {
		for i := c.first; i < first; i++ {
			move(sum, sq, s.pixels(b, i+height)[x:], s.pixels(b, i)[x:], sums)
		}
	}
	c.first = first
	contrast.Prefix(c.psum, c.sum, sums+c.per-1)
	contrast.Prefix(c.psq, c.sq, sums+c.per-1)
}

// scan visits the windows of the rows from to to-1.
func (s *scanner) scan(b *band, level, from, to int) {
	rows := to - from
	carry := s.carry[:rows]
	clear(carry)
	for x := 0; x < b.nx; x += stripWidth {
		in := ^uint64(0)
		if n := b.nx - x; n < stripWidth {
			in >>= stripWidth - n
		}
		if b.prog.swept > 0 {
			s.sweep(b, level, from, to, x, in)
			continue
		}
		for r := range rows {
			if s.err != nil {
				return
			}
			i := r*s.plan.perRow + x
			alive := in
			if s.d.c.Kind == Haar {
				alive &= s.pass[i/64]
			}
			at := ((from+r)*b.step-b.top)*b.lay.stride + x
			if s.d.skip {
				alive = s.visited(b, at, i, alive, &carry[r])
			}
			if alive != 0 {
				first := 0
				if s.d.skip && s.d.c.Exits[0].Restart {
					first = b.prog.first
				}
				s.rest(b, b.at(level, x*b.step, (from+r)*b.step), s.group(b, alive), first, first, at, i)
			}
		}
	}
}

// sweptRows is how many rows of a strip are swept at a time.
const sweptRows = 16

// sweep visits the windows of a strip in the rows from to to-1, where they go
// through the first segments row by row.
func (s *scanner) sweep(b *band, level, from, to, x int, in uint64) {
	for y := from; y < to && s.err == nil; y += sweptRows {
		rows := lanes.Rows{
			Tab: s.tab, At: (y*b.step-b.top)*b.lay.stride + x, Next: b.step * b.lay.stride,
			Inv: s.inv, Pass: s.pass, I: (y-from)*s.plan.perRow + x, PerRow: s.plan.perRow,
			Start: b.fresh.Score[0],
			Alive: s.alive[:min(sweptRows, to-y)], Score: s.scores[:],
		}
		b.prog.Sweep(&s.scratch, b.prog.swept, &rows)
		s.groups = s.groups[:0]
		for r, alive := range rows.Alive {
			n := len(s.groups)
			s.addGroups(b, alive&in)
			for k := range s.groups[n:] {
				g := &s.groups[n+k]
				g.Score = [lanes.Width]int32(rows.Score[r*stripWidth+int(g.X):])
				g.X += int32(r * rows.Next)
				g.I += int32(r * rows.PerRow)
			}
		}
		if len(s.groups) > 0 {
			s.rest(b, b.at(level, x*b.step, y*b.step), s.groups, 0, b.prog.swept, rows.At, rows.I)
		}
	}
}

// place returns where the window stands that is n behind the one at place in pass
// and inv.
func (s *scanner) place(b *band, place uint64, n int) uint64 {
	return place + uint64((n/s.plan.perRow*b.width+n%s.plan.perRow)*b.step)
}

// visited returns those of the alive windows of a strip that OpenCV's rule
// visits and that pass the first exit. Behind a visited window that the first
// exit rejects, the next one is skipped.
func (s *scanner) visited(b *band, at, i int, alive uint64, carry *bool) uint64 {
	rejected := alive &^ s.passFirst(b, at, i, alive)
	var skipped uint64
	if *carry {
		skipped = 1
	}
	*carry = false
	for m := rejected &^ skipped; m != 0; {
		n := bits.TrailingZeros64(m)
		if n == stripWidth-1 {
			*carry = true
			break
		}
		skipped |= 2 << n
		m &^= 3 << n
	}
	return alive &^ rejected &^ skipped
}

// group puts those windows of a strip that are alive into groups. A group begins
// at a window that is alive, so that clusters of them are not cut in two.
func (s *scanner) group(b *band, alive uint64) []lanes.Group {
	s.groups = s.groups[:0]
	s.addGroups(b, alive)
	return s.groups
}

// addGroups adds such groups to those that there are.
func (s *scanner) addGroups(b *band, alive uint64) {
	for alive != 0 {
		x := bits.TrailingZeros64(alive)
		b.fresh.X, b.fresh.I, b.fresh.Alive = int32(x), int32(x), uint32(uint16(alive>>x))
		s.groups = append(s.groups, b.fresh)
		alive &^= 0xffff << x
	}
}

// passFirst returns which of the alive windows of a strip pass the first exit.
func (s *scanner) passFirst(b *band, at, i int, alive uint64) uint64 {
	var passed uint64
	groups := s.group(b, alive)
	s.lanes(b.prog, groups, 0, b.prog.first, s.tab, at, s.inv[i:])
	for k := range groups {
		g := &groups[k]
		if b.prog.firstSure > math.MinInt32 {
			s.checkFirst(b, g, at, i)
		}
		passed |= uint64(g.Alive) << g.X
	}
	return passed
}

// checkFirst decides about windows that may have come through the first exit by
// the lanes' rounding alone.
func (s *scanner) checkFirst(b *band, g *lanes.Group, at, i int) {
	for m := g.Alive; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if x := int(g.X) + l; g.Score[l] < b.prog.firstSure {
			if s.spend(b.prog.cost); s.err != nil {
				return
			}
			if _, ok := b.prog.exactUpTo(s.tab[at+x:], s.inv[i+x], b.level.start, 1); !ok {
				g.Alive &^= 1 << l
			}
		}
	}
}

// rest takes the groups of a strip, or of the same strip of several rows, which
// come from segment begun, to the end. Their scores count from segment first on.
// at, i and place are where the first row's first window stands in the tables, in
// pass and inv, and in the level.
func (s *scanner) rest(b *band, place uint64, groups []lanes.Group, first, begun, at, i int) {
	for _, a := range b.asks {
		if s.packs != nil && a.exits >= s.plan.stops[0] {
			break // packs will tell
		}
		if !s.farAlong(b, a, groups, begun, at, i, s.inv[i:]) {
			return
		}
		begun = b.prog.ends[a.exits-1]
		groups = slices.DeleteFunc(groups, func(g lanes.Group) bool { return g.Alive == 0 })
	}
	if s.packs != nil {
		s.lanes(b.prog, groups, begun, b.prog.ends[s.plan.stops[0]-1], s.tab, at, s.inv[i:])
		s.wait(b, groups, at, i, s.inv[i:], place)
		return
	}
	if !s.d.solo {
		s.lanes(b.prog, groups, begun, len(b.prog.Segments), s.tab, at, s.inv[i:])
	}
	s.decide(b, b.prog, groups, first, at, s.inv[i:], place)
}

// decide has the last word on what lanes have left alive of groups that they
// took from segment first on. at and place are as for rest, inv as from i on.
func (s *scanner) decide(b *band, prog *program, groups []lanes.Group, first, at int, inv []float32, place uint64) {
	end := len(prog.Segments)
	for k := range groups {
		g := &groups[k]
		for m := g.Alive; m != 0; m &= m - 1 {
			if s.spend(prog.cost); s.err != nil {
				return
			}
			l := bits.TrailingZeros32(m)
			x, n := at+int(g.X)+l, int(g.I)+l
			if s.d.solo && !prog.One(s.tab, x, inv[n], first, end, b.fresh.Score[l]) {
				continue
			}
			s.judge(prog, x, inv[n], g.Score[l], !s.d.solo && first < end, s.place(b, place, n))
		}
	}
}

// judge has the last word on a window that lanes have left alive with a score,
// which is known to be the window's or not.
func (s *scanner) judge(prog *program, at int, inv float32, score int32, known bool, place uint64) {
	if prog.certain && known {
		s.found(hit{place, prog.margin(score)})
		return
	}
	s.spend(prog.cost)
	if margin, ok := prog.exact(s.tab[at:], inv, s.plan.levels[place>>32].start); ok {
		s.found(hit{place, margin})
	}
}

// lanes is prog.Run, for no longer than the context allows.
func (s *scanner) lanes(prog *program, groups []lanes.Group, from, to int, tab []uint16, at int, inv []float32) {
	cost := prog.upTo[to] - prog.upTo[from]
	if s.d.solo {
		cost *= lanes.Width // one lane after the other
	}
	most := max(4*enough/max(cost, 1), 1)
	for len(groups) > 0 && s.err == nil {
		n := min(len(groups), most)
		prog.Run(&s.scratch, groups[:n], from, to, tab, at, inv)
		s.spend(n * cost)
		groups = groups[n:]
	}
}

// A plan is how images of one size are searched.
type plan struct {
	width, height int
	levels        []level
	units         []unit
	layouts       []layout
	programs      []*program
	beside        []*program // nil where only windows of the grid are looked at
	packed        *program   // for windows in packs
	cells         *cells     // for windows of levels between; nil where there are none
	stops         []int      // behind how many exits they are packed; none: never
	halved        int        // how many times the picture is halved, at most
	perRow        int        // windows of a row of inv and pass
	pixStride     int        // bytes of a row of a level's pixels
}

// newPlan works out the plan for images of a size. It fails only if ctx ends.
func (d *Detector) newPlan(ctx context.Context, width, height int) (p *plan, err error) {
	p = &plan{width: width, height: height}
	if p.levels, err = levels(ctx, d.c, &d.o, d.rule, width, height); err != nil {
		return nil, err
	}
	for i := range p.levels {
		p.pixStride = max(p.pixStride, roundUp(p.levels[i].width, 64)+64)
		p.halved = max(p.halved, p.levels[i].halved)
	}
	var order []int
	if d.order.make != nil && visits(p.levels) >= orderWindows {
		if order, err = d.order.get(ctx); err != nil {
			return nil, err
		}
	}
	for i := range p.levels {
		l := &p.levels[i]
		if p.layoutOf(l.step) < 0 {
			// The first level of a step is the widest.
			lay := newLayout(d.c, l.width, l.step, 0)
			rows := bandPixels(&lay, d.c.Height)
			lay = newLayout(d.c, l.width, l.step, rows)
			p.layouts = append(p.layouts, lay)
			prog, err := compile(ctx, d.c, lay)
			if err != nil {
				return nil, err
			}
			if order != nil {
				prog.reorder(order)
			}
			p.programs = append(p.programs, prog)
			var beside *program
			if d.offGrid() && l.step == 2 {
				lay.right = 1
				if beside, err = compile(ctx, d.c, lay); err != nil {
					return nil, err
				}
			}
			p.beside = append(p.beside, beside)
		}
		p.perRow = max(p.perRow, roundUp(l.nx, stripWidth))
	}
	p.stops = d.stops(p, order)
	if order == nil {
		for _, prog := range p.programs {
			prog.swept = d.swept(p, prog)
		}
	}
	if p.stops != nil {
		shared, err := d.packed.get(ctx) // which is the same for pictures of all sizes
		if err != nil {
			return nil, err
		}
		packed := *shared
		if order != nil {
			packed.reorder(order)
		}
		p.packed = &packed
	}
	if slices.ContainsFunc(p.levels, func(l level) bool { return !l.whole }) {
		if p.cells, err = d.cells.get(ctx); err != nil {
			return nil, err
		}
	}
	p.divide(d.workers())
	return p, nil
}

// maxStep returns the largest step of any level.
func (p *plan) maxStep() int {
	m := 0
	for i := range p.layouts {
		m = max(m, p.layouts[i].step)
	}
	return m
}

// bandPixels returns how many table rows a band may have.
func bandPixels(l *layout, height int) int {
	return height + 1 + max(bandElements/l.stride, 8*l.step)
}

// defaultSwept is how many segments whole strips go through, dead or alive,
// before anybody asks which windows are left. Of those that are looked at there
// are few, then.
const defaultSwept = 4

// swept returns how many segments of a program strips are swept through: none
// where that is not worth it. Who asks how far windows come asks behind it.
func (d *Detector) swept(p *plan, prog *program) int {
	if !lanes.FastSweep() || d.c.Kind != Haar || d.skip {
		return 0
	}
	n := prog.Sweeps(d.sweep)
	for _, exits := range slices.Concat(p.stops, []int{d.o.Nearby, d.o.Around, d.o.Between}) {
		if exits > 0 {
			n = min(n, prog.ends[exits-1])
		}
	}
	return n
}

// layoutOf returns the number of the layout for a step, or -1.
func (p *plan) layoutOf(step int) int {
	for i := range p.layouts {
		if p.layouts[i].step == step {
			return i
		}
	}
	return -1
}

// bandRows returns how many rows of windows a band has.
func (p *plan) bandRows(layout int) int {
	l := &p.layouts[layout]
	return max(bandElements/l.stride, 8*l.step) / l.step
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

// newScanner allocates what one worker needs for a plan.
func (d *Detector) newScanner(p *plan) *scanner {
	s := &scanner{d: d, plan: p, halves: new(halves)}
	elements, rows, bandRows := 0, 0, 0
	for i := range p.layouts {
		l := &p.layouts[i]
		r := bandPixels(l, d.c.Height)
		n := l.stride * r
		if l.tilt != 0 {
			n *= 2
		}
		// A group at the last row reads past it.
		elements = max(elements, n+p.programs[i].Reach+2*stripWidth)
		if beside := p.beside[i]; beside != nil {
			elements = max(elements, n+beside.Reach+2*stripWidth)
		}
		rows = max(rows, r)
		bandRows = max(bandRows, p.bandRows(i))
	}
	if p.cells != nil {
		elements = max(elements, p.cells.elements())
	}
	width := 0
	for i := range p.levels {
		width = max(width, p.levels[i].width)
	}
	// Kernels read and write whole registers.
	pad := (p.maxStep() + 1) * max(resize.Slack, sumtable.Slack, contrast.Slack)
	s.groups = make([]lanes.Group, 0, sweptRows*stripWidth/lanes.Width)
	s.tab = make([]uint16, elements)
	s.pix = make([]byte, (rows+p.maxStep())*p.pixStride+pad)
	for i := range s.plain {
		s.plain[i] = make([]uint16, width+1+pad)
	}
	for i := range s.tilts {
		s.tilts[i] = make([]uint16, width+1+pad)
	}
	for i := range s.scaled {
		s.scaled[i] = make([]uint16, width+pad)
	}
	s.columns = newColumns(width + pad)
	s.none = make([]byte, width+pad)
	s.inv = make([]float32, bandRows*p.perRow+pad)
	s.pass = make([]uint64, bandRows*p.perRow/64+1)
	s.carry = make([]bool, bandRows)
	if d.asked() {
		s.near = d.newNearby(bandRows, p.perRow)
	}
	if p.stops != nil {
		s.packs = newPacker(p, d.c)
	}
	return s
}
