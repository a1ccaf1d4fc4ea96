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
	_       = numbers.Size("Row", 4*side)
)

func main() {
	ConstraintExpr("!purego")
	across(vec.Machine{}, "acrossHalf", maxTaps/2)
	across(vec.Machine{}, "across", maxTaps)
	down(vec.Machine{})
	stack(vec.Machine{})
	pick(vec.Machine{})
	Generate()
	a64.Generate(neon())
	numbers.Generate()
}

// across computes eight pixels at a time, from four or eight bytes each. Bytes
// and weights are widened to doublewords, so VPMADDWD multiplies them: the
// upper words are zero.
func across(m vec.Machine, name string, taps int) {
	p := vec.Begin(m.Name(name), "func(dst *int32, p *byte, first, weights *int32, n int)", "is acrossGo for at most that many taps.")
	dst, pixels, first, weights, n := p[0], p[1], p[2], p[3], p[4]
	low := m.Vector()
	VPCMPEQD(low, low, low)
	VPSRLD(U8(24), low, low)
	vec.Blocks(n, 8, func() {
		at := m.Load(Mem{Base: first})
		sum := m.Zero()
		for k := 0; k < taps; k += 4 {
			four, mask := m.Zero(), m.Vector()
			VPCMPEQD(mask, mask, mask)
			VPGATHERDD(mask, Mem{Base: pixels, Index: at, Scale: 1, Disp: k}, four)
			for i := range 4 {
				one := m.Vector()
				switch i {
				case 0:
					VPAND(low, four, one)
				case 3:
					VPSRLD(U8(24), four, one)
				default:
					VPSRLD(U8(8*i), four, one)
					VPAND(low, one, one)
				}
				VPMADDWD(Mem{Base: weights, Disp: 4 * side * (k + i)}, one, one)
				VPADDD(one, sum, sum)
			}
		}
		m.Move(sum, Mem{Base: dst})
		vec.Advance(32, dst, first, weights)
	})
	vec.End()
}

// down keeps a whole row in registers.
func down(m vec.Machine) {
	p := vec.Begin(m.Name("down"), "func(dst, rows *int32, first int, weights *int32, n int, factor, shift uint64)", "is downGo.")
	dst, rows, first, weights, n := p[0], p[1], p[2], p[3], p[4]
	var sums [side / 8]VecVirtual
	for i := range sums {
		sums[i] = m.Zero()
	}
	vec.Blocks(n, 1, func() {
		weight := m.Vector()
		VPBROADCASTD(Mem{Base: weights}, weight)
		row := GP64()
		LEAQ(Mem{Base: first, Index: first, Scale: 4}, row) // 40 doublewords are 5 * 32 bytes
		SHLQ(U8(5), row)
		for i, sum := range sums {
			v := m.Vector()
			VPMULLD(Mem{Base: rows, Index: row, Scale: 1, Disp: 32 * i}, weight, v)
			VPADDD(v, sum, sum)
		}
		ADDQ(U8(4), weights)
		INCQ(first)
		ANDQ(U8(maxTaps-1), first)
	})
	scale(m, sums[:], dst, p[5], p[6])
	vec.End()
}

// scale multiplies sums by a factor, shifts them to the right and stores them.
func scale(m vec.Machine, sums []VecVirtual, dst, by, bits GPVirtual) {
	low, factor, shift := XMM(), m.Vector(), XMM()
	VMOVQ(by, low)
	VPBROADCASTQ(low, factor)
	VMOVQ(bits, shift)
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
	scale(m, sums[:], dst, p[5], p[6])
	vec.End()
}
