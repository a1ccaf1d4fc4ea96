// Command area generates the assembly of haarlem/internal/kernel/area.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/a64"
	"haarlem/asm/layout"
	"haarlem/asm/vec"
)

// The same constants in package area.
var (
	numbers layout.Layout
	taps    = numbers.Constant("Taps", 8)
	shift   = numbers.Constant("shift", 15)
	round   = numbers.Constant("round", 1<<13)
	maxRow  = numbers.Constant("MaxRow", 64)
	_       = numbers.Size("[Taps]int16", 2*taps)
)

func main() {
	ConstraintExpr("!purego")
	down(8, XMM)
	down(16, YMM)
	across()
	near(2)
	near(4)
	Generate()
	a64.Generate(neon())
	numbers.Generate()
}

// down computes so many elements at a time; the last block may overlap the one before.
func down(lanes int, vector func() VecVirtual) {
	m := vec.Machine{}
	p := vec.Begin(m.Name(fmt.Sprint("down", lanes)), "func(dst *int16, p *byte, rows *int, taps int, weights *int16, n int)",
		fmt.Sprintf("is downGo for n elements, at least %d.", lanes))
	dst, pixels, rows, taps, weights, n := p[0], p[1], p[2], p[3], p[4], p[5]
	at := GP64()
	XORQ(at, at)
	SUBQ(U8(lanes), n)
	Label("blocks")
	sum := vector()
	VPXOR(sum, sum, sum)
	k := GP64()
	XORQ(k, k)
	Label("taps")
	from := vec.Get(Mem{Base: rows, Index: k, Scale: 8})
	ADDQ(at, from)
	v, weight := vector(), vector()
	VPMOVZXBW(Mem{Base: pixels, Index: from, Scale: 1}, v)
	VPBROADCASTW(Mem{Base: weights, Index: k, Scale: 2}, weight)
	VPMULLW(weight, v, v)
	VPADDW(v, sum, sum)
	INCQ(k)
	CMPQ(k, taps)
	JL(LabelRef("taps"))
	m.Move(sum, Mem{Base: dst, Index: at, Scale: 2})
	vec.Next(at, n, lanes, "blocks")
	vec.End()
}

// across computes eight pixels at a time, two in a register; the last ones may overlap
// those before, as they add bits that are there already.
func across() {
	const lanes = 8
	name := vec.Machine{}.Name("across")
	p := vec.Begin(name, "func(dst *byte, src *int16, first *int32, weights *[8]int16, n, up int)",
		"is acrossGo for n pixels, at least 8, and for the plane of the bits from up on.")
	dst, src, first, weights, n, up := p[0], p[1], p[2], p[3], p[4], p[5]
	count := XMM()
	VMOVQ(up, count)
	half, order := vec.Machine{}.Spread(uint32(round)), YMM()
	VMOVDQU(vec.Dwords("order", []uint32{0, 4, 1, 5, 2, 6, 3, 7}), order)
	at := GP64()
	XORQ(at, at)
	SUBQ(U8(lanes), n)
	Label("pixels")
	pixel := vec.Get(at)
	SHLQ(U8(4), pixel) // as a pixel has 16 bytes of weights
	var v []VecVirtual
	for i := 0; i < lanes; i += 2 {
		one, two, x := GP64(), GP64(), YMM()
		MOVLQSX(Mem{Base: first, Index: at, Scale: 4, Disp: 4 * i}, one)
		MOVLQSX(Mem{Base: first, Index: at, Scale: 4, Disp: 4 * (i + 1)}, two)
		VMOVDQU(Mem{Base: src, Index: one, Scale: 2}, x.AsX())
		VINSERTI128(U8(1), Mem{Base: src, Index: two, Scale: 2}, x, x)
		VPMADDWD(Mem{Base: weights, Index: pixel, Scale: 1, Disp: 2 * taps * i}, x, x)
		v = append(v, x)
	}
	VPHADDD(v[1], v[0], v[0])
	VPHADDD(v[3], v[2], v[2])
	VPHADDD(v[2], v[0], v[0])
	VPERMD(v[0], order, v[0])
	VPADDD(half, v[0], v[0])
	VPSRLD(U8(shift), v[0], v[0])
	VPSLLD(count, v[0], v[0])
	VPOR(Mem{Base: dst, Index: at, Scale: 4}, v[0], v[0])
	VMOVDQU(v[0], Mem{Base: dst, Index: at, Scale: 4})
	vec.Next(at, n, lanes, "pixels")
	vec.End()
}

