package lanes

import "math"

// runGo is Run in plain Go.
func (p *Program) runGo(m *Scratch, groups []Group, from, to int, tab []uint16, inv []float32) {
	p.runEach(m, groups, from, inv, func(x int) { p.one(&m.state, tab[x:], to) })
}

// one takes one group to segment end.
func (p *Program) one(s *state, t []uint16, end int) {
	var reach [Slots]uint16
	reach[0] = 0xffff
	for s.segment < end {
		seg := &p.Segments[s.segment]
		s.segment++
		if seg.Reset != 0 {
			s.score = [Width]int32{}
		}
		shape, action := Parts(seg.Op)
		for i := range seg.N {
			r := &p.Records[seg.First+i]
			var yes uint16
			if shape == Grid {
				yes = p.grid(r, t)
			} else {
				x := p.values(shape, r, t, s.inv)
				if action == Bins || action == Soft {
					p.addBins(r, &x, &s.score)
					continue
				}
				for l, v := range x {
					if v < r.Threshold {
						yes |= 1 << l
					}
				}
			}
			switch action {
			case Stump:
				addWhere(&s.score, yes, r.Left)
			case Node:
				in := reach[r.Self]
				yes, no := in&yes, in&^yes
				addWhere(&s.score, yes, r.Left)
				addWhere(&s.score, no, r.Right)
				reach[r.YesSlot], reach[r.NoSlot] = yes, no
			case RootYes:
				addWhere(&s.score, yes, r.Left)
				reach[r.YesSlot] = yes
			case RootNo:
				addWhere(&s.score, ^yes, r.Left)
				reach[r.YesSlot] = ^yes
			case Last:
				addWhere(&s.score, reach[r.Self]&yes, r.Left)
			}
		}
		if seg.Hold != 0 {
			continue
		}
		for l, v := range s.score {
			if v < seg.Limit {
				s.alive &^= 1 << l
			}
		}
		if s.alive == 0 {
			return
		}
	}
}

func addWhere(score *[Width]int32, set uint16, v int32) {
	for l := range score {
		if set>>l&1 != 0 {
			score[l] += v
		}
	}
}

func (p *Program) addBins(r *Record, x *[Width]float32, score *[Width]int32) {
	t := &p.tables[r.Left]
	scale := math.Float32frombits(uint32(r.Right))
	for l, v := range x {
		score[l] += t[bin(v, r.Threshold, scale)]
	}
}

// bin does as the vector instructions: their minimum and maximum return the
// second operand when one is NaN.
func bin(v, low, scale float32) int {
	const top = 15
	b := float32(v-low) * scale
	if !(b > 0) {
		b = 0
	}
	if !(b < top) {
		b = top
	}
	return int(b)
}

// values returns the feature's value in every lane.
func (p *Program) values(shape Shape, r *Record, t []uint16, inv *[Width]float32) (x [Width]float32) {
	for l := range x {
		x[l] = float32(r.Value(shape, t[l:], p.Pieces)) * inv[l]
	}
	return x
}

// grid returns the lanes whose pattern is in the record's subset.
func (p *Program) grid(r *Record, t []uint16) (yes uint16) {
	sub := &p.Subsets[r.Aux]
	for l := range Width {
		c := r.Code(t[l:])
		yes |= uint16(sub[c>>5]>>(c&31)&1) << l
	}
	return yes
}
