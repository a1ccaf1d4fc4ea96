package main

import . "haarlem/asm/a64"

// Sets of lanes for trees, in words of all ones or zero.
const (
	slots    = 64
	slotSize = 64
)

// quarters is the number of registers for sixteen lanes of 32 bits with NEON;
// two hold as many of 16 bits, and one those of 8.
const quarters = 4

// An arm holds the registers of one kernel for arm64. Lanes are in the order of
// the windows.
type arm struct {
	*Func
	frame, tab, segment, end, record, count G
	table                                   G // planes of a soft segment's table
	inv                                     G
	score, contrast                         []V
	live                                    V // a byte for each window, all ones or zero
	bits                                    V // bytes of 1<<(i%8)
}

// neon describes the kernels for arm64.
func neon() *File {
	f := &File{}
	bits := make([]byte, 32)
	for i := range 16 {
		bits[i], bits[16+i] = 1<<(i%8), byte(i/8)
	}
	f.Bytes("laneBits", bits) // and behind them, which byte of a set has them
	runNEON(f)
	sweepNEON(f)
	return f
}

func (m *arm) field(at int) G { return m.Get("MOVD", m.frame, at) }

// entry returns the address of entry i, of 1<<shift bytes, of an array that the
// frame points to; base holds i at disp.
func (m *arm) entry(array int, base G, disp, shift int) G {
	i, p := m.G(), m.field(array)
	m.Load("MOVW", i, base, disp)
	m.Plus(p, p, i, shift)
	return p
}

func (m *arm) load4(v []V, from G, disp int) {
	m.Ldp(v[0], v[1], from, disp)
	m.Ldp(v[2], v[3], from, disp+32)
}

// four is load4 of new registers.
func (m *arm) four(from G, disp int) []V { return append(m.Pair(from, disp), m.Pair(from, disp+32)...) }

func (m *arm) store4(v []V, to G, disp int) {
	m.Stp(v[0], v[1], to, disp)
	m.Stp(v[2], v[3], to, disp+32)
}

func runNEON(file *File) {
	f, p := file.Begin("runNEON", "func(f *byte)", "is runGo.")
	m := &arm{Func: f, frame: p[0]}
	m.tab, m.segment, m.record, m.count, m.table, m.inv = f.G(), f.G(), f.G(), f.G(), f.G(), f.G()
	m.score, m.contrast, m.live, m.bits = f.Vs(quarters), f.Vs(quarters), f.V(), f.V()
	m.end = m.field(frameEnd)
	// All lanes are in the first set.
	reach, ones := m.field(frameReach), f.V()
	f.Fill(B16, ones, 0xff)
	m.store4([]V{ones, ones, ones, ones}, reach, 0)
	group, left, constants := m.field(frameGroups), m.field(frameLeft), f.G()

	f.Label("groups")
	x, i := f.G(), f.G()
	f.LoadPair(x, i, group, groupX)
	f.Load("MOVD", m.tab, m.frame, frameTab)
	f.Load("MOVD", m.inv, m.frame, frameInv)
	f.Plus(m.tab, m.tab, x, 1)
	f.Plus(m.inv, m.inv, i, 2)
	m.load4(m.contrast, m.inv, 0)
	scores := f.G()
	f.PlusN(scores, group, groupScore)
	m.load4(m.score, scores, 0)
	spread := f.V()
	f.Address(constants, "laneBits")
	f.Ldp(m.bits, spread, constants, 0)
	f.Ldr("s", m.live, group, groupAlive)
	f.Table(m.live, spread, m.live)
	f.Do("cmtst", B16, m.live, m.live, m.bits)
	f.Load("MOVD", m.segment, m.frame, frameSegment)

	f.Label("segments")
	f.Compare(m.segment, m.end)
	f.Branch("BHS", "done")
	first, op, action, reset := f.G(), f.G(), f.G(), f.G()
	f.LoadPair(first, m.count, m.segment, segmentFirst)
	f.Load("MOVD", m.record, m.frame, frameRecords)
	f.Plus(m.record, m.record, first, 6)
	f.Load("MOVW", reset, m.segment, segmentReset)
	f.Load("MOVW", op, m.segment, segmentOp)
	f.BranchZero(reset, "reset_done")
	f.Zero(m.score...)
	f.Label("reset_done")
	f.BranchZero(m.count, "limit")
	// As in function: first the action, then the shape.
	f.AndN(action, op, 7)
	for _, a := range actions {
		f.CompareW(action, a)
		f.Branch("BEQ", actionNames[a])
	}
	f.Branch("B", "limit")
	for _, a := range actions {
		known := shapesOf(a)
		choose := func() {
			for _, s := range known {
				f.CompareW(op, s<<3|a)
				f.Branch("BEQ", label(s, a))
			}
			if a == soft {
				f.Branch("B", "segments") // the end of the run
			} else {
				f.Branch("B", "limit")
			}
		}
		f.Label(actionNames[a])
		if a == soft {
			// The tables of the run are consecutive.
			t := m.entry(frameTables, m.record, recordLeft, 6)
			f.Copy(m.table, t)
		}
		choose()
		for _, s := range known {
			f.Label(label(s, a))
			m.operation(s, a)
			f.PlusN(m.record, m.record, recordSize)
			if a == soft {
				any := m.reject(segmentLimit)
				f.BranchZero(any, "done")
				f.PlusN(m.segment, m.segment, segmentSize)
				f.Compare(m.segment, m.end)
				f.Branch("BHS", "done")
				f.Load("MOVW", op, m.segment, segmentOp)
				choose()
				continue
			}
			f.Countdown(m.count, 1, label(s, a))
			f.Branch("B", "limit")
		}
	}

	f.Label("limit")
	hold := f.Get("MOVW", m.segment, segmentHold)
	f.PlusN(m.segment, m.segment, segmentSize)
	f.BranchNot(hold, "segments")
	f.BranchNot(m.reject(segmentLimit-segmentSize), "segments")

	f.Label("done")
	f.PlusN(scores, group, groupScore)
	m.store4(m.score, scores, 0)
	alive := f.G()
	f.Do("and", B16, m.live, m.live, m.bits)
	for range 3 {
		f.Do("addp", B16, m.live, m.live, m.live)
	}
	f.Take(H8, alive, m.live, 0)
	f.Store("MOVW", alive, group, groupAlive)
	f.PlusN(group, group, groupSize)
	f.Countdown(left, 1, "groups")
	f.Return()
}

