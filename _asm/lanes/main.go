// Command lanes generates the assembly of haarlem/internal/kernel/lanes.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/a64"
	"haarlem/asm/vec"
)

const (
	edge = iota
	line
	pair
	check
	wide
	grid
)

const (
	stump = iota
	node
	rootYes
	rootNo
	last
	bins
	soft
)

var (
	shapeNames  = [...]string{"edge", "line", "pair", "check", "wide", "grid"}
	actionNames = [...]string{"stump", "node", "root_yes", "root_no", "last", "bins", "soft"}
)

// machine holds the registers of one kernel. Sixteen lanes of 32 bits are one
// ZMM register with AVX-512 and two YMM registers with AVX2: the first has
// windows 0 to 3 and 8 to 11, the second the others, which is the order of
// unpacking and packing.
type machine struct {
	vec.Machine

	frame                       Register
	tab, segment, record, count GPVirtual
	table                       GPVirtual // of a soft segment, counted from its record
	ahead                       int       // bytes from record to the one that code is emitted for
	score                       []Register
	inv                         []Register // with AVX2, divided by 1<<16
	top                         Register   // floats of 15

	alive GPVirtual  // with AVX-512: a bit for each window
	live  VecVirtual // with AVX2: a word for each window, all ones or zero

	memory GPVirtual // of a sweep with AVX2
	chain  GPVirtual // of a pattern; see comparisons

	// With AVX-512: words of 1, of 15, and of the bits of a pattern, the
	// highest first; floats of 0.
	one, fifteen Register
	bits         [8]Register
	zero         Register
}

func (m *machine) field(disp int) Mem { return Mem{Base: m.frame, Disp: disp} }

// entry returns the address of entry i, of 1<<shift bytes, of an array that
// the frame points to; the record or the segment at base holds i at disp.
func (m *machine) entry(array int, base Register, disp int, shift uint64) GPVirtual {
	p := GP64()
	MOVLQSX(Mem{Base: base, Disp: disp}, p)
	SHLQ(U8(shift), p)
	ADDQ(m.field(array), p)
	return p
}

func main() {
	makeConstants()
	vec.Both(func(m vec.Machine) {
		(&machine{Machine: m}).function()
		(&machine{Machine: m}).sweep()
		(&machine{Machine: m}).stages()
		if m.AVX512 {
			(&machine{Machine: m}).patterns()
		} else {
			(&machine{Machine: m}).patternWords()
		}
	})
	a64.Generate(neon())
	types.Generate()
}

// constants are broadcast to all words or floats of a register, or to both
// halves.
var constants struct {
	bits         [8]Mem // of a pattern, the highest first
	one, fifteen Mem
	top          Mem // of a table of bins, as a float

	// With AVX2.
	lanes        Mem // the bits of a group's windows, all sixteen words
	bitOf        Mem // bytes of 1<<(i%8)
	shift, scale Mem // floats of 1<<16 and 1/(1<<16)
	mark, nibble Mem // see subset
}

func makeConstants() {
	data := GLOBL("constants", RODATA|NOPTR)
	n := 0
	add := func(v Constant, bytes int) Mem {
		DATA(n, v)
		n += bytes
		return data.Offset(n - bytes)
	}
	constants.top = add(F32(15), 4)
	for i := range constants.bits {
		constants.bits[i] = add(U16(0x80>>i), 2)
	}
	constants.one, constants.fifteen = add(U16(1), 2), add(U16(15), 2)
	constants.shift, constants.scale = add(F32(1<<16), 4), add(F32(1./(1<<16)), 4)
	constants.mark, constants.nibble = add(U16(0x80), 2), add(U16(0x800f), 2)
	constants.lanes = data.Offset(n)
	for i := range 16 {
		DATA(n, U16(1<<i))
		n += 2
	}
	constants.bitOf = data.Offset(n)
	for range 2 {
		DATA(n, U64(0x8040201008040201))
		n += 8
	}
}

