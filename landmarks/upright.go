package landmarks

import (
	"encoding/binary"

	"haarlem/internal/luma"
)

// The patches of upright frames are those of any frame, bit for bit, sooner: their columns
// are columns of the image.

// A column of the image.
type column struct {
	x    int32
	part uint32 // of the next column, in 1/256
}

// A line of the image, interpolated between columns: two pixels, in 1/256, in a word.
type line struct {
	y     int64
	pairs [(maxSide + 1) / 2]uint64
}

// interpolateUpright is interpolate for frames that are not rotated in an image of two
// columns and more.
func (p *patch) interpolateUpright(g *luma.Plane, k walk) {
	columns := p.columns[:(p.side+1)/2*2]
	last := int64(g.Width-1) << 16
	for i := range columns {
		x := min(max(k.x+int64(i)*k.dx, 0), last)
		columns[i] = column{int32(x >> 16), uint32(x>>8) & 0xff}
		if x == last {
			columns[i] = column{int32(g.Width - 2), 256}
		}
	}
	p.lines[0].y, p.lines[1].y = -1, -1
	up, down := &p.lines[0], &p.lines[1]
	for j := range p.side {
		y := min(max(k.y+int64(j)*k.dx, 0), int64(g.Height-1)<<16)
		above := y >> 16
		below := min(above+1, int64(g.Height-1))
		if up.y != above && down.y == above || down.y != below && up.y == below {
			up, down = down, up
		}
		up.set(g, above, columns)
		down.set(g, below, columns)
		v := uint64(y>>8) & 0xff
		row := p.pix[j*p.side:][:p.side]
		pairs := len(row) / 2
		a, b := up.pairs[:pairs], down.pairs[:pairs]
		for i := range a {
			t := (a[i]*(256-v) + b[i]*v + (1<<15 | 1<<47)) >> 16
			row[2*i], row[2*i+1] = byte(t), byte(t>>32)
		}
		if len(row)%2 == 1 {
			row[len(row)-1] = byte((up.pairs[pairs]*(256-v) + down.pairs[pairs]*v + 1<<15) >> 16)
		}
	}
}

// set interpolates line y between an even number of columns.
func (l *line) set(g *luma.Plane, y int64, columns []column) {
	if l.y == y {
		return
	}
	l.y = y
	row := g.Row(int(y))[:g.Width]
	pairs := l.pairs[:len(columns)/2]
	for i := range pairs {
		c := columns[2*i:][:2]
		pairs[i] = c[0].in(row) | c[1].in(row)<<32
	}
}

func (c column) in(row []byte) uint64 {
	two := binary.LittleEndian.Uint16(row[c.x:])
	left, right := uint32(uint8(two)), uint32(two>>8)
	return uint64(left<<8 + (right-left)*c.part)
}

// averageUpright is average for frames that are not rotated.
func (p *patch) averageUpright(g *luma.Plane, k walk) {
	columns := p.columns[:2*p.side]
	for i := range columns {
		columns[i].x = int32(min(max(k.x+int64(i)*k.dx, 0), int64(g.Width)<<16-1) >> 16)
	}
	row := func(j int) []byte {
		return g.Row(int(min(max(k.y+int64(j)*k.dx, 0), int64(g.Height)<<16-1) >> 16))[:g.Width]
	}
	for j := range p.side {
		up, down := row(2*j), row(2*j+1)
		pix := p.pix[j*p.side:][:p.side]
		for i := range pix {
			c := columns[2*i:][:2]
			a, b := c[0].x, c[1].x
			pix[i] = byte((uint32(up[a]) + uint32(up[b]) + uint32(down[a]) + uint32(down[b]) + 2) / 4)
		}
	}
}