// reject removes lanes whose score is below the limit, at disp of the segment,
// from those alive. It returns zero if none is left.
func (m *arm) reject(disp int) G {
	limit, any, left := m.V(), m.V(), m.G()
	m.Ldr("s", limit, m.segment, disp)
	m.Spread(S4, limit, limit, 0)
	m.Do("bic", B16, m.live, m.live, m.below(limit, m.score))
	m.Do("umaxv", B16, any, m.live)
	m.Take(S4, left, any, 0)
	return left
}

// below returns bytes of all ones where scores are below a limit.
func (m *arm) below(limit V, score []V) V {
	less := m.Vs(quarters)
	for i, s := range score {
		m.Do("cmgt", S4, less[i], limit, s)
	}
	m.Do("uzp1", H8, less[0], less[0], less[1])
	m.Do("uzp1", H8, less[2], less[2], less[3])
	m.Do("uzp1", B16, less[0], less[0], less[2])
	return less[0]
}

// operation emits the code for one record.
func (m *arm) operation(shape, action int) {
	fields := m.V() // Threshold, Left, Right
	m.Ldr("q", fields, m.record, recordThreshold)
	if shape == grid {
		m.act(action, fields, m.subset(m.code(), action == rootNo))
		return
	}
	x := m.values(shape, actionNames[action])
	for i := range x {
		m.Do("fmul", S4, x[i], x[i], m.contrast[i])
	}
	switch action {
	case bins, soft:
		var planes []V
		if action == bins {
			planes = m.four(m.entry(frameTables, m.record, recordLeft, 6), 0)
		} else {
			planes = append(m.NextPair(m.table), m.NextPair(m.table)...)
		}
		low := m.V()
		m.Spread(S4, low, fields, 0)
		for i, v := range m.look(x, low, fields, planes) {
			m.Do("add", S4, m.score[i], m.score[i], v)
		}
	default:
		threshold := m.V()
		m.Spread(S4, threshold, fields, 0)
		for _, v := range x {
			m.Do("fcmgt", S4, v, threshold, v)
			if action == rootNo {
				m.Do("not", B16, v, v)
			}
		}
		m.act(action, fields, x)
	}
}

// values returns sixteen feature values as floats.
func (m *arm) values(shape int, name string) []V {
	var x []V
	if shape == wide {
		x = m.wide(name)
	} else {
		for _, w := range m.corners(shape).value(0) {
			x = append(x, m.New("sshll", S4, w, 0), m.New("sshll2", S4, w, 0))
		}
	}
	for _, v := range x {
		m.Do("scvtf", S4, v, v)
	}
	return x
}

// armCorners are the addresses that a feature of 16 bits reads.
type armCorners struct {
	m      *arm
	form   form
	at     []G
	factor V // Mul in all lanes, if the form has it
}