// keepConstants loads the constants of the whole function with AVX-512.
func (m *machine) keepConstants() {
	m.zero, m.top, m.one, m.fifteen = Z26, Z27, Y24, Y25
	VPXORD(m.zero, m.zero, m.zero)
	VBROADCASTSS(constants.top, m.top)
	VPBROADCASTW(constants.one, m.one)
	VPBROADCASTW(constants.fifteen, m.fifteen)
	for i, y := range []Register{Y16, Y17, Y18, Y19, Y20, Y21, Y22, Y23} {
		m.bits[i] = y
		VPBROADCASTW(constants.bits[i], y)
	}
}

// parts returns the number of registers for 16 lanes of 32 bits.
func (m *machine) parts() int {
	if m.AVX512 {
		return 1
	}
	return 2
}

func (m *machine) vectors() []VecVirtual {
	v := make([]VecVirtual, m.parts())
	for i := range v {
		v[i] = m.Vector()
	}
	return v
}

// declare begins a function and loads its frame.
func (m *machine) declare(what string) {
	m.frame = vec.Begin(m.Name(what), "func(f *byte)", "is "+what+"Go.")[0]
}

func (m *machine) function() {
	m.declare("run")
	m.tab, m.segment, m.alive, m.count = GP64(), GP64(), GP64(), GP64()
	if m.AVX512 {
		// Long-lived registers stay out of the lower sixteen, which short
		// instructions can use.
		m.score, m.inv = []Register{Z31}, []Register{Z30}
		m.keepConstants()
	} else {
		for range m.parts() {
			m.score = append(m.score, YMM())
			m.inv = append(m.inv, YMM())
		}
		m.live, m.top = YMM(), YMM()
		VBROADCASTSS(constants.top, m.top)
	}
	// All lanes are in the first set.
	if m.AVX512 {
		MOVW(U16(0xffff), m.field(frameSets))
	} else {
		reach := vec.Get(m.field(frameReach))
		ones := YMM()
		VPCMPEQD(ones, ones, ones)
		VMOVDQU(ones, Mem{Base: reach})
		VMOVDQU(ones, Mem{Base: reach, Disp: 32})
	}
	group := vec.Get(m.field(frameGroups))
	MOVQ(group, m.field(frameGroup))

	Label("groups")
	x, i, inv := GP64(), GP64(), GP64()
	MOVLQSX(Mem{Base: group, Disp: groupX}, x)
	MOVLQSX(Mem{Base: group, Disp: groupI}, i)
	MOVQ(m.field(frameTab), m.tab)
	LEAQ(plus(m.tab, x), m.tab)
	MOVQ(m.field(frameInv), inv)
	LEAQ(Mem{Base: inv, Index: i, Scale: 4}, inv)
	m.begin(group, inv)
	MOVQ(m.field(frameSegment), m.segment)

	Label("segments")
	CMPQ(m.segment, m.field(frameEnd))
	JCC(LabelRef("done"))
	m.record = GP64()
	m.findRecords(frameRecords)
	CMPL(Mem{Base: m.segment, Disp: segmentReset}, U8(0))
	JE(LabelRef("reset_done"))
	for _, s := range m.score {
		if m.AVX512 {
			VPXORD(s, s, s)
		} else {
			VPXOR(s, s, s)
		}
	}
	Label("reset_done")
	TESTQ(m.count, m.count)
	JE(LabelRef("limit"))
	// Segments are short, so dispatch must be fast: first the action, then the
	// shape.
	op, action := GP32(), GP32()
	MOVL(Mem{Base: m.segment, Disp: segmentOp}, op)
	MOVL(op, action)
	ANDL(U8(7), action)
	for _, a := range actions {
		CMPL(action, U8(a))
		JE(LabelRef(actionNames[a]))
	}
	JMP(LabelRef("limit"))
	for _, a := range actions {
		known := shapesOf(a)
		Label(actionNames[a])
		if a == soft {
			m.findTable()
			if !m.AVX512 {
				m.softAhead(known, op)
				continue
			}
			Label("soft_next")
		}
		for _, s := range known {
			CMPL(op, U8(s<<3|a))
			JE(LabelRef(label(s, a)))
		}
		if a == soft {
			JMP(LabelRef("segments")) // the run of them is over
		} else {
			JMP(LabelRef("limit"))
		}
		for _, s := range known {
			Label(label(s, a))
			m.operation(s, a)
			if a == soft {
				m.nextSoft(op)
				continue
			}
			ADDQ(U8(recordSize), m.record)
			DECQ(m.count)
			JNE(LabelRef(label(s, a)))
			JMP(LabelRef("limit"))
		}
	}

	Label("limit")
	CMPL(Mem{Base: m.segment, Disp: segmentHold}, U8(0))
	LEAQ(Mem{Base: m.segment, Disp: segmentSize}, m.segment)
	JNE(LabelRef("segments"))
	m.reject(Mem{Base: m.segment, Disp: segmentLimit - segmentSize})
	JNE(LabelRef("segments"))

	Label("done")
	MOVQ(m.field(frameGroup), group)
	m.end(group)
	ADDQ(U8(groupSize), group)
	MOVQ(group, m.field(frameGroup))
	vec.Countdown(m.field(frameLeft), "groups")
	vec.End()
}

