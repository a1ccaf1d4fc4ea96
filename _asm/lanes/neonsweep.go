package main

import . "haarlem/asm/a64"

// sweepNEON is sweep for arm64. Scores are updated in place.
func sweepNEON(file *File) {
	f, p := file.Begin("sweepNEON", "func(f *byte)", "is sweepGo.")
	m := &arm{Func: f, frame: p[0], segment: f.G(), record: f.G(), table: f.G()}
	m.tab, m.end = m.field(sweepTab), m.field(sweepEnd)
	m.inv = m.field(sweepInv)
	score, left := m.field(sweepScore), m.field(sweepLeft)
	dead := f.Vs(groups) // a byte for each window, all ones or zero

	f.Label("rows")
	alive, pass := f.G(), m.field(sweepPass)
	f.Load("MOVD", alive, pass, 0)
	f.BranchZero(alive, "rejected") // whole rows are without contrast, many together
	start, begin := f.G(), f.V()
	f.Load("MOVW", start, m.frame, sweepStart)
	f.SpreadG(S4, begin, start)
	for g := range groups {
		m.store4([]V{begin, begin, begin, begin}, score, 64*g)
		f.Zero(dead[g])
	}
	op := f.G()
	f.Load("MOVD", m.segment, m.frame, sweepSegment)
	f.Load("MOVD", m.record, m.frame, sweepRecord)
	f.Load("MOVD", m.table, m.frame, sweepTable)
	f.Label("segments")
	f.Load("MOVW", op, m.segment, segmentOp)
	shapes := []int{line, edge, check, pair}
	for _, s := range shapes[:len(shapes)-1] {
		f.CompareW(op, s<<3|soft)
		f.Branch("BEQ", shapeNames[s])
	}
	for i := range shapes {
		s := shapes[len(shapes)-1-i]
		f.Label(shapeNames[s])
		m.sweepRecord(s, score, dead)
		f.PlusN(m.record, m.record, recordSize)
		f.PlusN(m.segment, m.segment, segmentSize)
		f.Compare(m.segment, m.end)
		f.Branch("BLO", "segments")
		f.Branch("B", "finish")
	}

	f.Label("finish")
	// Bytes to bits: sums of eight neighbours.
	constants, bits, gone := f.G(), f.V(), f.G()
	f.Address(constants, "laneBits")
	f.Ldr("q", bits, constants, 0)
	for _, d := range dead {
		f.Do("and", B16, d, d, bits)
	}
	f.Do("addp", B16, dead[0], dead[0], dead[1])
	f.Do("addp", B16, dead[2], dead[2], dead[3])
	f.Do("addp", B16, dead[0], dead[0], dead[2])
	f.Do("addp", B16, dead[0], dead[0], dead[0])
	f.Take(D2, gone, dead[0], 0)
	f.Op3("BIC", alive, alive, gone)

	f.Label("rejected")
	out := m.field(sweepAlive)
	f.Store("MOVD", alive, out, 0)
	f.PlusN(out, out, 8)
	f.Store("MOVD", out, m.frame, sweepAlive)
	f.Plus(pass, pass, m.field(sweepPassNext), 0)
	f.Store("MOVD", pass, m.frame, sweepPass)
	f.Plus(m.inv, m.inv, m.field(sweepInvNext), 0)
	f.Plus(m.tab, m.tab, m.field(sweepNext), 0)
	f.PlusN(score, score, 4*strip)
	f.Countdown(left, 1, "rows")
	f.Return()
}

// sweepRecord evaluates a segment on all windows of a row.
func (m *arm) sweepRecord(shape int, score G, dead []V) {
	at := m.corners(shape)
	fields, low, limit := m.V(), m.V(), m.V()
	m.Ldr("q", fields, m.record, recordThreshold)
	m.Spread(S4, low, fields, 0)
	m.Ldr("s", limit, m.segment, segmentLimit)
	m.Spread(S4, limit, limit, 0)
	planes := append(m.NextPair(m.table), m.NextPair(m.table)...)
	for g := range groups {
		contrast, sum := m.Vs(quarters), m.Vs(quarters)
		var x []V
		for _, w := range at.value(32 * g) {
			for _, upper := range []string{"", "2"} {
				v := m.New("sshll"+upper, S4, w, 0)
				m.Do("scvtf", S4, v, v)
				x = append(x, v)
			}
		}
		m.load4(contrast, m.inv, 64*g)
		for i, v := range x {
			m.Do("fmul", S4, v, v, contrast[i])
		}
		more := m.look(x, low, fields, planes)
		m.load4(sum, score, 64*g)
		for i, v := range more {
			m.Do("add", S4, sum[i], sum[i], v)
		}
		m.store4(sum, score, 64*g)
		m.Do("orr", B16, dead[g], dead[g], m.below(limit, sum))
	}
}
