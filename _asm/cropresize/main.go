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
	Generate()
	a64.Generate(neon())
	numbers.Generate()
}

// across computes eight pixels at a time, from four or eight bytes each. Bytes
// and weights are widened to doublewords, so VPMADDWD multiplies them: the
// upper words are zero.
func across(m vec.Machine, name string, taps int) {
	p := vec.Begin(m.Name(name), "func(dst *int32, p *byte, first, weights *int32, n int)",
		m.Name(name)+" is acrossGo for at most that many taps.", "dst", "p", "first", "weights", "n")
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
		ADDQ(U8(32), dst)
		ADDQ(U8(32), first)
		ADDQ(U8(32), weights)
	})
	vec.End()
}

// down keeps a whole row in registers.
func down(m vec.Machine) {
	p := vec.Begin(m.Name("down"), "func(dst, rows *int32, first int, weights *int32, n int, factor, shift uint64)",
		m.Name("down")+" is downGo.", "dst", "rows", "first", "weights", "n", "factor", "shift")
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