// findRecords loads the first record of the segment, of an array that the frame points
// to, and their number, which come with one load.
func (m *machine) findRecords(array int) {
	MOVQ(Mem{Base: m.segment, Disp: segmentFirst}, m.count)
	MOVLQSX(m.count.As32(), m.record)
	SHLQ(U8(6), m.record)
	ADDQ(m.field(array), m.record)
	SARQ(U8(32), m.count)
}

// begin loads a group.
func (m *machine) begin(group, inv GPVirtual) {
	score, alive := Mem{Base: group, Disp: groupScore}, Mem{Base: group, Disp: groupAlive}
	if m.AVX512 {
		VMOVDQU32(score, m.score[0])
		VMOVUPS(Mem{Base: inv}, m.inv[0])
		MOVL(alive, m.alive.As32())
		return
	}
	scale, lanes := YMM(), YMM()
	VBROADCASTSS(constants.scale, scale)
	for i := range m.parts() {
		s, v := m.score[i].(VecVirtual), m.inv[i].(VecVirtual)
		VMOVDQU(score.Offset(16*i), s.AsX())
		VINSERTI128(U8(1), score.Offset(16*i+32), s, s)
		VMOVUPS(Mem{Base: inv, Disp: 16 * i}, v.AsX())
		VINSERTF128(U8(1), Mem{Base: inv, Disp: 16*i + 32}, v, v)
		VMULPS(scale, v, v)
		VMOVUPS(v, m.field(frameScaled+32*i))
	}
	VPBROADCASTW(alive, m.live)
	VMOVDQU(constants.lanes, lanes)
	VPAND(lanes, m.live, m.live)
	VPCMPEQW(lanes, m.live, m.live)
}

// end stores a group.
func (m *machine) end(group GPVirtual) {
	score, alive := Mem{Base: group, Disp: groupScore}, Mem{Base: group, Disp: groupAlive}
	if m.AVX512 {
		VMOVDQU32(m.score[0], score)
		MOVL(m.alive.As32(), alive)
		return
	}
	for i := range m.parts() {
		s := m.score[i].(VecVirtual)
		VMOVDQU(s.AsX(), score.Offset(16*i))
		VEXTRACTI128(U8(1), s, score.Offset(16*i+32))
	}
	zero, low, high := YMM(), GP32(), GP32()
	VPXOR(zero, zero, zero)
	VPACKSSWB(zero, m.live, m.live)
	VPMOVMSKB(m.live, low) // the upper half is those of windows 8 to 15
	MOVL(low, high)
	SHRL(U8(8), high)
	ORL(high, low)
	MOVWLZX(low.As16(), low)
	MOVL(low, alive)
}

// findTable sets m.table to the distance of the table from its record, which is
// the same for a run of soft segments.
func (m *machine) findTable() {
	m.table = m.entry(frameTables, m.record, recordLeft, 6)
	SUBQ(m.record, m.table)
}

