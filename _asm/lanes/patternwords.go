package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/vec"
)

// patternWords emits patterns with AVX2. The memory of a row is the codes of its windows,
// see wordConstants.comparisons, and from patternAnswers on two bytes for each window: the
// answers of the first eight patterns, bit by bit, and those of the rest. The bytes of 32
// windows are in the order in which words are packed: 0 to 7, 16 to 23, 8 to 15, 24 to 31.
func (m *machine) patternWords() {
	m.declare("patterns")
	c := patternConstants()
	m.patternBegin()
	at, codes, left, zero := vec.Get(m.field(patternAt)), GP64(), vec.Get(m.field(patternRows)), m.Zero()
	Label("clear")
	for i := range 4 {
		VMOVDQU(zero, Mem{Base: at, Disp: 32 * i})
	}
	ADDQ(U32(patternMemo), at)
	vec.Countdown(left, "clear")
	MOVQ(U64(0x0101010101010101), left)
	MOVQ(left, m.field(patternBit))

	Label("patterns")
	m.chains(32, c.comparisons)
	sub := m.entry(patternSubsets, m.record, recordAux, 5)
	first, second, bit := YMM(), YMM(), YMM()
	VBROADCASTI128(Mem{Base: sub}, first)
	VBROADCASTI128(Mem{Base: sub, Disp: 16}, second)
	VPBROADCASTQ(m.field(patternBit), bit)
	MOVQ(m.field(patternMemory), codes)
	MOVQ(m.field(patternAt), at)
	MOVQ(m.field(patternRows), left)
	Label("look")
	for part := range strip / 32 {
		half, low, code := YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: codes, Disp: 64 * part}, half)
		VPUNPCKLQDQ(Mem{Base: codes, Disp: 64*part + 32}, half, low)
		VPUNPCKHQDQ(Mem{Base: codes, Disp: 64*part + 32}, half, code)
		VPOR(low, code, code)
		index, yes := c.index(code), YMM()
		VPSHUFB(index, second, yes)
		VPSHUFB(index, first, index)
		VPBLENDVB(code, yes, index, yes)
		answers := Mem{Base: at, Disp: 32 * part}
		c.find(code, yes)
		VPAND(bit, yes, yes)
		VPOR(answers, yes, yes)
		VMOVDQU(yes, answers)
	}
	vec.Advance(patternMemo, codes, at)
	vec.Countdown(left, "look")
	ADDQ(U8(recordSize), m.record)
	ADDQ(U8(8), m.chain)
	SHLQ(U8(1), m.field(patternBit))
	JCC(LabelRef("next"))
	MOVQ(U64(0x0101010101010101), left) // for the ninth
	MOVQ(left, m.field(patternBit))
	ADDQ(U8(64), m.field(patternAt))
	Label("next")
	vec.Countdown(m.field(patternLeft), "patterns")

	// The answers are looked up in the stage's decision, as a pattern is in its subset.
	decision, alive, memory := vec.Get(m.field(patternDecision)), vec.Get(m.field(patternAlive)), vec.Get(m.field(patternMemory))
	SUBQ(I8(-patternAnswers), memory)
	MOVQ(m.field(patternRows), left)
	many := GP64() // whether there are eight patterns or more
	MOVQ(m.field(patternAt), many)
	SUBQ(memory, many)
	Label("decide")
	for part := range strip / 32 {
		code := YMM()
		VMOVDQU(Mem{Base: memory, Disp: 32 * part}, code)
		index := c.index(code)
		// quarter looks up in a quarter of the decision.
		quarter := func(n int) VecVirtual {
			low, high := YMM(), YMM()
			VBROADCASTI128(Mem{Base: decision, Disp: 32 * n}, low)
			VBROADCASTI128(Mem{Base: decision, Disp: 32*n + 16}, high)
			VPSHUFB(index, low, low)
			VPSHUFB(index, high, high)
			VPBLENDVB(code, high, low, low)
			return low
		}
		yes := quarter(0)
		few := []string{"few_low", "few_high"}[part]
		TESTQ(many, many)
		JE(LabelRef(few))
		more, ninth, tenth := YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: memory, Disp: 64 + 32*part}, more)
		VPSLLW(U8(7), more, ninth)
		VPSLLW(U8(6), more, tenth)
		VPBLENDVB(ninth, quarter(1), yes, yes)
		third := quarter(2)
		VPBLENDVB(ninth, quarter(3), third, third)
		VPBLENDVB(tenth, third, yes, yes)
		Label(few)
		c.find(code, yes)
		VPERMQ(U8(0xd8), yes, yes)
		passes := GP32()
		VPMOVMSKB(yes, passes)
		ANDL(passes, Mem{Base: alive, Disp: 4 * part})
	}
	ADDQ(U8(8), alive)
	ADDQ(U32(patternMemo), memory)
	vec.Countdown(left, "decide")
	vec.End()
}

