package engine

import (
	"haarlem/internal/kernel/contrast"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/kernel/resize"
	"haarlem/internal/kernel/sumtable"
	"haarlem/internal/luma"
	"haarlem/internal/program"
)

// A band is the part of a level that is in the tables at a time.
type band struct {
	*level
	*grid
	probes []*probe    // for its windows
	across resize.Axis // of the level's pixels from left on
	skip   int         // pixels of across to skip
	fresh  lanes.Group // a new group, with the level's initial score
	base   int         // table element where the band begins
	left   int         // first pixel column in the tables
	cols   int         // number of columns
	start  int         // pixel row where sums begin
	top    int         // first pixel row in the tables
	pixTop int         // first pixel row in pix, up to step rows earlier
	built  int         // table rows built, from top
	perRow int         // windows in a row of inv and pass
}

// A window is a detection window of a band.
type window struct {
	at       int    // table element
	position uint64 // as in hit
	right    int    // pixels to the right of the grid
	i        int    // index in pass and inv; -1 off the grid
	inv      float32
	score    int32
}

// programOf returns the program for a window.
func (b *band) programOf(w *window) *program.Program {
	if w.right > 0 {
		return b.beside
	}
	return b.prog
}

// offset returns the position of the window that is n after the one at position in
// pass and inv.
func (b *band) offset(position uint64, n int) uint64 {
	return position + uint64((n/b.perRow*b.width+n%b.perRow)*b.step)
}

// inner returns the columns of the scaled image that are in the band.
func (b *band) inner() (from, to int) {
	left := b.left - b.edge.X
	return max(left, 0), min(left+b.cols, b.scaled.X)
}

// tables are the pixels of a band and their integral images.
type tables struct {
	*budget
	pixStride int // bytes in a row of pix

	tab       []uint16    // rows of sums, then rows of tilted sums
	pix       []byte      // rows of pixels
	plain     [2][]uint16 // the last rows of sums, not yet split
	tilts     [3][]uint16 // the last rows of tilted sums, not yet split
	scaled    [2][]uint16 // rows of the image scaled horizontally
	scaledRow [2]int      // which ones
}

// newTables allocates tables for the bands of a plan, or of several for the same levels.
func newTables(plans []*plan, budget *budget) tables {
	p := plans[0]
	t := tables{budget: budget, pixStride: p.pixStride}
	elements, rows := 0, 0
	for _, p := range plans {
		for i := range p.grids {
			elements, rows = max(elements, p.grids[i].elements()), max(rows, p.grids[i].tabled)
		}
		if p.cells != nil {
			elements, rows = max(elements, p.cells.elements()), max(rows, p.cells.size/p.cells.lay.Stride)
		}
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

// kernelPad returns the number of elements after the end that kernels may read and
// write, since they use whole registers.
func (p *plan) kernelPad() int {
	return (p.maxStep() + 1) * max(resize.Slack, sumtable.Slack, contrast.Slack)
}

// begin prepares for a band that begins at pixel row y.
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
	// The contrast of the next row still subtracts rows above it.
	n = max(b.top-b.step-b.pixTop, 0)
	copy(t.pix, t.pix[n*t.pixStride:(b.top+b.built-b.pixTop)*t.pixStride])
	b.pixTop += n
}

// pixels returns row y of the level's pixels, which must be in the band, and the rows
// after it.
func (t *tables) pixels(b *band, y int) []byte {
	return t.pix[(y-b.pixTop)*t.pixStride:]
}

// build makes the pixel and table rows before pixel row end. g is the image, halved
// as the level needs.
func (t *tables) build(b *band, g *luma.Plane, end int) {
	for y := b.top + b.built; y < end && t.err == nil; y++ {
		t.spend(b.cols / 4)
		row := t.pixels(b, y)
		t.scaleRow(b, g, y, row)
		b.built++
		if b.lay.Step == 1 {
			// Directly into the table, where the row above is.
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

// scaleRow makes row y of the band's pixels. Padding repeats the pixels at the edge.
func (t *tables) scaleRow(b *band, g *luma.Plane, y int, dst []byte) {
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

// scaledSource returns row i of the image scaled horizontally. Two rows are cached,
// since neighbouring rows of a level share them.
func (t *tables) scaledSource(b *band, g *luma.Plane, i int) []uint16 {
	slot := i & 1
	row := t.scaled[slot]
	if t.scaledRow[slot] != i {
		resize.Row(row, g.Row(i), &b.across)
		t.scaledRow[slot] = i
	}
	return row
}
