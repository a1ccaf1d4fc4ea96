// Command sumtable generates the assembly of haarlem/internal/kernel/sumtable.
package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/a64"
	"haarlem/asm/layout"
	"haarlem/asm/vec"
)

func main() {
	vec.Both(func(m vec.Machine) {
		sum(m)
		split(m)
		tilt(m)
		if !m.AVX512 {
			together()
		}
	})
	a64.Generate(neon())
	block.Generate()
}

// sum computes prefix sums of words inside 128-bit parts with three shifts,
// then carries the parts' totals upwards. Only one addition depends on the
// previous block.
func sum(m vec.Machine) {
	p := vec.Begin(m.Name("sum"), "func(dst, above *uint16, pix *byte, n int)", "writes dst[x] = above[x] + pix[0] + ... + pix[x].")
	dst, above, pix, n := p[0], p[1], p[2], p[3]
	carry := m.Zero()
	var below, twoBelow, last VecVirtual
	var part1, part2 Register
	if m.AVX512 {
		pick := func(name string, f func(word int) int) VecVirtual {
			words := make([]uint16, 32)
			for i := range words {
				words[i] = uint16(f(i))
			}
			return m.Load(vec.Words(name, words))
		}
		below = pick("below", func(i int) int { return max(i/8-1, 0)*8 + 7 })
		twoBelow = pick("twoBelow", func(i int) int { return max(i/8-2, 0)*8 + 7 })
		last = pick("last", func(int) int { return 31 })
		k := GP32()
		part1, part2 = K(), K()
		MOVL(U32(0xffffff00), k)
		KMOVD(k, part1)
		MOVL(U32(0xffff0000), k)
		KMOVD(k, part2)
	} else {
		last = m.Load(vec.Words("lastOfPart", slices.Repeat([]uint16{0x0f0e}, 16)))
	}
	vec.Blocks(n, m.Bytes()/2, func() {
		x, t := m.Vector(), m.Vector()
		VPMOVZXBW(Mem{Base: pix}, x)
		for _, s := range []uint64{2, 4, 8} {
			VPSLLDQ(U8(s), x, t)
			VPADDW(t, x, x)
		}
		old, total := m.Vector(), m.Vector()
		if m.AVX512 {
			VPERMW_Z(x, below, part1, t)
			VPADDW(t, x, x)
			VPERMW_Z(x, twoBelow, part2, t)
			VPADDW(t, x, x)
			VPERMW(x, last, total)
			VMOVDQA64(carry, old)
		} else {
			VPERM2I128(U8(0x08), x, x, t) // the lower part, moved up
			VPSHUFB(last, t, t)
			VPADDW(t, x, x)
			VPERM2I128(U8(0x11), x, x, total)
			VPSHUFB(last, total, total)
			VMOVDQA(carry, old)
		}
		VPADDW(total, carry, carry)
		VPADDW(Mem{Base: above}, x, x)
		VPADDW(old, x, x)
		m.Move(x, Mem{Base: dst})
		vec.Advance(m.Bytes(), dst, above)
		ADDQ(U8(m.Bytes()/2), pix)
	})
	vec.End()
}

// split distributes a row over two planes.
func split(m vec.Machine) {
	p := vec.Begin(m.Name("split"), "func(even, odd, row *uint16, n int)", "is splitGo for two planes, of n elements each.")
	even, odd, row, n := p[0], p[1], p[2], p[3]
	var pickEven, pickOdd VecVirtual
	if m.AVX512 {
		e, o := make([]uint16, 32), make([]uint16, 32)
		for i := range e {
			e[i], o[i] = uint16(2*i), uint16(2*i+1)
		}
		pickEven, pickOdd = m.Load(vec.Words("evenWords", e)), m.Load(vec.Words("oddWords", o))
	}
	vec.Blocks(n, m.Bytes()/2, func() {
		a, b := m.Load(Mem{Base: row}), m.Load(Mem{Base: row, Disp: m.Bytes()})
		x, y := m.Vector(), m.Vector()
		if m.AVX512 {
			VMOVDQA64(pickEven, x)
			VMOVDQA64(pickOdd, y)
			VPERMI2W(b, a, x)
			VPERMI2W(b, a, y)
		} else {
			// Odd words are the upper halves of double words, even ones the
			// lower halves; packing mixes 128-bit parts, and VPERMQ sorts them.
			lo, hi := YMM(), YMM()
			VPSRLD(U8(16), a, y)
			VPSRLD(U8(16), b, hi)
			VPACKUSDW(hi, y, y)
			VPSLLD(U8(16), a, lo)
			VPSRLD(U8(16), lo, lo)
			VPSLLD(U8(16), b, hi)
			VPSRLD(U8(16), hi, hi)
			VPACKUSDW(hi, lo, x)
			VPERMQ(U8(0xd8), x, x)
			VPERMQ(U8(0xd8), y, y)
		}
		m.Move(x, Mem{Base: even})
		m.Move(y, Mem{Base: odd})
		vec.Advance(m.Bytes(), even, odd)
		ADDQ(U32(2*m.Bytes()), row)
	})
	vec.End()
}