// wordConstants are constants of 32 bytes each.
type wordConstants struct {
	sign, low, number Mem    // words of 0x8000, bytes of 15 and of 31
	bitOf             Mem    // as in constants, for both halves
	weights           [4]Mem // of two masks that are packed
}

func patternConstants() (c wordConstants) {
	data := GLOBL("patternWords", RODATA|NOPTR)
	n := 0
	add := func(words ...uint64) Mem {
		for i := range 4 {
			DATA(n+8*i, U64(words[i%len(words)]))
		}
		n += 32
		return data.Offset(n - 32)
	}
	bytes := uint64(0x0101010101010101)
	c.sign, c.low, c.number = add(0x8000800080008000), add(15*bytes), add(31*bytes)
	c.bitOf = add(0x8040201008040201)
	for i := range c.weights {
		c.weights[i] = add(0x80>>i*bytes, 0x08>>i*bytes)
	}
	return c
}

// comparisons makes codes of 16 windows, in bytes: in each half of a register, the four
// highest bits of eight windows and then the others.
func (c *wordConstants) comparisons(columns []GPVirtual, at, to GPVirtual) func(complete bool) {
	// The differences of corners in the last row, and the cells of the two rows above it.
	// Cells are larger by 0x8000, since only signed words can be compared.
	var last, upper, lower [3]VecVirtual
	for k := range 3 {
		last[k], upper[k], lower[k] = YMM(), YMM(), YMM()
	}
	return func(complete bool) {
		code := YMM()
		less := func(v, to VecVirtual) VecVirtual {
			VPCMPGTW(v, lower[1], to)
			return to
		}
		// pair adds the bits of cells i and i+4, where they are not less than the middle one.
		pair := func(i int, a, b VecVirtual) {
			VPACKSSWB(b, a, a)
			if i == 3 { // the first
				VPANDN(c.weights[i], a, code)
				return
			}
			VPANDN(c.weights[i], a, a)
			VPOR(a, code, code)
		}
		if complete {
			pair(3, less(lower[2], YMM()), less(lower[0], YMM()))
			for k := range 3 {
				less(upper[k], upper[k])
			}
		}
		var d [4]VecVirtual
		d[0] = YMM()
		for k := 1; k < 4; k++ {
			d[k] = load(Mem{Base: at, Index: columns[k], Scale: 2})
		}
		VPSUBW(Mem{Base: at}, d[1], d[0])
		VPSUBW(d[1], d[2], d[1])
		VPSUBW(d[2], d[3], d[2])
		for k := range 3 {
			VPSUBW(last[k], d[k], last[k])
			VPXOR(c.sign, last[k], last[k])
		}
		if complete {
			for k := range 3 {
				pair(k, upper[k], less(last[2-k], YMM()))
			}
			VMOVDQU(code, Mem{Base: to})
		}
		for k := range 3 {
			VMOVDQA(lower[k], upper[k])
			VMOVDQA(last[k], lower[k])
			VMOVDQA(d[k], last[k])
		}
	}
}

// index returns the bytes' bits from the fourth on, which number a byte of a table. A
// shuffle sees four of them; the fifth is the code's highest.
func (c *wordConstants) index(code VecVirtual) VecVirtual {
	v := YMM()
	VPSRLW(U8(3), code, v)
	VPAND(c.number, v, v)
	return v
}

// find sets the bytes of word whose bit a code is for, and clears the others.
func (c *wordConstants) find(code, word VecVirtual) {
	low, bit := YMM(), YMM()
	VPAND(c.low, code, low)
	VMOVDQU(c.bitOf, bit)
	VPSHUFB(low, bit, bit)
	VPAND(bit, word, word)
	VPCMPEQB(bit, word, word)
}
