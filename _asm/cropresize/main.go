// Command cropresize generates the assembly of haarlem/internal/kernel/cropresize.
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
	side    = 40
	maxTaps = 8
)

// The same constants in package cropresize.
var (
	numbers layout.Layout
	_       = numbers.Constant("Side", side)
	_       = numbers.Constant("MaxTaps", maxTaps)
	_       = numbers.Size("Weights", 4*maxTaps)
)

func main() {
	ConstraintExpr("!purego")
	stack(vec.Machine{})
	pick(vec.Machine{})
	Generate()
	a64.Generate(neon())
	numbers.Generate()
}

// stack sums eight elements at a time, from all rows. Bytes of two rows side by side are
// widened to words, which VPMADDWD multiplies by both weights and adds.
func stack(m vec.Machine) {
	p := vec.Begin(m.Name("stack"), "func(dst *int32, p *byte, rows *int, weights *int32, n int)", "is stackGo.")
	dst, pixels, rows, weights, n := p[0], p[1], p[2], p[3], p[4]
	var row [maxTaps]GPVirtual
	for k := range row {
		row[k] = GP64()
		MOVQ(Mem{Base: rows, Disp: 8 * k}, row[k])
		ADDQ(pixels, row[k])
	}
	var pairs [maxTaps / 2]VecVirtual
	for k := range pairs {
		upper := m.Vector()
		pairs[k] = m.Vector()
		VPBROADCASTD(Mem{Base: weights, Disp: 8 * k}, pairs[k])
		VPBROADCASTD(Mem{Base: weights, Disp: 8*k + 4}, upper)
		VPSLLD(U8(16), upper, upper)
		VPOR(upper, pairs[k], pairs[k])
	}
	x := GP64()
	XORQ(x, x)
	vec.Blocks(n, 8, func() {
		var sum VecVirtual
		for k, pair := range pairs {
			a, b, both := XMM(), XMM(), m.Vector()
			VMOVQ(Mem{Base: row[2*k], Index: x, Scale: 1}, a)
			VMOVQ(Mem{Base: row[2*k+1], Index: x, Scale: 1}, b)
			VPUNPCKLBW(b, a, a)
			VPMOVZXBW(a, both)
			VPMADDWD(pair, both, both)
			if k == 0 {
				sum = both
			} else {
				VPADDD(both, sum, sum)
			}
		}
		m.Move(sum, Mem{Base: dst, Index: x, Scale: 4})
		ADDQ(U8(8), x)
	})
	vec.End()
}

// pick keeps a whole row in registers.
func pick(m vec.Machine) {
	p := vec.Begin(m.Name("pick"), "func(dst, src, at, weights *int32, n int, factor, shift uint64)", "is pickGo.")
	dst, src, at, weights, n := p[0], p[1], p[2], p[3], p[4]
	var sums [side / 8]VecVirtual
	for i := range sums {
		sums[i] = m.Zero()
	}
	vec.Blocks(n, 1, func() {
		for i, sum := range sums {
			v, mask := m.Zero(), m.Vector()
			VPCMPEQD(mask, mask, mask)
			VPGATHERDD(mask, Mem{Base: src, Index: m.Load(Mem{Base: at, Disp: 32 * i}), Scale: 4}, v)
			VPMULLD(Mem{Base: weights, Disp: 32 * i}, v, v)
			VPADDD(v, sum, sum)
		}
		vec.Advance(4*side, at, weights)
	})
	low, factor, shift := XMM(), m.Vector(), XMM()
	VMOVQ(p[5], low)
	VPBROADCASTQ(low, factor)
	VMOVQ(p[6], shift)
	for i, sum := range sums {
		odd := m.Vector()
		VPSRLQ(U8(32), sum, odd)
		VPMULUDQ(factor, sum, sum)
		VPMULUDQ(factor, odd, odd)
		VPSRLQ(shift, sum, sum)
		VPSRLQ(shift, odd, odd)
		VPSLLQ(U8(32), odd, odd)
		VPBLENDD(U8(0xAA), odd, sum, sum)
		m.Move(sum, Mem{Base: dst, Disp: 32 * i})
	}
	vec.End()
}
