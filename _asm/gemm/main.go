// Command gemm generates the assembly of haarlem/internal/kernel/gemm.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/layout"
	"haarlem/asm/vec"
)

// The fields of a tile, and its number of rows: with two registers a row, the
// sums take 12 of AVX2's 16 registers.
var (
	fields    layout.Layout
	cAt       = fields.Offset("tile", "c", 0)
	aAt       = fields.Offset("tile", "a", 8)
	bAt       = fields.Offset("tile", "b", 16)
	rowAt     = fields.Offset("tile", "row", 24)
	columnAt  = fields.Offset("tile", "column", 32)
	cStrideAt = fields.Offset("tile", "cStride", 40)
	bStrideAt = fields.Offset("tile", "bStride", 48)
	rowsAt    = fields.Offset("tile", "rows", 56)
	columnsAt = fields.Offset("tile", "columns", 64)
	sumAt     = fields.Offset("tile", "sum", 72)
	tileRows  = fields.Constant("tileRows", 6)
)

func main() {
	vec.Both(func(m vec.Machine) {
		tile(m, "wide", 2, false)
		tile(m, "narrow", 1, false)
		tile(m, "partial", 1, true)
	})
	fields.Generate()
}

// tile adds to one tile of c, of some registers a row. Sums stay in registers.
// Of a tile with fewer rows, the last row is computed several times, and written
// as often with the same bits.
func tile(m vec.Machine, name string, registers int, masked bool) {
	doc := "adds to a tile of rows of "
	if registers == 2 {
		doc += "two registers."
	} else if masked {
		doc += "less than a register."
	} else {
		doc += "one register."
	}
	t := vec.Begin(m.Name(name), "func(t *byte)", doc)[0]
	field := func(at int) GPVirtual { return vec.Get(Mem{Base: t, Disp: at}) }
	// address returns the rows of a matrix: those from rows on are the last one.
	address := func(at, strideAt int) []GPVirtual {
		all, stride, rows := []GPVirtual{field(at)}, field(strideAt), field(rowsAt)
		for i := 1; i < tileRows; i++ {
			next := GP64()
			LEAQ(Mem{Base: all[i-1], Index: stride, Scale: 1}, next)
			CMPQ(rows, U8(i))
			CMOVQLE(all[i-1], next)
			all = append(all, next)
		}
		return all
	}
	var mask Op
	if masked {
		columns := field(columnsAt)
		if m.AVX512 {
			n := GP32()
			MOVL(U32(1), n)
			SHLXL(columns.As32(), n, n)
			DECL(n)
			k := K()
			KMOVW(n, k)
			mask = k
		} else {
			at, v := GP64(), YMM()
			words := vec.Dwords("lanes", []uint32{1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 0, 0, 0, 0, 0, 0, 0, 0})
			LEAQ(words, at)
			NEGQ(columns)
			VMOVDQU(Mem{Base: at, Index: columns, Scale: 4, Disp: 32}, v)
			mask = v
		}
	}
	load := func(from Mem, to VecVirtual) {
		switch {
		case !masked:
			VMOVUPS(from, to)
		case m.AVX512:
			VMOVUPS_Z(from, mask, to)
		default:
			VMASKMOVPS(from, mask, to)
		}
	}
	store := func(from VecVirtual, to Mem) {
		switch {
		case !masked:
			VMOVUPS(from, to)
		case m.AVX512:
			VMOVUPS(from, mask, to)
		default:
			VMASKMOVPS(from, mask, to)
		}
	}
	at := func(base GPVirtual, register int) Mem { return Mem{Base: base, Disp: register * m.Bytes()} }
	var sums [][]VecVirtual
	for _, c := range address(cAt, cStrideAt) {
		var row []VecVirtual
		for r := range registers {
			v := m.Vector()
			load(at(c, r), v)
			row = append(row, v)
		}
		sums = append(sums, row)
	}
	a, b, bStride, column, n := address(aAt, rowAt), field(bAt), field(bStrideAt), field(columnAt), field(sumAt)
	next := GP64()
	XORQ(next, next)
	Label("sum")
	var right []VecVirtual
	for r := range registers {
		v := m.Vector()
		load(at(b, r), v)
		right = append(right, v)
	}
	x, y := m.Vector(), m.Vector()
	for i := range sums {
		VBROADCASTSS(Mem{Base: a[i], Index: next, Scale: 1}, x)
		for r := range registers {
			to := y
			if r == registers-1 { // the last use of x
				to = x
			}
			VMULPS(right[r], x, to)
			VADDPS(to, sums[i][r], sums[i][r])
		}
	}
	ADDQ(bStride, b)
	ADDQ(column, next)
	DECQ(n)
	JNZ(LabelRef("sum"))
	for i, c := range address(cAt, cStrideAt) {
		for r := range registers {
			store(sums[i][r], at(c, r))
		}
	}
	vec.End()
}
