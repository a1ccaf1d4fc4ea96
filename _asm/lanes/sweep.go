package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/vec"
)

const (
	strip  = 64 // windows of one row
	groups = strip / 16
)

// The layout of that memory, from the first multiple of 64 on, for each half of
// a group: contrasts, scores, and, in words for both halves, the rejected
// lanes.
const (
	sweepScaled = 4 * strip * iota
	sweepScores
	sweepDead

	stageSets = sweepDead + 2*strip // of stages: sets of lanes for trees, 2*strip bytes for each slot
)

// sweep emits the function that takes rows of 64 windows through the first soft
// segments. No branch depends on a single window, so that a processor can
// overlap several rows, where run waits for the end of each group.
func (m *machine) sweep() {
	m.declare("sweep")
	m.tab, m.alive = GP64(), GP64()
	MOVQ(m.field(sweepTab), m.tab)
	if m.AVX512 {
		m.sweepConstants()
	} else {
		m.sweepMemory()
	}

	Label("rows")
	p := vec.Get(m.field(sweepPass))
	MOVQ(Mem{Base: p}, m.alive)
	TESTQ(m.alive, m.alive)
	JE(LabelRef("rejected")) // whole rows are without contrast, many together
	m.sweepBegin()
	op := GP64()
	m.segment, m.record, m.table = GP64(), GP64(), GP64()
	MOVQ(m.field(sweepSegment), m.segment)
	MOVQ(m.field(sweepRecord), m.record)
	MOVQ(m.field(sweepTable), m.table)
	SUBQ(m.record, m.table)
	Label("segments")
	MOVL(Mem{Base: m.segment, Disp: segmentOp}, op.As32())
	shapes := []int{line, edge, check, pair}
	for _, s := range shapes[:len(shapes)-1] {
		CMPL(op.As32(), U8(s<<3|soft))
		JE(LabelRef(shapeNames[s]))
	}
	for i := range shapes {
		s := shapes[len(shapes)-1-i]
		Label(shapeNames[s])
		m.sweepRecord(s)
		JMP(LabelRef("next"))
	}
	Label("next")
	ADDQ(U8(recordSize), m.record)
	ADDQ(U8(segmentSize), m.segment)
	CMPQ(m.segment, m.field(sweepEnd))
	JCS(LabelRef("segments"))
	m.sweepFinish()
	m.sweepNextRow()
}

// sweepMemory sets m.memory, with AVX2.
func (m *machine) sweepMemory() {
	m.memory = GP64()
	MOVQ(m.field(sweepMemory), m.memory)
	ADDQ(U8(63), m.memory)
	ANDQ(I8(-64), m.memory)
}

// sweepNextRow stores which windows of a row are alive, and goes on to the next row.
func (m *machine) sweepNextRow() {
	Label("rejected")
	out := vec.Get(m.field(sweepAlive))
	MOVQ(m.alive, Mem{Base: out})
	for _, step := range []struct{ field, by int }{{sweepPass, sweepPassNext}, {sweepInv, sweepInvNext}} {
		by := vec.Get(m.field(step.by))
		ADDQ(by, m.field(step.field))
	}
	ADDQ(U8(8), m.field(sweepAlive))
	ADDQ(U32(4*strip), m.field(sweepScore))
	ADDQ(m.field(sweepNext), m.tab)
	vec.Countdown(m.field(sweepLeft), "rows")
	vec.End()
}

// Registers of a sweep with AVX-512: per group, and constant ones.
var (
	sweepInvs = [groups]Register{Z20, Z21, Z22, Z23}
	sweepSums = [groups]Register{Z24, Z25, Z26, Z27}
	sweepSets = [groups]Register{K1, K2, K3, K4}
)

func (m *machine) sweepConstants() {
	m.zero, m.top = Z30, Z31
	VPXORD(m.zero, m.zero, m.zero)
	VBROADCASTSS(constants.top, m.top)
}

// kept returns an address in a sweep's memory.
func (m *machine) kept(disp int) Mem { return Mem{Base: m.memory, Disp: disp} }

// sweepBegin loads a row.
func (m *machine) sweepBegin() {
	inv := vec.Get(m.field(sweepInv))
	if m.AVX512 {
		rest := vec.Get(m.alive)
		for g := range groups {
			if g > 0 {
				SHRQ(U8(16), rest)
			}
			KMOVW(rest.As32(), sweepSets[g])
			VMOVUPS(Mem{Base: inv, Disp: 64 * g}, sweepInvs[g])
			VPBROADCASTD(m.field(sweepStart), sweepSums[g])
		}
		return
	}
	scale, start, zero := YMM(), YMM(), YMM()
	VBROADCASTSS(constants.scale, scale)
	VPBROADCASTD(m.field(sweepStart), start)
	VPXOR(zero, zero, zero)
	for g := range groups {
		// As words are unpacked: the first half has windows 0 to 3 and 8 to 11.
		a, b := YMM(), YMM()
		VMOVUPS(Mem{Base: inv, Disp: 64 * g}, a)
		VMOVUPS(Mem{Base: inv, Disp: 64*g + 32}, b)
		for half, which := range []U8{0x20, 0x31} {
			v := YMM()
			VPERM2F128(which, b, a, v)
			VMULPS(scale, v, v)
			VMOVUPS(v, m.kept(sweepScaled+64*g+32*half))
			VMOVDQU(start, m.kept(sweepScores+64*g+32*half))
		}
		VMOVDQU(zero, m.kept(sweepDead+32*g))
	}
}

