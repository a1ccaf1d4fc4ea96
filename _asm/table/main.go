// Command table generates the assembly of haarlem/internal/kernel/table.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/vec"
)

func main() {
	vec.Both(func(m vec.Machine) {
		sum(m)
		split(m)
		tilt(m)
	})
}

// sum adds up the words of a block inside its 128-bit parts with three shifts,
// then carries the parts' totals upwards. From block to block only one
// addition has to wait.
func sum(m vec.Machine) {
	p := vec.Begin(m.Name("sum"), "func(dst, above *uint16, pix *byte, n int)",
		m.Name("sum")+" writes dst[x] = above[x] + pix[0] + ... + pix[x].", "dst", "above", "pix", "n")
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
		words := make([]uint16, 16)
		for i := range words {
			words[i] = 0x0f0e
		}
		last = m.Load(vec.Words("lastOfPart", words))
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
		ADDQ(U8(m.Bytes()), dst)
		ADDQ(U8(m.Bytes()), above)
		ADDQ(U8(m.Bytes()/2), pix)
	})
	vec.End()
}

// split deals a row out to two planes.
func split(m vec.Machine) {
	p := vec.Begin(m.Name("split"), "func(even, odd, row *uint16, n int)",
		m.Name("split")+" is splitGo for two planes, of n elements each.", "even", "odd", "row", "n")
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
		ADDQ(U8(m.Bytes()), even)
		ADDQ(U8(m.Bytes()), odd)
		ADDQ(U32(2*m.Bytes()), row)
	})
	vec.End()
}

// tilt computes the elements 1 to n of a tilted row.
func tilt(m vec.Machine) {
	p := vec.Begin(m.Name("tilt"), "func(dst, t1, t2 *uint16, pix1, pix2 *byte, n int)",
		m.Name("tilt")+" writes dst[x+1] = t1[x] + t1[x+2] - t2[x+1] + pix1[x] + pix2[x].",
		"dst", "t1", "t2", "pix1", "pix2", "n")
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
		for _, p := range []GPVirtual{dst, t1, t2} {
			ADDQ(U8(m.Bytes()), p)
		}
		for _, p := range []GPVirtual{pix1, pix2} {
			ADDQ(U8(m.Bytes()/2), p)
		}
	})
	vec.End()
}
