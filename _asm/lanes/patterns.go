package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/vec"
)

// patternCall is the largest number of rows of a call. The memory of a row is what the comparisons of a
// pattern leave, and the answers of up to sixteen patterns. With AVX-512 those are masks of
// 64 bits each.
const (
	patternCall    = 32
	patternAnswers = 128
	patternMemo    = patternAnswers + 16*8
)

// patterns emits the function that takes rows of 64 windows through a stage of local
// binary patterns, with AVX-512. Pattern by pattern, it goes through all rows: first it
// stores the masks of the eight comparisons, then it looks the patterns up, byte by byte.
// So no load waits for the stores just before it.
func (m *machine) patterns() {
	m.declare("patterns")
	transposed, bits := ZMM(), ZMM()
	VMOVDQU32(transpose(), transposed)
	VPBROADCASTQ(bitOfByte(), bits)
	m.patternBegin()

	// code makes the bytes of 64 windows of eight masks: bit i is from mask i.
	code := func(masks Mem) VecVirtual {
		v := ZMM()
		VPERMB(masks, transposed, v)
		VGF2P8AFFINEQB(U8(0), v, bits, v)
		return v
	}
	// find tests the bit that a code, whose byte in the table index says, is for.
	find := func(code, word VecVirtual) Register {
		bit, yes := ZMM(), K()
		VPERMB(bits, code, bit)
		VPTESTMB(bit, word, yes)
		return yes
	}

	Label("patterns")
	m.comparisons()
	sub, table := m.entry(patternSubsets, m.record, recordAux, 5), ZMM()
	VBROADCASTI64X4(Mem{Base: sub}, table) // twice, as bit 5 of an index may be anything
	masks, at, left := vec.Get(m.field(patternMemory)), vec.Get(m.field(patternAt)), vec.Get(m.field(patternRows))
	Label("look")
	c, word := code(Mem{Base: masks}), ZMM()
	VPSRLW(U8(3), c, word)
	VPERMB(table, word, word)
	KMOVQ(find(c, word), Mem{Base: at})
	vec.Advance(patternMemo, masks, at)
	vec.Countdown(left, "look")
	ADDQ(U8(recordSize), m.record)
	ADDQ(U8(8), m.chain)
	ADDQ(U8(8), m.field(patternAt))
	vec.Countdown(m.field(patternLeft), "patterns")

	m.decide(code, find)
	vec.End()
}

// patternBegin loads the first record and makes the memory ready.
func (m *machine) patternBegin() {
	m.record, m.chain = GP64(), GP64()
	MOVQ(m.field(patternRecord), m.record)
	LEAQ(m.field(patternChains), m.chain)
	memory, end := GP64(), GP64()
	MOVQ(m.field(patternMemory), memory)
	ADDQ(U8(63), memory)
	ANDQ(I8(-64), memory)
	MOVQ(memory, m.field(patternMemory))
	IMUL3Q(U32(patternMemo), m.field(patternRows), end)
	ADDQ(memory, end)
	MOVQ(end, m.field(patternEnd))
	SUBQ(I8(-patternAnswers), memory)
	MOVQ(memory, m.field(patternAt))
}

// chains takes all rows of windows through the record's pattern. Windows that are as many
// rows apart as a cell is high share all rows of corners but one, and all rows of cells
// but one. So rows are taken in chains of such windows, and what two neighbours of a chain
// share stays in registers. Where windows are an even number of rows apart and the height
// is odd, the neighbours are two cells apart.
//
// A pass takes as many windows as there are in some bytes of a row, and pass returns the
// code for it: down adds the row of corners at at, and so a row of cells. If that makes
// the cells of a window complete, it compares them, and stores the results from to on.
func (m *machine) chains(bytes int, pass func(columns []GPVirtual, at, to GPVirtual) (down func(complete bool))) {
	rows, columns := m.cellCorners()
	first, height, distance := rows[0], rows[1], GP64()
	SUBQ(first, height)
	MOVLQSX(Mem{Base: m.chain}, distance)
	memory, ends := GP64(), GP64() // of the first windows of chains
	MOVQ(m.field(patternMemory), memory)
	LEAQ(Mem{Base: memory, Index: distance, Scale: 1}, ends)
	CMPQ(ends, m.field(patternEnd))
	CMOVQHI(m.field(patternEnd), ends)
	at, to, column := GP64(), GP64(), GP64()
	down := pass(columns, at, to)

	Label("chains")
	XORL(column.As32(), column.As32())
	Label("columns")
	LEAQ(Mem{Base: first, Index: column, Scale: 1}, at)
	LEAQ(Mem{Base: memory, Index: column, Scale: 1}, to)
	next := func(complete bool) {
		down(complete)
		ADDQ(height, at)
	}
	for range 3 { // after which nothing is left of what was in the registers
		next(false)
	}
	Label("chain")
	next(true)
	ADDQ(distance, to)
	CMPQ(to, m.field(patternEnd))
	JCC(LabelRef("chain_end"))
	CMPL(Mem{Base: m.chain, Disp: 4}, U8(0))
	JE(LabelRef("chain"))
	next(false)
	JMP(LabelRef("chain"))
	Label("chain_end")
	if bytes < 2*strip {
		ADDQ(U8(bytes), column)
		CMPQ(column, U32(2*strip))
		JCS(LabelRef("columns"))
	}
	ADDQ(m.field(patternNext), first)
	ADDQ(U32(patternMemo), memory)
	CMPQ(memory, ends)
	JCS(LabelRef("chains"))
}