// sweepRecord evaluates a segment on all windows of a row.
func (m *machine) sweepRecord(shape int) {
	at := m.corners(shape)
	table := Mem{Base: m.record, Index: m.table, Scale: 1}
	limit := Mem{Base: m.segment, Disp: segmentLimit}
	if m.AVX512 {
		low, scale, bins := ZMM(), ZMM(), ZMM()
		VBROADCASTSS(m.of(recordThreshold), low)
		VBROADCASTSS(m.of(recordRight), scale)
		VMOVDQU32(table, bins)
		at.eachGroup(func(g int, v VecVirtual) {
			VSUBPS(low, v, v)
			VMULPS(scale, v, v)
			VMAXPS(m.zero, v, v)
			VMINPS(m.top, v, v)
			VCVTTPS2DQ(v, v)
			VPERMD(bins, v, v)
			VPADDD(v, sweepSums[g], sweepSums[g])
			VPCMPD_BCST(U8(5), limit, sweepSums[g], sweepSets[g], sweepSets[g]) // not less
		})
		return
	}
	// Fixed registers, as avo would run short of them.
	low, scale, top, zero := Y8, Y9, Y10, Y11
	planes := [4]VecPhysical{Y12, Y13, Y14, Y15}
	VBROADCASTSS(m.of(recordThreshold), low)
	VBROADCASTSS(m.of(recordRight), scale)
	VBROADCASTSS(constants.top, top)
	VPXOR(zero, zero, zero)
	for i, v := range planes {
		VBROADCASTI128(table.Offset(16*i), v)
	}
	for g := range groups {
		x := unpack(zero, at.value(YMM, 32*g))
		for half, v := range x {
			VCVTDQ2PS(v, v)
			VMULPS(m.kept(sweepScaled+64*g+32*half), v, v)
			VSUBPS(low, v, v)
			VMULPS(scale, v, v)
			VMINPS(v, top, v) // as in look
			VCVTTPS2DQ(v, v)
		}
		bin := x[0]
		VPACKSSDW(x[1], x[0], bin)
		VPACKUSWB(bin, bin, bin)
		var pair [2]VecVirtual
		for i := range pair {
			a, b := YMM(), YMM()
			VPSHUFB(bin, planes[2*i], a)
			VPSHUFB(bin, planes[2*i+1], b)
			VPUNPCKLBW(b, a, a)
			pair[i] = a
		}
		floor, less := YMM(), unpack(pair[0], pair[1])
		VPBROADCASTD(limit, floor)
		for half, v := range less {
			sum := m.kept(sweepScores + 64*g + 32*half)
			VPADDD(sum, v, v)
			VMOVDQU(v, sum)
			VPCMPGTD(v, floor, v)
		}
		m.kill(g, less[0], less[1])
	}
}

// eachGroup emits body for the feature's values of each group of a row, as floats times
// their contrasts, with AVX-512.
func (c corners) eachGroup(body func(g int, v VecVirtual)) {
	for half := range groups / 2 {
		words := c.value(ZMM, 64*half)
		upper := YMM()
		VEXTRACTI64X4(U8(1), words, upper)
		for i, part := range []Op{words.AsY(), upper} {
			g, v := 2*half+i, ZMM()
			VPMOVSXWD(part, v)
			VCVTDQ2PS(v, v)
			VMULPS(sweepInvs[g], v, v)
			body(g, v)
		}
	}
}

// kill rejects the lanes of a group that are set in the two halves, with AVX2.
func (m *machine) kill(g int, low, high VecVirtual) {
	dead := m.kept(sweepDead + 32*g)
	VPACKSSDW(high, low, low)
	VPOR(dead, low, low)
	VMOVDQU(low, dead)
}

// sweepFinish stores a row's scores and survivors.
func (m *machine) sweepFinish() {
	score := vec.Get(m.field(sweepScore))
	if m.AVX512 {
		low, high := K5, K6
		KUNPCKWD(sweepSets[0], sweepSets[1], low)
		KUNPCKWD(sweepSets[2], sweepSets[3], high)
		KUNPCKDQ(low, high, low)
		KMOVQ(low, m.alive)
		for g, v := range sweepSums {
			VMOVDQU32(v, Mem{Base: score, Disp: 64 * g})
		}
		return
	}
	for g := range groups {
		for half := range 2 {
			v, to := YMM(), Mem{Base: score, Disp: 64*g + 16*half}
			VMOVDQU(m.kept(sweepScores+64*g+32*half), v)
			VMOVDQU(v.AsX(), to)
			VEXTRACTI128(U8(1), v, to.Offset(32))
		}
	}
	// Words to bits: the upper half of each register is windows 8 to 15.
	dead := GP64()
	for i := range groups / 2 {
		a, bits := YMM(), GP64()
		VMOVDQU(m.kept(sweepDead+64*i), a)
		VPACKSSWB(m.kept(sweepDead+64*i+32), a, a)
		VPERMQ(U8(0xd8), a, a)
		VPMOVMSKB(a, bits.As32())
		if i == 0 {
			MOVQ(bits, dead)
		} else {
			SHLQ(U8(32*i), bits)
			ORQ(bits, dead)
		}
	}
	NOTQ(dead)
	ANDQ(dead, m.alive)
}