// softAhead evaluates a run of soft segments. From a record's offsets to the
// test for survivors it takes fifty cycles, far more than the instructions in
// between need, and with two registers for everything they are too many for a
// processor to overlap several records. So the values of a record are computed
// before those of the previous one are looked up in its table.
func (m *machine) softAhead(shapes []int, op GPVirtual) {
	x := m.vectors()
	values := func(shape int, name string) {
		for i, v := range m.values(shape, name) {
			VMULPS(m.inv[i], v, x[i])
		}
	}
	dispatch := func(prefix string) {
		for _, s := range shapes {
			CMPL(op, U8(s<<3|soft))
			JE(LabelRef(prefix + shapeNames[s]))
		}
	}
	dispatch("soft_first_")
	JMP(LabelRef("segments"))
	for _, s := range shapes {
		Label("soft_first_" + shapeNames[s])
		values(s, "soft_first")
		JMP(LabelRef("soft_step"))
	}

	Label("soft_step")
	low := m.broadcast(recordThreshold)
	above := m.vectors()
	for i, v := range x {
		VSUBPS(low, v, above[i])
	}
	ADDQ(U8(segmentSize), m.segment)
	CMPQ(m.segment, m.field(frameEnd))
	JCC(LabelRef("soft_last"))
	MOVL(Mem{Base: m.segment, Disp: segmentOp}, op)
	dispatch("soft_")
	look := func() {
		m.look(above, Mem{Base: m.record, Index: m.table, Scale: 1})
		m.reject(Mem{Base: m.segment, Disp: segmentLimit - segmentSize})
	}
	Label("soft_last") // the end of the run
	look()
	JNE(LabelRef("segments"))
	JMP(LabelRef("done"))
	for _, s := range shapes {
		Label("soft_" + shapeNames[s])
		m.ahead = recordSize
		values(s, "soft")
		m.ahead = 0
		look()
		JE(LabelRef("done"))
		ADDQ(U8(recordSize), m.record)
		JMP(LabelRef("soft_step"))
	}
}

// nextSoft ends a soft segment and jumps to the next one's code.
func (m *machine) nextSoft(op GPVirtual) {
	m.reject(Mem{Base: m.segment, Disp: segmentLimit})
	JE(LabelRef("done"))
	ADDQ(U8(segmentSize), m.segment)
	CMPQ(m.segment, m.field(frameEnd))
	JCC(LabelRef("done"))
	ADDQ(U8(recordSize), m.record)
	MOVL(Mem{Base: m.segment, Disp: segmentOp}, op)
	JMP(LabelRef("soft_next"))
}

// reject removes lanes whose score is below the limit from those alive. The
// zero flag says that none is left.
func (m *machine) reject(limit Mem) {
	if m.AVX512 {
		ok := K()
		VPCMPD_BCST(U8(5), limit, m.score[0], ok) // not less
		set := GP32()
		KMOVW(ok, set)
		ANDL(set, m.alive.As32())
		return
	}
	l, lo, hi, left := YMM(), YMM(), YMM(), GP32()
	VPBROADCASTD(limit, l)
	VPCMPGTD(m.score[0], l, lo)
	VPCMPGTD(m.score[1], l, hi)
	VPACKSSDW(hi, lo, lo)
	VPANDN(m.live, lo, m.live)
	VPMOVMSKB(m.live, left)
	TESTL(left, left)
}

// at returns the address of 16 table elements at the window's position plus an
// offset, which the record or piece at base holds at disp.
func (m *machine) at(base Register, disp int) Mem {
	o := GP64()
	MOVLQSX(Mem{Base: base, Disp: disp}, o)
	return Mem{Base: m.tab, Index: o, Scale: 2}
}

// of returns the address of a field of the record.
func (m *machine) of(disp int) Mem { return Mem{Base: m.record, Disp: disp + m.ahead} }

// broadcast loads a field of the record into all lanes.
func (m *machine) broadcast(disp int) VecVirtual {
	v := YMM()
	VBROADCASTSS(m.of(disp), v)
	return v
}

// offset loads one of the record's offsets.
func (m *machine) offset(i int) GPVirtual {
	o := GP64()
	MOVLQSX(m.of(4*i), o)
	return o
}

// offsets loads the first n of the record's offsets, two per load, since
// kernels are bound by loads.
func (m *machine) offsets(n int) []GPVirtual {
	o := make([]GPVirtual, n)
	for i := 0; i < n; i += 2 {
		if i+1 == n {
			o[i] = m.offset(i)
			continue
		}
		o[i], o[i+1] = GP64(), GP64()
		MOVQ(m.of(4*i), o[i+1])
		MOVLQSX(o[i+1].As32(), o[i])
		SARQ(U8(32), o[i+1])
	}
	return o
}