// comparisons stores, for each row, which windows' cells are at least the middle one.
func (m *machine) comparisons() {
	m.chains(2*strip, func(columns []GPVirtual, at, to GPVirtual) func(bool) {
		// For each half of the windows: the differences of corners in the last row, and
		// the cells of the two rows above it.
		var last, upper, lower [groups / 2][3]VecVirtual
		for half := range last {
			for c := range 3 {
				last[half][c], upper[half][c], lower[half][c] = ZMM(), ZMM(), ZMM()
			}
		}
		return func(complete bool) {
			for half := range last {
				var d [4]VecVirtual
				for c := range d {
					from := Mem{Base: at, Disp: 64 * half}
					if c > 0 {
						from.Index, from.Scale = columns[c], 2
					}
					d[c] = ZMM()
					VMOVDQU32(from, d[c])
				}
				for c := range 3 {
					VPSUBW(d[c+1], d[c], d[c])
					VPSUBW(d[c], last[half][c], last[half][c])
				}
				if complete {
					cells := [3][3]VecVirtual{upper[half], lower[half], last[half]}
					for i, p := range clockwise {
						k := K()
						VPCMPUW(U8(5), cells[1][1], cells[p[0]][p[1]], k) // not less
						KMOVD(k, Mem{Base: to, Disp: 8*(7-i) + 4*half})
					}
				}
				for c := range 3 {
					VMOVDQA32(lower[half][c], upper[half][c])
					VMOVDQA32(last[half][c], lower[half][c])
					VMOVDQA32(d[c], last[half][c])
				}
			}
		}
	})
}

// decide looks the answers of the stage's patterns up in its decision, as if they were
// the bits of a pattern of ten cells.
func (m *machine) decide(code func(Mem) VecVirtual, find func(code, word VecVirtual) Register) {
	decision := vec.Get(m.field(patternDecision))
	low, high := m.Load(Mem{Base: decision}), m.Load(Mem{Base: decision, Disp: 64})
	var only [3]VecVirtual // bits of an index
	for i, v := range []uint64{0x1f1f1f1f1f1f1f1f, 0x2020202020202020, 0x4040404040404040} {
		only[i] = ZMM()
		g := vec.Get(U64(v))
		VPBROADCASTQ(g, only[i])
	}
	answers := vec.Get(m.field(patternMemory))
	SUBQ(I8(-patternAnswers), answers)
	alive, left := vec.Get(m.field(patternAlive)), vec.Get(m.field(patternRows))
	Label("decide")
	c, index := code(Mem{Base: answers}), ZMM()
	VPSRLW(U8(3), c, index)
	VPANDD(only[0], index, index)
	for i := range 2 {
		k, more := K(), ZMM()
		KMOVQ(Mem{Base: answers, Disp: 64 + 8*i}, k)
		VPMOVM2B(k, more)
		VPTERNLOGD(U8(0xf8), only[1+i], more, index) // index | more & only
	}
	VPERMI2B(high, low, index)
	passes := GP64()
	KMOVQ(find(c, index), passes)
	ANDQ(passes, Mem{Base: alive})
	ADDQ(U8(8), alive)
	ADDQ(U32(patternMemo), answers)
	vec.Countdown(left, "decide")
}

// transpose is the bytes of eight masks, taken so that each word of 64 bits has the byte
// of all masks for eight windows, the last mask's first.
func transpose() Mem {
	t := GLOBL("transpose", RODATA|NOPTR)
	for i := range 64 {
		DATA(i, U8((7-i%8)*8+i/8))
	}
	return t
}

// bitOfByte is the unit matrix: byte i has bit i.
func bitOfByte() Mem {
	t := GLOBL("bitOfByte", RODATA|NOPTR)
	DATA(0, U64(0x8040201008040201))
	return t
}

// cellCorners returns the addresses of the rows of corners of a record's cells, and the
// distances of the columns from the first.
func (m *machine) cellCorners() (rows, columns []GPVirtual) {
	offsets := m.offsets(8)
	rows, columns = offsets[:4], offsets[4:]
	tab := vec.Get(m.field(patternTab))
	LEAQ(plus(tab, columns[0]), tab)
	for _, row := range rows {
		LEAQ(plus(tab, row), row)
	}
	for _, c := range columns[1:] {
		SUBQ(columns[0], c)
	}
	return rows, columns
}
