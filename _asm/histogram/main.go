// Command histogram generates the assembly of haarlem/internal/kernel/histogram.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/layout"
	"haarlem/asm/vec"
)

// The sizes of package histogram.
var (
	sizes   layout.Layout
	columns = sizes.Constant("Columns", 8)
	_       = sizes.Size("Sums", 8*column)
)

const (
	column   = 256 * 16 // bytes of the sums of a column
	distance = 16       // rows from a row to that whose codes are fetched beside it
)

func main() {
	ConstraintExpr("!purego")
	add("add", columns)
	add("addHalf", columns/2)
	addRows("addRows", columns)
	addRows("addRowsHalf", columns/2)
	Generate()
	sizes.Generate()
}

func add(name string, columns int) {
	p := vec.Begin(name+"AVX2", "func(h *int64, codes *uint64, stride int, pairs *int64, n int)", fmt.Sprintf("is addGo of %d columns for n rows, at least one.", columns))
	sums, codes, stride, pairs, n := p[0], p[1], p[2], p[3], p[4]
	SHLQ(U8(3), stride)
	mask := masked()
	vec.Blocks(n, 1, func() {
		row(sums, pairs, mask, Mem{Base: codes}, columns)
		ADDQ(stride, codes)
		ADDQ(U8(16), pairs)
	})
	RET()
}

func addRows(name string, columns int) {
	p := vec.Begin(name+"AVX2", "func(h *int64, codes *uint64, stride int, rows *int32, pairs *int64, n int)",
		fmt.Sprintf("is addGo of %d columns for n listed rows, at least one.", columns))
	sums, codes, stride, rows, pairs, n := p[0], p[1], p[2], p[3], p[4], p[5]
	mask := masked()
	one := func(ahead bool) {
		at := GP64()
		if ahead {
			next := GP64()
			MOVLQSX(Mem{Base: rows, Disp: 4 * distance}, next)
			IMULQ(stride, next)
			PREFETCHT0(Mem{Base: codes, Index: next, Scale: 8})
		}
		MOVLQSX(Mem{Base: rows}, at)
		IMULQ(stride, at)
		row(sums, pairs, mask, Mem{Base: codes, Index: at, Scale: 8}, columns)
		ADDQ(U8(4), rows)
		ADDQ(U8(16), pairs)
	}
	Comment("The codes of rows far apart are in no cache.")
	SUBQ(U8(distance), n)
	JLE(LabelRef("rest"))
	Label("ahead")
	one(true)
	DECQ(n)
	JNZ(LabelRef("ahead"))
	Label("rest")
	ADDQ(U8(distance), n)
	vec.Blocks(n, 1, func() { one(false) })
	RET()
}

// masked is a register with the bits of a code times 16, the size of a bin.
func masked() GPVirtual { return vec.Get(U32(0xff0)) }

// row adds the pair of one row to a bin of each of some columns.
func row(sums, pairs, mask GPVirtual, codes Mem, columns int) {
	c, pair := GP64(), XMM()
	MOVQ(codes, c)
	VMOVDQU(Mem{Base: pairs}, pair)
	for k := range columns {
		bin := GP64()
		switch k {
		case 0:
			MOVQ(c, bin)
			SHLQ(U8(4), bin)
		default:
			RORXQ(U8(8*k-4), c, bin)
		}
		ANDQ(mask, bin)
		at := Mem{Base: sums, Index: bin, Scale: 1, Disp: k * column}
		v := XMM()
		VPADDQ(at, pair, v)
		VMOVDQU(v, at)
	}
}