// plus returns the address of the element o away from base.
func plus(base, o GPVirtual) Mem { return Mem{Base: base, Index: o, Scale: 2} }

func load(from Mem) VecVirtual {
	y := YMM()
	VMOVDQU(from, y)
	return y
}

// operation emits the code for one record.
func (m *machine) operation(shape, action int) {
	if shape == grid {
		yes := m.subset(m.code(), action == rootNo)
		m.act(action, yes)
		return
	}
	x := m.values(shape, actionNames[action])
	for i := range x {
		VMULPS(m.inv[i], x[i], x[i])
	}
	switch action {
	case bins:
		m.bins(x, Mem{Base: m.entry(frameTables, m.record, recordLeft, 6)})
	case soft:
		m.bins(x, Mem{Base: m.record, Index: m.table, Scale: 1})
	default:
		m.act(action, m.below(x, action == rootNo))
	}
}

// values returns sixteen feature values as floats, to be multiplied by inv.
// name makes labels unique.
func (m *machine) values(shape int, name string) []VecVirtual {
	var x []VecVirtual
	if shape == wide {
		x = m.wide(name)
	} else {
		x = m.widen(m.narrow(shape))
	}
	for i := range x {
		VCVTDQ2PS(x[i], x[i])
	}
	if shape == wide && !m.AVX512 {
		shift := YMM()
		VBROADCASTSS(constants.shift, shift)
		for i := range x {
			VMULPS(shift, x[i], x[i])
		}
	}
	return x
}

// narrow returns sixteen feature values of 16 bits.
func (m *machine) narrow(shape int) VecVirtual { return m.corners(shape).value(YMM, 0) }

// corners are the addresses that a feature of 16 bits reads.
type corners struct {
	form form
	at   []Mem
	mul  Mem // factor of the positive part
}

// corners computes the addresses.
func (m *machine) corners(shape int) corners {
	c := corners{form: forms[shape], mul: m.of(recordMul)}
	o := m.offsets(c.form.offsets)
	if c.form.rows == nil {
		for _, o := range o {
			c.at = append(c.at, plus(m.tab, o))
		}
		return c
	}
	first, from := o[c.form.rows[0]], m.tab
	for _, r := range c.form.rows {
		LEAQ(plus(from, o[r]), o[r])
		from = first
	}
	for _, r := range c.form.rows {
		c.at = append(c.at, Mem{Base: o[r]})
		for _, column := range c.form.columns {
			c.at = append(c.at, plus(o[r], o[column]))
		}
	}
	return c
}

// value returns the feature's values in a register of words from vector, for
// the windows from offset bytes on.
func (c corners) value(vector func() VecVirtual, offset int) VecVirtual {
	return work(c.form, avxWorker{c, vector, offset})
}

// An avxWorker emits steps with AVX2 or AVX-512.
type avxWorker struct {
	corners
	vector func() VecVirtual
	offset int
}

func (a avxWorker) corner(i int) Mem { return a.at[i].Offset(a.offset) }

func (a avxWorker) load(corner int) VecVirtual {
	v := a.vector()
	if v.Size() == 64 {
		VMOVDQU32(a.corner(corner), v)
	} else {
		VMOVDQU(a.corner(corner), v)
	}
	return v
}

func (a avxWorker) mul() VecVirtual {
	v := a.vector()
	VPBROADCASTW(a.corners.mul, v)
	return v
}

func (a avxWorker) addCorner(to VecVirtual, corner int) { VPADDW(a.corner(corner), to, to) }
func (a avxWorker) subCorner(to VecVirtual, corner int) { VPSUBW(a.corner(corner), to, to) }
func (a avxWorker) add(to, w VecVirtual)                { VPADDW(w, to, to) }
func (a avxWorker) sub(to, w VecVirtual)                { VPSUBW(w, to, to) }
func (a avxWorker) times(to, w VecVirtual)              { VPMULLW(w, to, to) }

// widen extends 16 signed lanes of 16 bits to 32. With AVX2 they are in the
// upper half: all values are 1<<16 times as large.
func (m *machine) widen(v VecVirtual) []VecVirtual {
	if m.AVX512 {
		w := ZMM()
		VPMOVSXWD(v, w)
		return []VecVirtual{w}
	}
	return unpack(m.Zero(), v)
}

