package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// patternWords emits patterns with AVX2. The memory of a row is two bytes for each window:
// the answers of the first eight patterns, bit by bit, and those of the rest. The bytes of
// 32 windows are in the order in which words are packed: 0 to 7, 16 to 23, 8 to 15, 24 to
// 31.
func (m *machine) patternWords() {
	m.declare("patterns")
	c := patternConstants()
	first, second, bit := Y13, Y14, Y15 // the subset, and the answer of the pattern at hand
	m.record = GP64()
	MOVQ(m.field(patternRecord), m.record)
	memory, at, left := GP64(), GP64(), GP64()
	MOVQ(m.field(patternMemory), memory)
	ADDQ(U8(63), memory)
	ANDQ(I8(-64), memory)
	MOVQ(memory, m.field(patternMemory))
	MOVQ(memory, m.field(patternAt))
	MOVQ(m.field(patternRows), left)
	zero := YMM()
	VPXOR(zero, zero, zero)
	Label("clear")
	for i := range 4 {
		VMOVDQU(zero, Mem{Base: memory, Disp: 32 * i})
	}
	ADDQ(U32(patternMemo), memory)
	DECQ(left)
	JNE(LabelRef("clear"))
	VPBROADCASTB(constants.one, bit)

	Label("patterns")
	VPTEST(bit, bit)
	JNE(LabelRef("answer"))
	VPBROADCASTB(constants.one, bit) // the ninth
	ADDQ(U8(64), m.field(patternAt))
	Label("answer")
	rows, columns := m.cellCorners()
	sub := GP64()
	MOVLQSX(m.of(recordAux), sub)
	SHLQ(U8(5), sub)
	ADDQ(m.field(patternSubsets), sub)
	VBROADCASTI128(Mem{Base: sub}, first)
	VBROADCASTI128(Mem{Base: sub, Disp: 16}, second)
	MOVQ(m.field(patternAt), at)
	MOVQ(m.field(patternRows), left)
	Label("rows")
	for part := range strip / 32 {
		var codes [2]VecVirtual
		for half := range codes {
			codes[half] = c.bits(rows, columns, 64*part+32*half)
		}
		code := YMM()
		VPUNPCKLQDQ(codes[1], codes[0], code)
		VPUNPCKHQDQ(codes[1], codes[0], codes[0])
		VPOR(codes[0], code, code)
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
	for _, row := range rows {
		ADDQ(m.field(patternNext), row)
	}
	ADDQ(U32(patternMemo), at)
	DECQ(left)
	JNE(LabelRef("rows"))
	ADDQ(U8(recordSize), m.record)
	VPADDB(bit, bit, bit)
	DECQ(m.field(patternLeft))
	JNE(LabelRef("patterns"))

	// The answers are looked up in the stage's decision, as a pattern is in its subset.
	decision, alive := GP64(), GP64()
	MOVQ(m.field(patternDecision), decision)
	MOVQ(m.field(patternAlive), alive)
	MOVQ(m.field(patternMemory), memory)
	MOVQ(m.field(patternRows), left)
	many := GP64() // whether there are more than eight patterns
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
	DECQ(left)
	JNE(LabelRef("decide"))
	VZEROUPPER()
	RET()
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

// bits makes codes of 16 windows, in bytes: in each half of a register, the four highest
// bits of eight windows and then the others.
func (c *wordConstants) bits(rows, columns []GPVirtual, disp int) VecVirtual {
	corner := func(r, k int) Mem {
		at := Mem{Base: rows[r], Disp: disp}
		if k > 0 {
			at.Index, at.Scale = columns[k], 2
		}
		return at
	}
	code := YMM()
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
	// Cells are larger by 0x8000, since only signed words can be compared: of every other
	// row of corners, every other one is.
	var cells [4][3]VecVirtual
	less := func(p [2]int) VecVirtual {
		v := cells[p[0]][p[1]]
		VPCMPGTW(v, cells[1][1], v)
		return v
	}
	for r := range 4 {
		var t [4]VecVirtual
		for k := 1; k < 4; k++ {
			t[k] = load(corner(r, k))
			if r%2 != 0 && k%2 != 0 {
				VPXOR(c.sign, t[k], t[k])
			}
			if k == 1 {
				cells[r][0] = YMM()
				VPSUBW(corner(r, 0), t[1], cells[r][0])
			} else {
				cells[r][k-1] = t[k-1]
				VPSUBW(t[k-1], t[k], t[k-1])
			}
			if r > 0 {
				VPSUBW(cells[r-1][k-1], cells[r][k-1], cells[r-1][k-1])
			}
		}
		if r == 2 {
			pair(3, less(clockwise[3]), less(clockwise[7]))
			for i := range 3 {
				less(clockwise[i])
			}
		}
	}
	for i := range 3 {
		pair(i, cells[clockwise[i][0]][clockwise[i][1]], less(clockwise[i+4]))
	}
	return code
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
