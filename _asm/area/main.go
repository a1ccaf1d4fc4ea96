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
	_       = numbers.Size("[Taps]int16", 2*taps)
)

func main() {
	ConstraintExpr("!purego")
	down(8, XMM)
	down(16, YMM)
	down(32, ZMM)
	across()
	Generate()
	a64.Generate(neon())
	numbers.Generate()
}

// down computes so many elements at a time; the last block may overlap the one before.
func down(lanes int, vector func() VecVirtual) {
	name := vec.Machine{AVX512: lanes == 32}.Name(fmt.Sprint("down", lanes))
	p := vec.Begin(name, "func(dst *int16, p *byte, rows *int, taps int, weights *int16, n int)",
		fmt.Sprintf("is downGo for n elements, at least %d.", lanes))
	dst, pixels, rows, taps, weights, n := p[0], p[1], p[2], p[3], p[4], p[5]
	at := GP64()
	XORQ(at, at)
	SUBQ(U8(lanes), n)
	Label("blocks")
	sum := vector()
	if lanes == 32 {
		VPXORD(sum, sum, sum)
	} else {
		VPXOR(sum, sum, sum)
	}
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
	vec.Machine{AVX512: lanes == 32}.Move(sum, Mem{Base: dst, Index: at, Scale: 2})
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
