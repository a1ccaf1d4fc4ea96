package lanes

import "math"

// One evaluates segments s to end-1 on the single window at element at of the
// table, with the score so far, and reports whether the window survives.
// Machines without vectors use it behind the first exit.
func (p *Program) One(tab []uint16, at int, inv float32, s, end int, score int32) bool {
	t := tab[at:]
	var reach [Slots]bool
	reach[0] = true
	for ; s < end; s++ {
		seg := &p.Segments[s]
		if seg.Reset != 0 {
			score = 0
		}
		shape, action := Parts(seg.Op)
		records := p.Records[seg.First:][:seg.N]
		switch {
		case action == Stump && shape == Edge:
			// Stumps of these shapes are nearly all of the work in nearly all
			// cascades.
			for i := range records {
				r := &records[i]
				if float32(r.edge(t))*inv < r.Threshold {
					score += r.Left
				}
			}
		case action == Stump && shape == Line:
			for i := range records {
				r := &records[i]
				if float32(r.line(t))*inv < r.Threshold {
					score += r.Left
				}
			}
		case action == Stump && shape == Grid:
			for i := range records {
				r := &records[i]
				c := r.Code(t)
				if p.Subsets[r.Aux][c>>5]>>(c&31)&1 != 0 {
					score += r.Left
				}
			}
		default:
			for i := range records {
				score += p.step(&records[i], shape, action, t, inv, &reach)
			}
		}
		if seg.Hold == 0 && score < seg.Limit {
			return false
		}
	}
	return true
}

// step evaluates one record and returns what it adds to the score.
func (p *Program) step(r *Record, shape Shape, action Action, t []uint16, inv float32, reach *[Slots]bool) (add int32) {
	switch action {
	case Node:
		if !reach[r.Self] {
			reach[r.YesSlot], reach[r.NoSlot] = false, false
			return 0
		}
	case Last:
		if !reach[r.Self] {
			return 0
		}
	}
	var yes bool
	if shape == Grid {
		c := r.Code(t)
		yes = p.Subsets[r.Aux][c>>5]>>(c&31)&1 != 0
	} else {
		x := float32(r.Value(shape, t, p.Pieces)) * inv
		if action == Bins || action == Soft {
			return p.tables[r.Left][bin(x, r.Threshold, math.Float32frombits(uint32(r.Right)))]
		}
		yes = x < r.Threshold
	}
	switch action {
	case Node:
		reach[r.YesSlot], reach[r.NoSlot] = yes, !yes
		if !yes {
			return r.Right
		}
	case RootNo:
		yes = !yes
		reach[r.YesSlot] = yes
	case RootYes:
		reach[r.YesSlot] = yes
	}
	if yes {
		add += r.Left
	}
	return add
}

// Value returns the value of the record's feature for the window at t[0],
// before normalisation. A Wide record's pieces begin at Aux.
func (r *Record) Value(shape Shape, t []uint16, pieces []Piece) int32 {
	o := &r.Off
	switch shape {
	case Edge:
		return int32(r.edge(t))
	case Line:
		return int32(r.line(t))
	case Pair:
		return int32(int16(uint16(r.Mul)*(t[o[4]]-t[o[5]]-t[o[6]]+t[o[7]]) - (t[o[0]] - t[o[1]] - t[o[2]] + t[o[3]])))
	case Check:
		a, b, c := o[0], o[0]+o[3], o[0]+o[4]
		d, e := o[1], o[2]
		return int32(int16(t[a] + t[a+e] + t[c] + t[c+e] - 2*(t[a+d]+t[b]+t[b+e]+t[c+d]-2*t[b+d])))
	}
	var sum int32
	var last uint16
	for _, c := range pieces[r.Aux:][:r.Count] {
		d := t[c.Top] - t[c.Bottom]
		sum += c.Mul * int32(last-d)
		last = d
	}
	return sum
}

func (r *Record) edge(t []uint16) int16 {
	o0, o1, o2, b := r.Off[0], r.Off[1], r.Off[2], r.Off[0]+r.Off[3]
	return int16(t[o0] + t[o0+o2] - t[b] - t[b+o2] - 2*(t[o0+o1]-t[b+o1]))
}

func (r *Record) line(t []uint16) int16 {
	o0, o1, o2, o3, b := r.Off[0], r.Off[1], r.Off[2], r.Off[3], r.Off[0]+r.Off[4]
	return int16(uint16(r.Mul)*(t[o0+o1]-t[o0+o2]-t[b+o1]+t[b+o2]) - (t[o0] - t[o0+o3] - t[b] + t[b+o3]))
}

// Code returns the local binary pattern of a Grid record for the window at
// t[0]: a bit for each cell at least as bright as the middle one, clockwise
// from the top left, highest bit first.
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