// corners computes the addresses.
func (m *arm) corners(shape int) armCorners {
	c := armCorners{m: m, form: forms[shape]}
	o := make([]G, c.form.offsets)
	for i := range o {
		o[i] = m.G()
		if i%2 == 1 {
			m.LoadPair(o[i-1], o[i], m.record, 4*(i-1))
		} else if i+1 == len(o) {
			m.Load("MOVW", o[i], m.record, 4*i)
		}
	}
	if c.form.rows == nil {
		for _, o := range o {
			m.Plus(o, m.tab, o, 1)
			c.at = append(c.at, o)
		}
	} else {
		from := m.tab
		for _, r := range c.form.rows {
			m.Plus(o[r], from, o[r], 1)
			from = o[c.form.rows[0]]
		}
		for _, r := range c.form.rows {
			c.at = append(c.at, o[r])
			for _, column := range c.form.columns {
				corner := m.G()
				m.Plus(corner, o[r], o[column], 1)
				c.at = append(c.at, corner)
			}
		}
	}
	if shape == line || shape == pair {
		c.factor = m.V()
		m.Ldr("h", c.factor, m.record, recordMul)
		m.Spread(H8, c.factor, c.factor, 0)
	}
	return c
}

// value returns the feature's values in words, for the windows from behind
// bytes on.
func (c armCorners) value(offset int) [2]V { return work(c.form, armWorker{c, offset}) }

// An armWorker emits steps with NEON. A word is two registers.
type armWorker struct {
	armCorners
	offset int
}

func (a armWorker) load(corner int) [2]V {
	return [2]V(a.m.Pair(a.at[corner], a.offset))
}

func (a armWorker) mul() [2]V { return [2]V{a.factor, a.factor} }

func (a armWorker) do(mnemonic string, to, w [2]V) {
	for i := range to {
		a.m.Do(mnemonic, H8, to[i], to[i], w[i])
	}
}

func (a armWorker) addCorner(to [2]V, corner int) { a.do("add", to, a.load(corner)) }
func (a armWorker) subCorner(to [2]V, corner int) { a.do("sub", to, a.load(corner)) }
func (a armWorker) add(to, w [2]V)                { a.do("add", to, w) }
func (a armWorker) sub(to, w [2]V)                { a.do("sub", to, w) }
func (a armWorker) times(to, w [2]V)              { a.do("mul", to, w) }

// look looks values up in a table of 16 entries, whose bytes are in planes,
// after subtracting low; word 2 of fields is the scale.
func (m *arm) look(x []V, low, fields V, planes []V) []V {
	for _, v := range x {
		m.Do("fsub", S4, v, v, low)
		m.TimesLane("fmul", S4, v, v, fields, 2)
		// With 28 fractional bits, the upper four are the bin: 16 and more
		// saturate to the largest number, negative values and NaN to zero.
		m.Do("fcvtzu", S4, v, v, 28)
	}
	bin, other := m.New("uzp2", H8, x[0], x[1]), m.New("uzp2", H8, x[2], x[3])
	m.Do("uzp2", B16, bin, bin, other)
	m.Do("ushr", B16, bin, bin, 4)
	bytes := m.Vs(4)
	for i := range bytes {
		m.Table(bytes[i], bin, planes[i])
	}
	return m.zip(H8, m.zip(B16, bytes[:1], bytes[1:2]), m.zip(B16, bytes[2:3], bytes[3:]))
}

// zip interleaves the elements of registers.
func (m *arm) zip(l Lanes, a, b []V) []V {
	var z []V
	for i := range a {
		low, high := m.New("zip1", l, a[i], b[i]), m.New("zip2", l, a[i], b[i])
		z = append(z, low, high)
	}
	return z
}

// wide sums weighted pieces.
func (m *arm) wide(name string) []V {
	sum, last := m.Vs(quarters), m.Vs(2)
	m.Zero(append(sum[:quarters:quarters], last...)...)
	n := m.Get("MOVBU", m.record, recordCount)
	piece := m.entry(framePieces, m.record, recordAux, 4)
	l := "pieces_" + name
	m.Label(l)
	top, bottom, factor := m.G(), m.G(), m.V()
	m.LoadPair(top, bottom, piece, pieceTop)
	m.Ldr("s", factor, piece, pieceMul)
	m.Plus(top, m.tab, top, 1)
	m.Plus(bottom, m.tab, bottom, 1)
	d, e := m.Pair(top, 0), m.Pair(bottom, 0)
	for i := range d {
		m.Do("sub", H8, d[i], d[i], e[i])
		m.Do("sub", H8, last[i], last[i], d[i])
		for k, upper := range []string{"", "2"} {
			v := m.New("ushll"+upper, S4, last[i], 0)
			m.TimesLane("mla", S4, sum[2*i+k], v, factor, 0)
		}
		m.Move(last[i], d[i])
	}
	m.PlusN(piece, piece, pieceSize)
	m.Countdown(n, 1, l)
	return sum
}