// widenUnsigned extends 16 unsigned lanes of 16 bits to 32.
func (m *machine) widenUnsigned(v VecVirtual) []VecVirtual {
	if m.AVX512 {
		w := ZMM()
		VPMOVZXWD(v, w)
		return []VecVirtual{w}
	}
	return unpack(v, m.Zero())
}

// unpack puts the lanes of 16 bits of two registers together.
func unpack(low, high Register) []VecVirtual {
	a, b := YMM(), YMM()
	VPUNPCKLWD(high, low, a)
	VPUNPCKHWD(high, low, b)
	return []VecVirtual{a, b}
}

// wide sums weighted pieces.
func (m *machine) wide(name string) []VecVirtual {
	var sum []VecVirtual
	for range m.parts() {
		sum = append(sum, m.Zero())
	}
	n := GP64()
	MOVBQZX(m.of(recordCount), n)
	piece := m.entry(framePieces, m.record, recordAux+m.ahead, 4)
	last := YMM()
	VPXOR(last, last, last)
	l := "pieces_" + name
	Label(l)
	d := load(m.at(piece, pieceTop))
	VPSUBW(m.at(piece, pieceBottom), d, d)
	VPSUBW(d, last, last)
	for i, v := range m.widenUnsigned(last) {
		if m.AVX512 {
			VPMULLD_BCST(Mem{Base: piece, Disp: pieceMul}, v, v)
		} else {
			mul := YMM()
			VPBROADCASTD(Mem{Base: piece, Disp: pieceMul}, mul)
			VPMULLD(mul, v, v)
		}
		VPADDD(v, sum[i], sum[i])
	}
	VMOVDQA(d, last)
	ADDQ(U8(pieceSize), piece)
	vec.Countdown(n, l)
	return sum
}

// below tests whether x is below the record's threshold, or, with not, whether
// it is not: in a mask register, or in lanes of all ones.
func (m *machine) below(x []VecVirtual, not bool) []Register {
	predicate := uint64(0x11) // less, ordered, quiet
	if not {
		predicate = 0x15 // not less, unordered, quiet
	}
	threshold := Mem{Base: m.record, Disp: recordThreshold}
	if m.AVX512 {
		k := K()
		VCMPPS_BCST(U8(predicate), threshold, x[0], k)
		return []Register{k}
	}
	t := YMM()
	VBROADCASTSS(threshold, t)
	var yes []Register
	for _, v := range x {
		VCMPPS(U8(predicate), t, v, v)
		yes = append(yes, v)
	}
	return yes
}

// act applies an action to the lanes that pass, or, for RootNo, to those that
// fail.
func (m *machine) act(action int, yes []Register) {
	switch action {
	case stump:
		m.addWhere(yes, recordLeft)
	case rootYes, rootNo:
		m.addWhere(yes, recordLeft)
		m.put(yes, m.sets(recordYes, 1)[0])
	case last:
		m.addWhere(m.both(yes, m.get(m.sets(recordSelf, 1)[0])), recordLeft)
	case node:
		sets := m.sets(recordSelf, 3)
		in := m.get(sets[0])
		no := m.butNot(in, yes)
		yes = m.both(yes, in)
		m.put(yes, sets[1])
		m.put(no, sets[2])
		m.addWhere(yes, recordLeft)
		m.addWhere(no, recordRight)
	}
}

// sets returns the addresses of n sets of lanes, whose slots the record holds
// from disp on.
func (m *machine) sets(disp, n int) []Mem {
	slots := make([]GPVirtual, n)
	for i := range slots {
		slots[i] = GP64()
	}
	if n == 1 {
		MOVBQZX(Mem{Base: m.record, Disp: disp}, slots[0])
	} else {
		rest := GP32()
		MOVL(Mem{Base: m.record, Disp: disp}, rest)
		for i, s := range slots {
			if i > 0 {
				SHRL(U8(8), rest)
			}
			MOVBLZX(rest.As8(), s.As32())
		}
	}
	sets := make([]Mem, n)
	if m.AVX512 {
		for i, s := range slots {
			sets[i] = Mem{Base: m.frame, Disp: frameSets, Index: s, Scale: 2}
		}
		return sets
	}
	reach := vec.Get(m.field(frameReach))
	for i, s := range slots {
		SHLQ(U8(6), s)
		sets[i] = Mem{Base: reach, Index: s, Scale: 1}
	}
	return sets
}

