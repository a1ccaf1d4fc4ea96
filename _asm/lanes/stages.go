package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/vec"
)

// What the function of stages can evaluate, the most frequent first.
var (
	stageActions = []int{stump, last, rootYes}
	stageShapes  = map[int][]int{
		stump:   {line, edge, check, pair},
		rootYes: {edge, line, check},
		last:    {edge, line, check},
	}
)

// stages emits the function that takes rows of 64 windows through segments of stumps
// and of trees of two nodes. Its frame is a sweep's.
func (m *machine) stages() {
	m.declare("stages")
	m.tab, m.alive = GP64(), GP64()
	MOVQ(m.field(sweepTab), m.tab)
	if !m.AVX512 {
		m.sweepMemory()
	}

	Label("rows")
	pass := vec.Get(m.field(sweepPass))
	MOVQ(Mem{Base: pass}, m.alive)
	TESTQ(m.alive, m.alive)
	JE(LabelRef("rejected"))
	m.sweepBegin()
	m.segment = GP64()
	MOVQ(m.field(sweepSegment), m.segment)

	Label("segments")
	m.record, m.count = GP64(), GP64()
	m.findRecords(sweepRecord)
	op := GP32()
	MOVL(Mem{Base: m.segment, Disp: segmentOp}, op)
	for _, a := range stageActions {
		for _, s := range stageShapes[a] {
			CMPL(op, U8(s<<3|a))
			JE(LabelRef(label(s, a)))
		}
	}
	for _, a := range stageActions {
		for _, s := range stageShapes[a] {
			Label(label(s, a))
			m.stageRecord(s, a)
			ADDQ(U8(recordSize), m.record)
			DECQ(m.count)
			JNE(LabelRef(label(s, a)))
			JMP(LabelRef("limit"))
		}
	}
	Label("limit")
	CMPL(Mem{Base: m.segment, Disp: segmentHold}, U8(0))
	JNE(LabelRef("next"))
	m.stageLimit(Mem{Base: m.segment, Disp: segmentLimit})
	Label("next")
	ADDQ(U8(segmentSize), m.segment)
	CMPQ(m.segment, m.field(sweepEnd))
	JCS(LabelRef("segments"))
	m.sweepFinish()
	m.sweepNextRow()
}

// stageLimit rejects windows of a row.
func (m *machine) stageLimit(limit Mem) {
	if m.AVX512 {
		for g, sum := range sweepSums {
			VPCMPD_BCST(U8(5), limit, sum, sweepSets[g], sweepSets[g]) // not less
		}
		return
	}
	floor := YMM()
	VPBROADCASTD(limit, floor)
	for g := range groups {
		less := [2]VecVirtual{YMM(), YMM()}
		for half, v := range less {
			VPCMPGTD(m.kept(sweepScores+64*g+32*half), floor, v)
		}
		m.kill(g, less[0], less[1])
	}
}

// stageRecord evaluates a record on all windows of a row.
func (m *machine) stageRecord(shape, action int) {
	at := m.corners(shape)
	sets := GP64()
	if action != stump {
		slot := recordYes
		if action == last {
			slot = recordSelf
		}
		MOVBQZX(m.of(slot), sets)
		if m.AVX512 { // a set is a word of 64 bits
			memory := vec.Get(m.field(sweepMemory))
			LEAQ(Mem{Base: memory, Index: sets, Scale: 8}, sets)
		} else { // words of 16 bits, all ones or zero
			SHLQ(U8(7), sets)
			ADDQ(m.memory, sets)
		}
	}
	if !m.AVX512 {
		m.stageWords(at, action, sets)
		return
	}
	threshold, leaf := ZMM(), ZMM()
	VBROADCASTSS(m.of(recordThreshold), threshold)
	VPBROADCASTD(m.of(recordLeft), leaf)
	at.eachGroup(func(g int, v VecVirtual) {
		yes := K()
		VCMPPS(U8(0x11), threshold, v, yes) // less, ordered, quiet
		switch set := (Mem{Base: sets, Disp: 2 * g}); action {
		case rootYes:
			KMOVW(yes, set)
		case last:
			in := K()
			KMOVW(set, in)
			KANDW(in, yes, yes)
		}
		VPADDD(leaf, sweepSums[g], yes, sweepSums[g])
	})
}

// stageWords is stageRecord with AVX2.
func (m *machine) stageWords(at corners, action int, sets GPVirtual) {
	// Fixed registers, as avo would run short of them.
	threshold, leaf, zero := Y13, Y14, Y15
	VBROADCASTSS(m.of(recordThreshold), threshold)
	VPBROADCASTD(m.of(recordLeft), leaf)
	VPXOR(zero, zero, zero)
	for g := range groups {
		x := unpack(zero, at.value(YMM, 32*g))
		for half, v := range x {
			VCVTDQ2PS(v, v)
			VMULPS(m.kept(sweepScaled+64*g+32*half), v, v)
			VCMPPS(U8(0x11), threshold, v, v) // less, ordered, quiet
		}
		switch set := (Mem{Base: sets, Disp: stageSets + 32*g}); action {
		case rootYes:
			yes := YMM()
			VPACKSSDW(x[1], x[0], yes)
			VMOVDQU(yes, set)
		case last:
			in := YMM()
			VMOVDQU(set, in)
			for half, v := range unpack(in, in) {
				VPAND(v, x[half], x[half])
			}
		}
		for half, v := range x {
			sum := m.kept(sweepScores + 64*g + 32*half)
			VPAND(leaf, v, v)
			VPADDD(sum, v, v)
			VMOVDQU(v, sum)
		}
	}
}