// act applies an action to the lanes that pass, or, for RootNo, to those that
// fail.
func (m *arm) act(action int, fields V, yes []V) {
	addWhere := func(set []V, leaf int) {
		v := m.V()
		m.Spread(S4, v, fields, leaf)
		for i, s := range set {
			m.Do("mls", S4, m.score[i], s, v) // all ones are -1
		}
	}
	const left, right = 1, 2
	switch action {
	case stump:
		addWhere(yes, left)
	case rootYes, rootNo:
		addWhere(yes, left)
		m.store4(yes, m.set(recordYes), 0)
	case last:
		in := m.four(m.set(recordSelf), 0)
		for i := range yes {
			m.Do("and", B16, yes[i], yes[i], in[i])
		}
		addWhere(yes, left)
	case node:
		in := m.four(m.set(recordSelf), 0)
		for i := range yes {
			m.Do("and", B16, yes[i], in[i], yes[i])
			m.Do("eor", B16, in[i], in[i], yes[i]) // those that fail
		}
		m.store4(yes, m.set(recordYes), 0)
		m.store4(in, m.set(recordNo), 0)
		addWhere(yes, left)
		addWhere(in, right)
	}
}

// set returns the address of a set of lanes, whose slot the record holds.
func (m *arm) set(disp int) G {
	slot, reach := m.G(), m.field(frameReach)
	m.Load("MOVBU", slot, m.record, disp)
	m.Plus(reach, reach, slot, 6)
	return reach
}

// code returns the local binary patterns of 16 lanes, in bytes.
func (m *arm) code() V {
	var o [8]G
	for i := 0; i < len(o); i += 2 {
		o[i], o[i+1] = m.G(), m.G()
		m.LoadPair(o[i], o[i+1], m.record, 4*i)
	}
	// Row by row: differences of neighbouring corners, and their differences to
	// the row before.
	var cells [4][3][2]V
	for r := range 4 {
		row := o[r]
		m.Plus(row, m.tab, row, 1)
		var corner [4][2]V
		for c := range corner {
			at := m.G()
			m.Plus(at, row, o[4+c], 1)
			corner[c] = [2]V(m.Pair(at, 0))
		}
		for c := range 3 {
			cells[r][c] = corner[c]
			for i := range 2 {
				m.Do("sub", H8, corner[c][i], corner[c][i], corner[c+1][i])
				if r > 0 {
					m.Do("sub", H8, cells[r-1][c][i], cells[r-1][c][i], corner[c][i])
				}
			}
		}
	}
	mid, code := cells[1][1], m.V()
	m.Zero(code)
	for i, p := range clockwise {
		v, bit := cells[p[0]][p[1]], m.V()
		for k := range v {
			m.Do("cmhs", H8, v[k], v[k], mid[k])
		}
		m.Do("uzp1", B16, v[0], v[0], v[1])
		m.Fill(B16, bit, 0x80>>i)
		m.Do("bit", B16, code, v[0], bit)
	}
	// Reload: they were spilled.
	m.load4(m.contrast, m.inv, 0)
	bits := m.G()
	m.Address(bits, "laneBits")
	m.Ldr("q", m.bits, bits, 0)
	return code
}

// subset tests whether the code's bit is set in the record's subset, or, with
// not, whether it is not.
func (m *arm) subset(code V, not bool) []V {
	sub := m.entry(frameSubsets, m.record, recordAux, 5)
	first, second, seven, index := m.Fixed(30), m.Fixed(31), m.V(), m.V()
	m.Ldp(first, second, sub, 0)
	m.Fill(B16, seven, 7)
	m.Do("ushr", B16, index, code, 3)
	m.Do("and", B16, code, code, seven)
	m.Table(index, index, first, second)
	m.Table(code, code, m.bits)
	yes := m.New("cmtst", B16, index, code)
	if not {
		m.Do("not", B16, yes, yes)
	}
	var wider []V
	for _, upper := range []string{"", "2"} {
		half := m.New("sshll"+upper, H8, yes, 0)
		wider = append(wider, m.New("sshll", S4, half, 0), m.New("sshll2", S4, half, 0))
	}
	return wider
}