// near computes a row at a time, whose elements two registers hold, and of it sixteen
// pixels at a time, of so many pairs of elements each.
func near(pairs int) {
	const lanes, bytes = 16, 4 // of two elements or weights
	m := vec.Machine{AVX512: true}
	p := vec.Begin(m.Name(fmt.Sprint("near", 2*pairs)), "func(dst *byte, line int, p *byte, from, stride, elements int, rows *[8]int32, counts *int, down *[8]int16, n int, at *[2]uint16, across *[2]int16, pixels, up int)",
		"is Near for some pixels of n rows, which are line bytes apart in dst, of at most 64 elements, and for the plane of the bits from up on.")
	dst, line, from, stride, elements, rows, counts, down := p[0], p[1], p[2], p[4], p[5], p[6], p[7], p[8]
	left, places, across, pixels, up := p[9], p[10], p[11], p[12], p[13]
	ADDQ(p[3], from)
	count := XMM()
	VMOVQ(up, count)
	all := vec.Get(I32(-1))
	halves := [2]OpmaskVirtual{K(), K()}
	BZHIQ(elements, all, elements)
	KMOVQ(elements, halves[0])
	KSHIFTRQ(U8(32), halves[0], halves[1])
	half := m.Spread(uint32(round))

	Label("rows")
	sums := [2]VecVirtual{m.Zero(), m.Zero()}
	k := GP64()
	XORQ(k, k)
	Label("taps")
	row, weight := GP64(), ZMM()
	MOVLQSX(Mem{Base: rows, Index: k, Scale: 4}, row)
	IMULQ(stride, row)
	VPBROADCASTW(Mem{Base: down, Index: k, Scale: 2}, weight)
	for i, sum := range sums {
		v := ZMM()
		VPMOVZXBW_Z(Mem{Base: from, Index: row, Scale: 1, Disp: 32 * i}, halves[i], v)
		VPMULLW(weight, v, v)
		VPADDW(v, sum, sum)
	}
	INCQ(k)
	CMPQ(k, Mem{Base: counts})
	JL(LabelRef("taps"))

	i := GP64()
	XORQ(i, i)
	Label("pixels")
	some, there, sum := GP64(), K(), ZMM()
	MOVQ(pixels, some)
	SUBQ(i, some)
	BZHIQ(some, all, some)
	KMOVW(some.As32(), there)
	VMOVDQA32(half, sum)
	for k := range pairs {
		v := m.Load(Mem{Base: places, Index: i, Scale: bytes, Disp: k * maxRow * bytes})
		VPERMI2W(sums[1], sums[0], v)
		VPDPWSSD(Mem{Base: across, Index: i, Scale: bytes, Disp: k * maxRow * bytes}, v, sum)
	}
	VPSRLD(U8(shift), sum, sum)
	VPSLLD(count, sum, sum)
	VPORD_Z(Mem{Base: dst, Index: i, Scale: 4}, sum, there, sum)
	VMOVDQU32(sum, there, Mem{Base: dst, Index: i, Scale: 4})
	ADDQ(U8(lanes), i)
	CMPQ(i, pixels)
	JL(LabelRef("pixels"))

	ADDQ(line, dst)
	vec.Advance(4*taps, rows)
	vec.Advance(8, counts)
	vec.Advance(2*taps, down)
	vec.Countdown(left, "rows")
	vec.End()
}
