package engine

import (
	"haarlem/integral"
	"haarlem/internal/kernel/contrast"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/kernel/resize"
	"haarlem/internal/kernel/sumtable"
	"haarlem/internal/program"
)

// A band is the part of a level that the tables hold at one time.
type band struct {
	*level
	*grid
	probes []*probe    // of its windows
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
	perRow int         // windows of a row of inv and pass
}

// A window is one detection window of a band.
type window struct {
	at    int    // in the table
	place uint64 // as in hit
	right int    // pixels that it stands to the right of the grid
	i     int    // in pass, of the grid's windows; -1: it stands off the grid
	inv   float32
	score int32
}

// programOf returns the program for a window.
func (b *band) programOf(w *window) *program.Program {
	if w.right > 0 {
		return b.beside
	}
	return b.prog
}

// behind returns where the window stands that is n behind the one at place in
// pass and inv.
func (b *band) behind(place uint64, n int) uint64 {
	return place + uint64((n/b.perRow*b.width+n%b.perRow)*b.step)
}

// inner returns which columns of the scaled image the band has.
func (b *band) inner() (from, to int) {
	left := b.left - b.edge.X
	return max(left, 0), min(left+b.cols, b.scaled.X)
}

// tables are the pixels of a band, and their sums.
type tables struct {
	*budget
	pixStride int // bytes of a row of pix

	tab       []uint16    // sum rows of the band, and behind them tilted rows
	pix       []byte      // pixel rows of the band
	plain     [2][]uint16 // the last sum rows, not yet split
	tilts     [3][]uint16 // the last tilted rows, not yet split
	scaled    [2][]uint16 // source rows scaled horizontally
	scaledRow [2]int      // which ones
}

// newTables allocates what bands of a plan need.
func newTables(p *plan, budget *budget) tables {
	t := tables{budget: budget, pixStride: p.pixStride}
	elements, rows := 0, 0
	for i := range p.grids {
		elements, rows = max(elements, p.grids[i].elements()), max(rows, p.grids[i].tabled)
	}
	if p.cells != nil {
		elements = max(elements, p.cells.elements())
	}
	width, pad := p.maxWidth(), p.kernelPad()
	t.tab = make([]uint16, elements)
	t.pix = make([]byte, (rows+p.maxStep())*p.pixStride+pad)
	for i := range t.plain {
		t.plain[i] = make([]uint16, width+1+pad)
	}
	for i := range t.tilts {
		t.tilts[i] = make([]uint16, width+1+pad)
	}
	for i := range t.scaled {
		t.scaled[i] = make([]uint16, width+pad)
	}
	return t
}

// maxWidth returns the width of the widest level.
func (p *plan) maxWidth() (width int) {
	for i := range p.levels {
		width = max(width, p.levels[i].width)
	}
	return width
}

// kernelPad returns how much kernels, which read and write whole registers, may
// touch behind the end.
func (p *plan) kernelPad() int {
	return (p.maxStep() + 1) * max(resize.Slack, sumtable.Slack, contrast.Slack)
}

// begin makes the tables ready for a band that begins at pixel row y, and groups
// for its level.
func (t *tables) begin(b *band, y int) {
	start := b.prog.Start(b.level.start)
	for l := range b.fresh.Score {
		b.fresh.Score[l] = start
	}
	b.start, b.top, b.pixTop, b.built = y, y, y, 0
	t.scaledRow = [2]int{-1, -1}
	clear(t.plain[0][:b.cols+1])
	t.placeRow(b, 0, t.plain[0])
	if b.lay.Tilt != 0 {
		clear(t.tilts[0])
		t.placeTilted(b, 0, t.tilts[0])
	}
}

// advance drops the rows above pixel row y.
func (t *tables) advance(b *band, y int) {
	n := y - b.top
	if n == 0 {
		return
	}
	stride := b.lay.Stride
	copy(t.tab, t.tab[n*stride:(b.built+1)*stride])
	if tilt := b.lay.Tilt; tilt != 0 {
		copy(t.tab[tilt:], t.tab[tilt+n*stride:tilt+(b.built+1)*stride])
	}
	b.top += n
	b.built -= n
	// The contrast of the next row still takes out what is above it.
	n = max(b.top-b.step-b.pixTop, 0)
	copy(t.pix, t.pix[n*t.pixStride:(b.top+b.built-b.pixTop)*t.pixStride])
	b.pixTop += n
}

// pixels returns row y of the level's pixels, which must be in the band, and
// what stands behind it.
func (t *tables) pixels(b *band, y int) []byte {
	return t.pix[(y-b.pixTop)*t.pixStride:]
}

// build makes pixel and table rows up to pixel row end. The image g is halved as
// often as the level wants.
func (t *tables) build(b *band, g *integral.Grey, end int) {
	for y := b.top + b.built; y < end && t.err == nil; y++ {
		t.spend(b.cols / 4)
		row := t.pixels(b, y)
		t.scaleRow(b, g, y, row)
		b.built++
		if b.lay.Step == 1 {
			// Straight into the table; the row above is there.
			at := b.base + b.built*b.lay.Stride
			sumtable.Sum(t.tab[at:], t.tab[at-b.lay.Stride:], row, b.cols)
		} else {
			sumtable.Sum(t.plain[1], t.plain[0], row, b.cols)
			t.placeRow(b, b.built, t.plain[1])
			t.plain[0], t.plain[1] = t.plain[1], t.plain[0]
		}
		if b.lay.Tilt != 0 {
			var before []byte
			if y > b.start {
				before = t.pixels(b, y-1)
			}
			sumtable.Tilt(t.tilts[2], t.tilts[0], t.tilts[1], row, before, b.cols)
			t.placeTilted(b, b.built, t.tilts[2])
			t.tilts[0], t.tilts[1], t.tilts[2] = t.tilts[2], t.tilts[0], t.tilts[1]
		}
	}
}

// placeRow stores row y of the band's sum table.
func (t *tables) placeRow(b *band, y int, row []uint16) {
	t.store(b, t.tab[b.base+y*b.lay.Stride:][:b.lay.Stride], row)
}

// placeTilted stores row y of the band's tilted table.
func (t *tables) placeTilted(b *band, y int, row []uint16) {
	t.store(b, t.tab[b.lay.Tilt+b.base+y*b.lay.Stride:][:b.lay.Stride], row)
}

func (t *tables) store(b *band, dst, row []uint16) {
	if b.lay.Step == 1 {
		copy(dst, row[:b.cols+1])
		return
	}
	sumtable.Split(dst, row, b.cols+1, b.lay.Step, b.lay.Plane)
}

// scaleRow makes row y of the band's pixels. Beyond the edge they go on as
// those at the edge do.
func (t *tables) scaleRow(b *band, g *integral.Grey, y int, dst []byte) {
	y = min(max(y-b.edge.Y, 0), b.scaled.Y-1)
	from, to := b.inner()
	n, before := to-from, from-(b.left-b.edge.X)
	row := dst[before:]
	if b.copied {
		copy(row[:n], g.Row(y)[from:to])
	} else {
		i, part := int(b.y.Index[y]), b.y.Part[y]
		resize.Blend(row, t.scaledSource(b, g, i)[b.skip:], t.scaledSource(b, g, i+1)[b.skip:], n, part)
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
func (t *tables) scaledSource(b *band, g *integral.Grey, i int) []uint16 {
	slot := i & 1
	row := t.scaled[slot]
	if t.scaledRow[slot] != i {
		resize.Row(row, g.Row(i), &b.across)
		t.scaledRow[slot] = i
	}
	return row
}