// tilt computes the elements 1 to n of a tilted row.
func tilt(m vec.Machine) {
	p := vec.Begin(m.Name("tilt"), "func(dst, t1, t2 *uint16, pix1, pix2 *byte, n int)",
		"writes dst[x+1] = t1[x] + t1[x+2] - t2[x+1] + pix1[x] + pix2[x].")
	dst, t1, t2, pix1, pix2, n := p[0], p[1], p[2], p[3], p[4], p[5]
	vec.Blocks(n, m.Bytes()/2, func() {
		x, a, b := m.Load(Mem{Base: t1}), m.Vector(), m.Vector()
		VPADDW(Mem{Base: t1, Disp: 4}, x, x)
		VPMOVZXBW(Mem{Base: pix1}, a)
		VPMOVZXBW(Mem{Base: pix2}, b)
		VPSUBW(Mem{Base: t2, Disp: 2}, x, x)
		VPADDW(a, b, b)
		VPADDW(b, x, x)
		m.Move(x, Mem{Base: dst, Disp: 2})
		vec.Advance(m.Bytes(), dst, t1, t2)
		vec.Advance(m.Bytes()/2, pix1, pix2)
	})
	vec.End()
}

// The offsets of the fields of a Block, and its size.
var (
	block     layout.Layout
	_         = block.Offset("Block", "At", 0)
	blockTo   = block.Offset("Block", "To", 64)
	blockSize = block.Size("Block", 68)
	_         = block.Constant("Columns", 8)
	_         = block.Constant("Windows", 16)
)

// together transposes blocks of eight columns of sixteen windows, a row at a
// time. A register holds one window in its lower part and the window eight
// further on in its upper one, so that unpacking, which works inside the parts,
// ends with the sixteen windows in order.
func together() {
	p := vec.Begin("togetherAVX2", "func(dst, tab *uint16, blocks *int32, n, rows, stride, pitch, across int)",
		"is togetherGo; stride, pitch and across are in bytes.")
	dst, tab, blocks, n, rows, stride, pitch, across := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	Label("rows")
	at, left := vec.Get(blocks), vec.Get(n)
	Label("blocks")
	var v [8]VecVirtual
	for i := range v {
		lower, upper := GP64(), GP64()
		MOVLQSX(Mem{Base: at, Disp: 4 * i}, lower)
		MOVLQSX(Mem{Base: at, Disp: 4 * (i + 8)}, upper)
		v[i] = YMM()
		VBROADCASTI128(Mem{Base: tab, Index: lower, Scale: 2}, v[i]) // both parts, to set all of it
		VINSERTI128(U8(1), Mem{Base: tab, Index: upper, Scale: 2}, v[i], v[i])
	}
	// Pairs of words, of double words, of quadruple words.
	for _, s := range []struct {
		low, high func(...Op)
		apart     int
	}{
		{VPUNPCKLWD, VPUNPCKHWD, 1},
		{VPUNPCKLDQ, VPUNPCKHDQ, 2},
		{VPUNPCKLQDQ, VPUNPCKHQDQ, 4},
	} {
		var next [8]VecVirtual
		for i := range v {
			if i&s.apart != 0 {
				continue
			}
			a, b := v[i], v[i+s.apart]
			next[i], next[i+s.apart] = YMM(), YMM()
			s.low(b, a, next[i])
			s.high(b, a, next[i+s.apart])
		}
		v = next
	}
	to := GP64()
	MOVLQSX(Mem{Base: at, Disp: blockTo}, to)
	LEAQ(Mem{Base: dst, Index: to, Scale: 2}, to)
	// Columns are in bit-reversed order.
	for c := range v {
		VMOVDQU(v[c&1<<2|c&2|c>>2], Mem{Base: to})
		if c < 7 {
			ADDQ(across, to)
		}
	}
	ADDQ(Imm(uint64(blockSize)), at)
	vec.Countdown(left, "blocks")
	ADDQ(stride, tab)
	ADDQ(pitch, dst)
	vec.Countdown(rows, "rows")
	vec.End()
}
