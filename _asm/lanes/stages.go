package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// What the function of stages can evaluate, the most frequent first.
var (
	stageActions = []int{stump, last, rootYes}
	stageShapes  = map[int][]int{
		stump:   {line, edge, check, pair, grid},
		rootYes: {edge, line, check},
		last:    {edge, line, check},
	}
)

// Registers of that function. Scores and windows are where a sweep has them.
var stageBits = [8]Register{Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23}

// stages emits the function that takes rows of 64 windows through segments of stumps
// and of trees of two nodes, with AVX-512. Its frame is a sweep's.
func (m *machine) stages() {
	m.declare("stages")
	m.tab = GP64()
	MOVQ(m.field(sweepTab), m.tab)
	m.one, m.fifteen = Z28, Z29
	VPBROADCASTW(constants.one, m.one)
	VPBROADCASTW(constants.fifteen, m.fifteen)
	for i, z := range stageBits {
		VPBROADCASTW(constants.bits[i], z)
	}

	Label("rows")
	pass, rest := GP64(), GP64()
	MOVQ(m.field(sweepPass), pass)
	MOVQ(Mem{Base: pass}, rest)
	m.alive = rest
	TESTQ(rest, rest)
	JE(LabelRef("rejected"))
	for g := range groups {
		if g > 0 {
			SHRQ(U8(16), rest)
		}
		KMOVW(rest.As32(), sweepSets[g])
		VPBROADCASTD(m.field(sweepStart), sweepSums[g])
	}
	m.segment = GP64()
	MOVQ(m.field(sweepSegment), m.segment)

	Label("segments")
	m.record, m.count = GP64(), GP64()
	MOVQ(Mem{Base: m.segment, Disp: segmentFirst}, m.count)
	MOVLQSX(m.count.As32(), m.record)
	SHLQ(U8(6), m.record)
	ADDQ(m.field(sweepRecord), m.record)
	SARQ(U8(32), m.count)
	op := GP32()
	MOVL(Mem{Base: m.segment, Disp: segmentOp}, op)
	label := func(s, a int) string { return shapeNames[s] + "_" + actionNames[a] }
	for _, a := range stageActions {
		for _, s := range stageShapes[a] {
			CMPL(op, U8(s<<3|a))
			JE(LabelRef(label(s, a)))
		}
	}
	for _, a := range stageActions {
		for _, s := range stageShapes[a] {
			Label(label(s, a))
			if s == grid {
				m.stageGrid()
			} else {
				m.stageRecord(s, a)
			}
			ADDQ(U8(recordSize), m.record)
			DECQ(m.count)
			JNE(LabelRef(label(s, a)))
			JMP(LabelRef("limit"))
		}
	}
	Label("limit")
	CMPL(Mem{Base: m.segment, Disp: segmentHold}, U8(0))
	JNE(LabelRef("next"))
	for g, sum := range sweepSums {
		VPCMPD_BCST(U8(5), Mem{Base: m.segment, Disp: segmentLimit}, sum, sweepSets[g], sweepSets[g]) // not less
	}
	Label("next")
	ADDQ(U8(segmentSize), m.segment)
	CMPQ(m.segment, m.field(sweepEnd))
	JCS(LabelRef("segments"))
	m.sweepFinish()
	m.sweepNextRow()
}

// stageRecord evaluates a record on all windows of a row.
func (m *machine) stageRecord(shape, action int) {
	at := m.corners(shape)
	threshold, leaf, inv, sets := ZMM(), ZMM(), GP64(), GP64()
	VBROADCASTSS(m.of(recordThreshold), threshold)
	VPBROADCASTD(m.of(recordLeft), leaf)
	MOVQ(m.field(sweepInv), inv)
	if action != stump {
		// A set is a word of 64 bits.
		slot, memory := recordYes, GP64()
		if action == last {
			slot = recordSelf
		}
		MOVBQZX(m.of(slot), sets)
		MOVQ(m.field(sweepMemory), memory)
		LEAQ(Mem{Base: memory, Index: sets, Scale: 8}, sets)
	}
	for half := range groups / 2 {
		words := at.value(ZMM, 64*half)
		upper := YMM()
		VEXTRACTI64X4(U8(1), words, upper)
		for i, part := range []Op{words.AsY(), upper} {
			g, v, yes := 2*half+i, ZMM(), K()
			VPMOVSXWD(part, v)
			VCVTDQ2PS(v, v)
			VMULPS(Mem{Base: inv, Disp: 64 * g}, v, v)
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
		}
	}
}

// stageGrid evaluates a local binary pattern on all windows of a row. It works as code
// and subset do.
func (m *machine) stageGrid() {
	offsets := m.offsets(8)
	rows, columns := offsets[:4], offsets[4:]
	for _, row := range rows {
		LEAQ(plus(m.tab, row), row)
	}
	for half := range groups / 2 {
		var cells [4][3]VecVirtual
		for r := range 4 {
			var corner [4]VecVirtual
			for c := range corner {
				corner[c] = ZMM()
				VMOVDQU32(Mem{Base: rows[r], Index: columns[c], Scale: 2, Disp: 64 * half}, corner[c])
			}
			for c := range 3 {
				cells[r][c] = corner[c]
				VPSUBW(corner[c+1], corner[c], corner[c])
				if r > 0 {
					VPSUBW(cells[r][c], cells[r-1][c], cells[r-1][c])
				}
			}
		}
		mid, code := cells[1][1], ZMM()
		for i, p := range clockwise {
			at := K()
			VPCMPUW(U8(5), mid, cells[p[0]][p[1]], at) // not less
			if i == 0 {
				VMOVDQU16_Z(stageBits[i], at, code)
			} else {
				VPADDW(stageBits[i], code, at, code)
			}
		}
		sub := GP64()
		MOVLQSX(m.of(recordAux), sub)
		SHLQ(U8(5), sub)
		ADDQ(m.field(sweepTable), sub)
		table, word, bit, yes, upper := ZMM(), ZMM(), ZMM(), K(), K()
		VMOVDQU(Mem{Base: sub}, table.AsY())
		VPSRLW(U8(4), code, word)
		VPERMW(table, word, word)
		VPANDD(m.fifteen, code, bit)
		VPSLLVW(bit, m.one, bit)
		VPTESTMW(bit, word, yes)
		KSHIFTRD(U8(16), yes, upper)
		for i, k := range []Register{yes, upper} {
			g := 2*half + i
			VPADDD_BCST(m.of(recordLeft), sweepSums[g], k, sweepSums[g])
		}
	}
}