func (m *machine) get(from Mem) (set []Register) {
	if m.AVX512 {
		k := K()
		KMOVW(from, k)
		return []Register{k}
	}
	for range m.parts() {
		v := YMM()
		VMOVDQU(from, v)
		set = append(set, v)
		from.Disp += 32
	}
	return set
}

func (m *machine) put(set []Register, to Mem) {
	for _, s := range set {
		if m.AVX512 {
			KMOVW(s, to)
		} else {
			VMOVDQU(s, to)
		}
		to.Disp += 32
	}
}

// both returns the lanes that are in a and in b.
func (m *machine) both(a, b []Register) []Register { return m.combined(KANDW, VPAND, a, b) }

// butNot returns the lanes that are in a and not in b.
func (m *machine) butNot(a, b []Register) []Register { return m.combined(KANDNW, VPANDN, a, b) }

// combined applies an operation on mask registers or on lanes to two sets.
func (m *machine) combined(masks, lanes func(a, b, to Op), a, b []Register) (set []Register) {
	for i := range a {
		if m.AVX512 {
			k := K()
			masks(a[i], b[i], k)
			set = append(set, k)
		} else {
			v := YMM()
			lanes(a[i], b[i], v)
			set = append(set, v)
		}
	}
	return set
}

// addWhere adds a leaf of the record to the scores of some lanes.
func (m *machine) addWhere(set []Register, disp int) {
	leaf := Mem{Base: m.record, Disp: disp}
	if m.AVX512 {
		VPADDD_BCST(leaf, m.score[0], set[0], m.score[0])
		return
	}
	l := YMM()
	VPBROADCASTD(leaf, l)
	for i, s := range set {
		v := YMM()
		VPAND(l, s, v)
		VPADDD(v, m.score[i], m.score[i])
	}
}

// bins looks the values up in a table of 16 entries.
func (m *machine) bins(x []VecVirtual, table Mem) {
	low := Mem{Base: m.record, Disp: recordThreshold}
	scale := Mem{Base: m.record, Disp: recordRight}
	if m.AVX512 {
		v := x[0]
		VSUBPS_BCST(low, v, v)
		VMULPS_BCST(scale, v, v)
		VMAXPS(m.zero, v, v)
		VMINPS(m.top, v, v)
		VCVTTPS2DQ(v, v)
		VPERMD(table, v, v)
		VPADDD(v, m.score[0], m.score[0])
		return
	}
	l := m.broadcast(recordThreshold)
	for _, v := range x {
		VSUBPS(l, v, v)
	}
	m.look(x, table)
}

// look looks values less the record's low up, with AVX2.
func (m *machine) look(x []VecVirtual, table Mem) {
	scale := m.broadcast(recordRight)
	for _, v := range x {
		VMULPS(scale, v, v)
		VMINPS(v, m.top, v) // NaN stays NaN
		VCVTTPS2DQ(v, v)    // and becomes the lowest one
	}
	// Values below zero become zero in the second step. Each half then has its
	// eight bins twice.
	bin := x[0]
	VPACKSSDW(x[1], x[0], bin)
	VPACKUSWB(bin, bin, bin)
	var bytes [4]VecVirtual
	for i := range bytes {
		bytes[i] = YMM()
		VBROADCASTI128(table.Offset(16*i), bytes[i])
		VPSHUFB(bin, bytes[i], bytes[i])
	}
	VPUNPCKLBW(bytes[1], bytes[0], bytes[0])
	VPUNPCKLBW(bytes[3], bytes[2], bytes[2])
	for i, v := range unpack(bytes[0], bytes[2]) {
		VPADDD(v, m.score[i], m.score[i])
	}
}

