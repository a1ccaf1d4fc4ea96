package engine

import (
	"haarlem/internal/kernel/contrast"
	"haarlem/internal/program"
)

// contrasts are of a band's windows: what normalises their features, and whether
// it is enough.
type contrasts struct {
	*budget
	gate          contrast.Gate
	width, height int // of windows

	columns columns
	none    []byte    // a row of zeros
	inv     []float32 // contrast of the band's windows
	pass    []uint64  // which of them have enough
}

// columns are sums down the pixel columns of windows in one row, less their
// border.
type columns struct {
	per       int // how many columns go into one sum
	first     int // pixel row that they begin with; -1: there are none
	sum, sq   []uint32
	psum, psq []uint32 // running sums of them
}

// newContrasts allocates what bands of a plan need, with what kernels write behind.
func newContrasts(s *setup, p *plan, budget *budget) contrasts {
	width, rows := p.maxWidth()+p.kernelPad(), p.maxRows()
	return contrasts{
		budget: budget, gate: s.gate, width: s.c.Width, height: s.c.Height,
		columns: columns{
			sum: make([]uint32, width), sq: make([]uint32, width),
			psum: make([]uint32, width+1), psq: make([]uint32, width+1),
		},
		none: make([]byte, width),
		inv:  make([]float32, rows*p.perRow+p.kernelPad()),
		pass: make([]uint64, rows*p.perRow/64+1),
	}
}

// maxRows returns how many rows of windows the largest band has.
func (p *plan) maxRows() (rows int) {
	for i := range p.grids {
		rows = max(rows, p.grids[i].rows)
	}
	return rows
}

// begin makes ready for windows that stand step pixels apart, somewhere else.
func (c *contrasts) begin(step int) {
	c.columns.first, c.columns.per = -1, 1
	if step == 2 && c.width%2 == 0 {
		c.columns.per = 2
	}
}

// rows works out inv and pass for the window rows from to to-1.
func (c *contrasts) rows(t *tables, b *band, from, to int) {
	k := &c.columns
	gate := c.gate
	gate.Width /= k.per
	for r := from; r < to && c.err == nil; r++ {
		c.spend(b.width / 4)
		c.sumColumns(t, b, r*b.step)
		n := roundUp(b.nx, program.StripWidth)
		i := (r - from) * b.perRow
		contrast.Row(c.inv[i:i+n], c.pass[i/64:(i+n)/64], k.psum, k.psq, b.nx, b.step/k.per, &gate)
	}
}

// sumColumns brings the columns to the windows in pixel row y, which only goes
// down.
func (c *contrasts) sumColumns(t *tables, b *band, y int) {
	k := &c.columns
	height := c.height - 2
	first := y + 1
	x, move, sum, sq, sums := 0, contrast.Move, k.sum, k.sq, b.width
	if k.per == 2 {
		// Windows' columns less their border begin at odd ones. Before them is
		// a sum of none, so that the windows do not begin with the first.
		x, move, sum, sq, sums = 1, contrast.MovePairs, k.sum[1:], k.sq[1:], (b.width-1)/2
	}
	if k.first < 0 || first-k.first >= height {
		clear(k.sum)
		clear(k.sq)
		for i := range height {
			if c.spend(b.width / 8); c.err != nil {
				return
			}
			move(sum, sq, t.pixels(b, first+i)[x:], c.none, sums)
		}
	} else {
		for i := k.first; i < first; i++ {
			move(sum, sq, t.pixels(b, i+height)[x:], t.pixels(b, i)[x:], sums)
		}
	}
	k.first = first
	contrast.Prefix(k.psum, k.sum, sums+k.per-1)
	contrast.Prefix(k.psq, k.sq, sums+k.per-1)
}

// one returns the contrast of a single window, at column x of the band's pixels
// and row y of the level, and whether it is enough.
func (c *contrasts) one(t *tables, b *band, x, y int) (inv float32, ok bool) {
	c.spend((c.width - 2) * (c.height - 2) / 16)
	return c.gate.One(contrast.Area(t.pixels(b, y+1)[x+1:], t.pixStride, c.width-2, c.height-2))
}
