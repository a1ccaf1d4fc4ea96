// Command cells generates the assembly of haarlem/internal/kernel/cells.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/vec"
)

// As in package cells.
const (
	shift = 6 // one is 1<<shift
	root3 = 111
)

func main() {
	ConstraintExpr("!purego")
	row(vec.Machine{})
	Generate()
}

// row makes two cells at a time: a register holds as many pixels as they have
// side by side.
func row(m vec.Machine) {
	p := vec.Begin(m.Name("row"), "func(dst *[8]int32, p, counts *int32, n, rows int)",
		m.Name("row")+" is rowGo from the second row of p on, and makes cells two by two.", "dst", "p", "counts", "n", "rows")
	dst, pixels, counts, n, rows := p[0], p[1], p[2], p[3], p[4]
	stride := GP64()
	MOVQ(n, stride)
	SHLQ(U8(2), stride)
	root := GP32()
	MOVL(U32(root3), root)
	low, roots := XMM(), m.Vector()
	VMOVD(root, low)
	VPBROADCASTD(low, roots)
	zero := m.Zero()

	vec.Blocks(n, 8, func() {
		var sums [6]VecVirtual // at 0, 30, 60 and 90 degrees; beyond 90 those at 30 and 60
		for i := range sums {
			sums[i] = m.Zero()
		}
		at, above, left := GP64(), GP64(), GP64()
		MOVQ(pixels, at)
		MOVQ(pixels, above)
		SUBQ(stride, above)
		MOVQ(rows, left)
		Label("rows")
		x := m.Load(Mem{Base: at, Disp: 4})
		VPSUBD(Mem{Base: at, Disp: -4}, x, x)
		y := m.Load(Mem{Base: at, Index: stride, Scale: 1})
		VPSUBD(Mem{Base: above}, y, y)
		beyond := m.Vector()
		VPXOR(x, y, beyond)
		VPSRAD(U8(31), beyond, beyond)
		VPABSD(x, x)
		VPABSD(y, y)
		rootX, rootY := m.Vector(), m.Vector()
		VPMULLD(roots, x, rootX)
		VPMULLD(roots, y, rootY)
		VPSLLD(U8(shift), x, x)
		VPSLLD(U8(shift), y, y)
		along := func(a, rootB, sum VecVirtual) {
			v := m.Vector()
			VPSUBD(rootB, a, v)
			VPMAXSD(zero, v, v)
			VPADDD(v, sum, sum)
		}
		between := func(a, rootB, sum, over VecVirtual) {
			v, w := m.Vector(), m.Vector()
			VPADDD(a, a, v)
			VPSUBD(a, rootB, w)
			VPMINSD(w, v, v)
			VPMAXSD(zero, v, v)
			VPADDD(v, sum, sum)
			VPAND(beyond, v, v)
			VPADDD(v, over, over)
		}
		along(x, rootY, sums[0])
		between(y, rootX, sums[1], sums[4])
		between(x, rootY, sums[2], sums[5])
		along(y, rootX, sums[3])
		ADDQ(stride, at)
		ADDQ(stride, above)
		DECQ(left)
		JNZ(LabelRef("rows"))

		for _, s := range sums {
			VPAND(Mem{Base: counts}, s, s)
		}
		// A half register is a cell.
		add := func(a, b VecVirtual) VecVirtual {
			v := m.Vector()
			VPHADDD(b, a, v)
			return v
		}
		first := add(add(sums[0], sums[1]), add(sums[2], sums[3]))
		over := add(sums[4], sums[5])
		second := add(over, over)
		one, two := m.Vector(), m.Vector()
		VPERM2I128(U8(0x20), second, first, one)
		VPERM2I128(U8(0x31), second, first, two)
		m.Move(one, Mem{Base: dst})
		m.Move(two, Mem{Base: dst, Disp: 32})
		ADDQ(U8(64), dst)
		ADDQ(U8(32), pixels)
		ADDQ(U8(32), counts)
	})
	vec.End()
}
