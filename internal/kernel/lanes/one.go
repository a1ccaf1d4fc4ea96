package lanes

import "math"

// One evaluates the segments from s on, up to end, on the single window at
// the table's element at, whose score so far is score. It reports whether the
// window is still alive.
func (p *Program) One(tab []uint16, at int, inv float32, s, end int, score int32) bool {
	t := tab[at:]
	var reach [Slots]bool
	for ; s < end; s++ {
		seg := &p.Segments[s]
		if seg.Reset != 0 {
			score = 0
		}
		shape, action := Parts(seg.Op)
		records := p.Records[seg.First:][:seg.N]
		if action == Stump && shape <= Check {
			// Nearly all the work on nearly all cascades.
			switch shape {
			case Edge:
				for i := range records {
					r := &records[i]
					if float32(r.edge(t))*inv < r.Threshold {
						score += r.Left
					}
				}
			case Pair:
				for i := range records {
					r := &records[i]
					if float32(r.pair(t))*inv < r.Threshold {
						score += r.Left
					}
				}
			case Check:
				for i := range records {
					r := &records[i]
					if float32(r.check(t))*inv < r.Threshold {
						score += r.Left
					}
				}
			}
		} else {
			reach[0] = true
			for i := range records {
				r := &records[i]
				if action == Node && !reach[r.Self] {
					reach[r.YesSlot], reach[r.NoSlot] = false, false
					continue
				}
				yes := false
				if shape == Grid {
					c := r.Code(t)
					yes = p.Subsets[r.Aux][c>>5]>>(c&31)&1 != 0
				} else {
					x := float32(r.Value(shape, t, p.Pieces)) * inv
					if action == Bins {
						score += p.Tables[r.Left][bin(x, r.Threshold, math.Float32frombits(uint32(r.Right)), r.Top)]
						continue
					}
					yes = x < r.Threshold
				}
				if action == Node {
					reach[r.YesSlot], reach[r.NoSlot] = yes, !yes
					if !yes {
						score += r.Right
					}
				}
				if yes {
					score += r.Left
				}
			}
		}
		if seg.Hold == 0 && score < seg.Limit {
			return false
		}
	}
	return true
}

// Value returns the value of the record's feature for the window at t[0],
// before its contrast is divided out. A Wide record's pieces are at Aux.
func (r *Record) Value(shape Shape, t []uint16, pieces []Piece) int32 {
	switch shape {
	case Edge:
		return int32(r.edge(t))
	case Pair:
		return int32(r.pair(t))
	case Check:
		return int32(r.check(t))
	}
	var sum int32
	for _, c := range pieces[r.Aux:][:r.Count] {
		sum += c.Mul * int32(t[c.Off[0]]-t[c.Off[1]]-t[c.Off[2]]+t[c.Off[3]])
	}
	return sum
}

func (r *Record) edge(t []uint16) int16 {
	o := &r.Off
	return int16(t[o[0]] + t[o[2]] - t[o[3]] - t[o[5]] - 2*(t[o[1]]-t[o[4]]))
}

func (r *Record) pair(t []uint16) int16 {
	o := &r.Off
	return int16(uint16(r.Mul)*(t[o[4]]-t[o[5]]-t[o[6]]+t[o[7]]) - (t[o[0]] - t[o[1]] - t[o[2]] + t[o[3]]))
}

func (r *Record) check(t []uint16) int16 {
	o := &r.Off
	return int16(t[o[0]] + t[o[2]] + t[o[6]] + t[o[8]] - 2*(t[o[1]]+t[o[3]]+t[o[5]]+t[o[7]]-2*t[o[4]]))
}

// Code returns the local binary pattern of a Grid record for the window at
// t[0]: a bit for each cell that is at least as bright as the middle one,
// clockwise from the top left, the highest first.
func (r *Record) Code(t []uint16) uint {
	c0, c1, c2, c3 := r.Off[4], r.Off[5], r.Off[6], r.Off[7]
	cells := func(o int32) (a, b, c uint16) {
		return t[o+c0] - t[o+c1], t[o+c1] - t[o+c2], t[o+c2] - t[o+c3]
	}
	a0, a1, a2 := cells(r.Off[0])
	b0, b1, b2 := cells(r.Off[1])
	d0, d1, d2 := cells(r.Off[2])
	e0, e1, e2 := cells(r.Off[3])
	mid := b1 - d1
	bit := func(v uint16, b uint) uint {
		if v >= mid {
			return b
		}
		return 0
	}
	return bit(a0-b0, 128) | bit(a1-b1, 64) | bit(a2-b2, 32) |
		bit(b2-d2, 16) | bit(d2-e2, 8) | bit(d1-e1, 4) | bit(d0-e0, 2) | bit(b0-d0, 1)
}
