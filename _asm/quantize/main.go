// Command quantize generates the assembly of haarlem/internal/kernel/quantize.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/a64"
	"haarlem/asm/layout"
	"haarlem/asm/vec"
)

// The offsets of the fields of a Column.
var (
	fields   layout.Layout
	_        = fields.Offset("Column", "Corner", 0)
	weightAt = fields.Offset("Column", "Weight", 48)
	lowAt    = fields.Offset("Column", "Low", 60)
	scaleAt  = fields.Offset("Column", "Scale", 64)
	limitAt  = fields.Offset("Column", "Max", 68)
	lanes    = uint64(fields.Constant("Lanes", 128))
)

func main() {
	vec.Both(func(m vec.Machine) { column(m) })
	a64.Generate(neon())
	fields.Generate()
}

// column computes as many samples at a time as a register has doublewords.
func column(m vec.Machine) {
	p := vec.Begin(m.Name("make"), "func(dst *byte, table *int32, inv *float32, c *byte)", "is makeGo.")
	dst, table, inv, c := p[0], p[1], p[2], p[3]
	n := vec.Get(U32(lanes))
	broadcast := func(at int) VecVirtual {
		v := m.Vector()
		VBROADCASTSS(Mem{Base: c, Disp: at}, v)
		return v
	}
	weight := [3]VecVirtual{broadcast(weightAt), broadcast(weightAt + 4), broadcast(weightAt + 8)}
	low, scale, limit := broadcast(lowAt), broadcast(scaleAt), broadcast(limitAt)
	zero := m.Zero()
	third := GP32()
	MOVL(Mem{Base: c, Disp: weightAt + 8}, third)
	corner := func(r, k int) Mem {
		o := GP64()
		MOVLQSX(Mem{Base: c, Disp: 16*r + 4*k}, o)
		return Mem{Base: table, Index: o, Scale: 4}
	}
	weighed := func(r int) VecVirtual {
		v := m.Load(corner(r, 0))
		VPSUBD(corner(r, 1), v, v)
		VPSUBD(corner(r, 2), v, v)
		VPADDD(corner(r, 3), v, v)
		VCVTDQ2PS(v, v)
		VMULPS(weight[r], v, v)
		return v
	}
	Label("blocks")
	v := weighed(0)
	VADDPS(weighed(1), v, v)
	TESTL(third, third)
	JZ(LabelRef("two"))
	VADDPS(weighed(2), v, v)
	Label("two")
	VMULPS(Mem{Base: inv}, v, v)
	VSUBPS(low, v, v)
	VMULPS(scale, v, v)
	VMAXPS(zero, v, v)
	VMINPS(limit, v, v)
	VCVTTPS2DQ(v, v)
	if m.AVX512 {
		x := XMM()
		VPMOVDB(v, x)
		VMOVDQU(x, Mem{Base: dst})
	} else {
		hi := XMM()
		VEXTRACTI128(U8(1), v, hi)
		VPACKUSDW(hi, v.AsX(), hi)
		VPACKUSWB(hi, hi, hi)
		VMOVQ(hi, Mem{Base: dst})
	}
	vec.Advance(m.Bytes(), table, inv)
	ADDQ(U8(m.Bytes()/4), dst)
	SUBQ(U8(m.Bytes()/4), n)
	JG(LabelRef("blocks"))
	vec.End()
}
