package landmarks

// partners returns the point that each point of a mean shape becomes in a mirror, or nil if
// the shape is not symmetric: that of a model that has learned from mirror images is.
func partners(mean []Vec) []int {
	all := make([]int, len(mean))
	for i, v := range mean {
		all[i] = -1
		for k, u := range mean {
			if abs32(u.X+v.X) <= 1 && abs32(u.Y-v.Y) <= 1 { // rounded
				all[i] = k
			}
		}
		if all[i] < 0 {
			return nil
		}
	}
	for i, k := range all {
		if all[k] != i {
			return nil
		}
	}
	return all
}

// mirrored returns a program that moves points as p moves them in a mirror.
func (p *Program) mirrored(partners []int) *Program {
	l, m := *p.l, *p
	l.Features = make([]Feature, len(p.l.Features))
	for i, f := range p.l.Features {
		l.Features[i] = Feature{partners[f.Point], Vec{-f.Offset.X, f.Offset.Y}}
	}
	m.l = &l
	m.basis = make([]four, len(p.basis))
	for i, k := range partners {
		for j, four := range p.basis[i*p.words:][:p.words] {
			for c, v := range four {
				y := int64(int32(v))
				x := (v - y) >> 32
				m.basis[k*p.words+j][c] = -x<<32 + y
			}
		}
	}
	return &m
}
