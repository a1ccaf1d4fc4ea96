package engine

import (
	"haarlem/internal/kernel/contrast"
	"haarlem/internal/program"
)

// contrasts are the normalisation of a band's windows, and the contrast gate.
type contrasts struct {
	*budget
	gate          contrast.Gate
	width, height int // of windows

	columns columns
	none    []byte    // a row of zeros
	inv     []float32 // 1 over the area times the standard deviation, of each window
	pass    []uint64  // windows with enough contrast, bit by bit
}

// columns are sums of pixel columns over the height of the windows of one row,
// without their border of one pixel.
type columns struct {
	per       int // pixel columns in a sum
	first     int // first pixel row; -1 means no sums yet
	sum, sq   []uint32
	psum, psq []uint32 // prefix sums
}

// newContrasts allocates them for the bands of a plan.
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

// maxRows returns the number of rows of windows in the largest band.
func (p *plan) maxRows() (rows int) {
	for i := range p.grids {
		rows = max(rows, p.grids[i].rows)
	}
	return rows
}

// begin prepares for other windows, step pixels apart.
func (c *contrasts) begin(step int) {
	c.columns.first, c.columns.per = -1, 1
	if step == 2 && c.width%2 == 0 {
		c.columns.per = 2
	}
}

// rows computes inv and pass for the window rows from to to-1.
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

// within closes the gate for windows outside a frame.
func (c *contrasts) within(b *band, from, to int, frame *Frame) {
	for r := from; r < to; r++ {
		first, last := frame.windows(b.level, r)
		row := c.pass[(r-from)*b.perRow/64:][:b.perRow/64]
		for k := range row {
			row[k] &= ^uint64(0) << min(max(first-64*k, 0), 64) & (^uint64(0) >> min(max(64*k+63-last, 0), 64))
		}
	}
}

// any reports whether any window passes the gate in a strip of some rows, each perRow
// windows after the one before. The first is i.
func (c *contrasts) any(i, rows, perRow int) bool {
	for range rows {
		if c.pass[i/64] != 0 {
			return true
		}
		i += perRow
	}
	return false
}

// sumColumns moves the columns down to the windows in pixel row y.
func (c *contrasts) sumColumns(t *tables, b *band, y int) {
	k := &c.columns
	height := c.height - 2
	first := y + 1
	x, move, sum, sq, sums := 0, contrast.Move, k.sum, k.sq, b.width
	if k.per == 2 {
		// Without the border, windows begin at odd columns. An empty sum comes
		// first, since no window begins with the first pair.
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

// one computes inv of a single window, at column x of the band's pixels and row y of
// the level, and reports whether its contrast is enough.
func (c *contrasts) one(t *tables, b *band, x, y int) (inv float32, ok bool) {
	c.spend((c.width - 2) * (c.height - 2) / 16)
	return c.gate.One(contrast.Area(t.pixels(b, y+1)[x+1:], t.pixStride, c.width-2, c.height-2))
}
