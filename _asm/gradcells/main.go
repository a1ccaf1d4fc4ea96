// Command gradcells generates the assembly of haarlem/internal/kernel/gradcells.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/a64"
	"haarlem/asm/layout"
	"haarlem/asm/vec"
)

const (
	shift = 6
	root3 = 111
)

// The same constants in package gradcells.
var (
	numbers layout.Layout
	_       = numbers.Constant("one", 1<<shift)
	_       = numbers.Constant("root3", root3)
	_       = numbers.Constant("Side", 4)
	cells   = numbers.Constant("MaxCells", 100)
	layers  = numbers.Constant("Layers", 7)
	_       = numbers.Size("Sums", 4*cells*layers)
)

func main() {
	ConstraintExpr("!purego")
	row(vec.Machine{})
	weigh(vec.Machine{})
	weighBlocks(vec.Machine{})
	Generate()
	a64.Generate(neon())
	numbers.Generate()
}

// row computes two cells at a time: a register holds as many pixels as two
// cells are wide.
func row(m vec.Machine) {
	p := vec.Begin(m.Name("row"), "func(dst *[8]int32, p, counts *int32, n, rows int)",
		"is rowGo from the second row of p on, and makes cells two by two.")
	dst, pixels, counts, n, rows := p[0], p[1], p[2], p[3], p[4]
	stride := vec.Get(n)
	SHLQ(U8(2), stride)
	roots, zero := m.Spread(root3), m.Zero()

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
		vec.Advance(32, pixels, counts)
	})
	vec.End()
}

// weigh processes eight cells at a time; the last block may overlap the one
// before.
func weigh(m vec.Machine) {
	p := vec.Begin(m.Name("weigh"), "func(dst, sums *int32, parts *uint32, n int)", "is weighGo for size 1 and n cells, at least 8.")
	dst, sums, parts, n := p[0], p[1], p[2], p[3]
	eachLayer(dst, sums, n, func() {
		along(n, func(at GPVirtual) {
			store(m, m.Load(Mem{Base: sums, Index: at, Scale: 4}), dst, parts, at)
		})
	})
	vec.End()
}

// weighBlocks does the same row by row.
func weighBlocks(m vec.Machine) {
	p := vec.Begin(m.Name("weighBlocks"), "func(dst, sums *int32, parts *uint32, n int)", "is weighGo for size 2 and n by n blocks, n at least 8.")
	dst, sums, parts, n := p[0], p[1], p[2], p[3]
	eachLayer(dst, sums, n, func() {
		from, rows, weights := vec.Get(sums), vec.Get(n), vec.Get(parts)
		Label("rows")
		below := GP64()
		LEAQ(Mem{Base: from, Index: n, Scale: 4, Disp: 4}, below)
		along(n, func(at GPVirtual) {
			v := m.Load(Mem{Base: from, Index: at, Scale: 4})
			VPADDD(Mem{Base: from, Index: at, Scale: 4, Disp: 4}, v, v)
			VPADDD(Mem{Base: below, Index: at, Scale: 4}, v, v)
			VPADDD(Mem{Base: below, Index: at, Scale: 4, Disp: 4}, v, v)
			store(m, v, dst, weights, at)
		})
		MOVQ(below, from)
		LEAQ(Mem{Base: weights, Index: n, Scale: 4}, weights)
		DECQ(rows)
		JZ(LabelRef("layer"))
		LEAQ(Mem{Base: dst, Index: n, Scale: 4}, dst)
		JMP(LabelRef("rows"))
		Label("layer")
	})
	vec.End()
}

// eachLayer emits body for every layer of sums. body leaves dst n elements
// before the next layer.
func eachLayer(dst, sums, n GPVirtual, body func()) {
	left := vec.Get(U32(uint32(layers)))
	Label("layers")
	body()
	LEAQ(Mem{Base: dst, Index: n, Scale: 4}, dst)
	ADDQ(U32(uint32(4*cells)), sums)
	DECQ(left)
	JNZ(LabelRef("layers"))
}

// along emits body for blocks of eight of n elements; the last may overlap the
// one before.
func along(n GPVirtual, body func(at GPVirtual)) {
	at, last := GP64(), GP64()
	XORQ(at, at)
	LEAQ(Mem{Base: n, Disp: -8}, last)
	Label("along")
	body(at)
	vec.Next(at, last, 8, "along")
}

// store multiplies v by the parts at at, and stores the upper halves of that.
func store(m vec.Machine, v VecVirtual, dst, parts, at GPVirtual) {
	part := m.Load(Mem{Base: parts, Index: at, Scale: 4})
	odd, oddPart := m.Vector(), m.Vector()
	VPSRLQ(U8(32), v, odd)
	VPSRLQ(U8(32), part, oddPart)
	VPMULUDQ(part, v, v)
	VPMULUDQ(oddPart, odd, odd)
	VPSRLQ(U8(32), v, v)
	VPBLENDD(U8(0xAA), odd, v, v)
	m.Move(v, Mem{Base: dst, Index: at, Scale: 4})
}
