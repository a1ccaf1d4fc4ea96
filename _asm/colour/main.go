// Command colour generates the assembly of haarlem/internal/kernel/colour.
package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/a64"
	"haarlem/asm/layout"
	"haarlem/asm/vec"
)

// The same constants in package colour.
var (
	numbers layout.Layout
	pixels  = numbers.Constant("block", 32)
	_       = numbers.Size("form", 20)
	first   = numbers.Offset("form", "first", 0)
	third   = numbers.Offset("form", "third", 4)
	factor  = numbers.Offset("form", "factor", 8)
	bias    = numbers.Offset("form", "bias", 12)
	shift   = numbers.Offset("form", "shift", 16)
)

const (
	signature = "func(dst, src *byte, n int, f *int16)"
	doc       = "is planeGo for n pixels of %d bytes, a multiple of %d."
)

func main() {
	ConstraintExpr("!purego")
	order := vec.Dwords("order", []uint32{0, 4, 1, 5, 2, 6, 3, 7})
	plane(4, order)
	plane(3, order)
	Generate()
	a64.Generate(neon())
	numbers.Generate()
}

// pairs returns a table for VPSHUFB: of each pixel of so many bytes two of them, as words.
func pairs(name string, size, one, two int) Mem {
	var words []uint16
	for p := range 4 {
		words = append(words, 0x8000|uint16(size*p+one), 0x8000|uint16(size*p+two))
	}
	return vec.Words(fmt.Sprint(name, size), slices.Concat(words, words))
}

// plane computes a byte a pixel, for whole blocks. Sums are exact in 32 bits. The packing
// makes 255 of the 256 that a colour can round to.
func plane(size int, order Mem) {
	p := vec.Begin(fmt.Sprint("plane", size), signature, fmt.Sprintf(doc, size, pixels))
	dst, src, n, form := p[0], p[1], p[2], p[3]
	near, far := YMM(), YMM()
	VMOVDQU(pairs("near", size, 0, 1), near)
	VMOVDQU(pairs("far", size, 2, 1), far)
	constants := make([]VecVirtual, 4)
	for i, at := range []int{first, third, factor, bias} {
		constants[i] = YMM()
		VPBROADCASTD(Mem{Base: form, Disp: at}, constants[i])
	}
	count := XMM()
	VMOVD(Mem{Base: form, Disp: shift}, count)
	vec.Blocks(n, pixels, func() {
		var sums []VecVirtual
		for i := range pixels / 8 {
			v, w := YMM(), YMM()
			VMOVDQU(Mem{Base: src, Disp: 8 * i * size}, v.AsX())
			VINSERTI128(U8(1), Mem{Base: src, Disp: (8*i + 4) * size}, v, v)
			VPSHUFB(far, v, w)
			VPSHUFB(near, v, v)
			VPMADDWD(constants[0], v, v)
			VPMADDWD(constants[1], w, w)
			VPADDD(w, v, v)
			VPMULLD(constants[2], v, v)
			VPADDD(constants[3], v, v)
			VPSRLD(count, v, v)
			sums = append(sums, v)
		}
		VPACKUSDW(sums[1], sums[0], sums[0])
		VPACKUSDW(sums[3], sums[2], sums[2])
		VPACKUSWB(sums[2], sums[0], sums[0])
		to := YMM()
		VMOVDQU(order, to)
		VPERMD(sums[0], to, to)
		VMOVDQU(to, Mem{Base: dst})
		ADDQ(U8(pixels), dst)
		ADDQ(U8(pixels*size), src)
	})
	vec.End()
}