// code returns the local binary patterns of 16 lanes, in 16 bits.
func (m *machine) code() VecVirtual {
	offsets := m.offsets(8)
	rows, columns := offsets[:4], offsets[4:]
	// Row by row: differences of neighbouring corners, and their differences
	// to the row before. Few registers are alive at a time, since AVX2 has
	// sixteen.
	var cells [4][3]VecVirtual
	for r := range 4 {
		row := rows[r]
		LEAQ(plus(m.tab, row), row)
		var corner [4]VecVirtual
		if m.AVX512 {
			for c := range corner {
				corner[c] = load(Mem{Base: row, Index: columns[c], Scale: 2})
			}
		}
		for c := range 3 {
			if m.AVX512 {
				cells[r][c] = corner[c]
				VPSUBW(corner[c+1], corner[c], corner[c])
			} else {
				cells[r][c] = load(Mem{Base: row, Index: columns[c], Scale: 2})
				VPSUBW(Mem{Base: row, Index: columns[c+1], Scale: 2}, cells[r][c], cells[r][c])
			}
			if r > 0 {
				VPSUBW(cells[r][c], cells[r-1][c], cells[r-1][c])
			}
		}
	}
	mid := cells[1][1]
	if m.AVX512 {
		return m.codeByBits(cells, mid)
	}
	code := YMM()
	VPBROADCASTW(constants.mark, code) // see subset
	for _, p := range clockwise {
		v := cells[p[0]][p[1]]
		top := YMM()
		VPMAXUW(mid, v, top)
		VPCMPEQW(top, v, v) // -1 where the cell is at least the middle one
		VPADDW(code, code, code)
		VPSUBW(v, code, code)
	}
	for i, v := range m.inv { // reload: they were spilled
		VMOVUPS(m.field(frameScaled+32*i), v)
	}
	return code
}

// clockwise are the cells around the middle one, the highest bit first.
var clockwise = [8][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 2}, {2, 2}, {2, 1}, {2, 0}, {1, 0}}

// codeByBits assembles a pattern from its bits, in two halves.
func (m *machine) codeByBits(cells [4][3]VecVirtual, mid VecVirtual) VecVirtual {
	var half [2]VecVirtual
	for i, p := range clockwise {
		v, top := cells[p[0]][p[1]], YMM()
		VPMAXUW(mid, v, top)
		VPCMPEQW(top, v, v) // all ones where the cell is at least the middle one
		if i%4 == 0 {
			half[i/4] = YMM()
			VPANDD(m.bits[i], v, half[i/4])
		} else {
			VPTERNLOGD(U8(0xf8), m.bits[i], v, half[i/4]) // half | v & bit
		}
	}
	VPOR(half[1], half[0], half[0])
	return half[0]
}

// subset tests whether the code's bit is set in the record's subset, or, with
// not, whether it is not.
func (m *machine) subset(code VecVirtual, not bool) []Register {
	sub := m.entry(frameSubsets, m.record, recordAux, 5)
	if m.AVX512 {
		// The subset is sixteen words of sixteen bits.
		word, bit, k := YMM(), YMM(), K()
		VPSRLW(U8(4), code, word)
		VPERMW(Mem{Base: sub}, word, word)
		VPANDD(m.fifteen, code, bit)
		VPSLLVW(bit, m.one, bit)
		if not {
			VPTESTNMW(bit, word, k)
		} else {
			VPTESTMW(bit, word, k)
		}
		return []Register{k}
	}
	// The code is the lower byte of a word whose highest bit is set, so that
	// the upper byte of the shuffled word is zero. The subset is 32 bytes.
	first, second, bit, nibble := YMM(), YMM(), YMM(), YMM()
	VPBROADCASTW(constants.nibble, nibble)
	VBROADCASTI128(Mem{Base: sub}, first)
	VBROADCASTI128(Mem{Base: sub, Disp: 16}, second)
	VBROADCASTI128(constants.bitOf, bit)
	VPAND(nibble, code, nibble)
	VPSHUFB(nibble, bit, bit)
	index := nibble
	VPSRAW(U8(3), code, index)
	VPSHUFB(index, first, first)
	VPSHUFB(index, second, second)
	VPBLENDVB(code, second, first, first)
	VPAND(bit, first, first)
	if not {
		VPXOR(bit, bit, bit)
	}
	VPCMPEQW(bit, first, first)
	var yes []Register
	for _, v := range unpack(first, first) {
		yes = append(yes, v)
	}
	return yes
}
