//go:build !purego

package gemm

import (
	"unsafe"

	"haarlem/internal/cpu"
)

// depth is the largest number of products that a tile adds: the rows of b that
// it reads stay in the first cache for the tiles below.
const depth = 256

func add(c, b *Matrix, a *left) {
	level := cpu.Current()
	switch {
	case c.Rows == 0 || c.Columns == 0 || a.sum == 0:
		return
	case level == cpu.PureGo:
		addGo(c, b, a)
		return
	}
	lanes := 8
	if level == cpu.AVX512 {
		lanes = 16
	}
	t := tile{row: 4 * a.row, column: 4 * a.column, cStride: 4 * c.Stride, bStride: 4 * b.Stride}
	for p := 0; p < a.sum; p += depth {
		t.sum = min(depth, a.sum-p)
		for j := 0; j < c.Columns; j += t.columns {
			switch t.columns = min(2*lanes, c.Columns-j); {
			case t.columns < lanes || t.columns == 2*lanes:
			default:
				t.columns = lanes
			}
			t.b = &b.Data[p*b.Stride+j]
			for i := 0; i < c.Rows; i += tileRows {
				t.rows = min(tileRows, c.Rows-i)
				t.c, t.a = &c.Data[i*c.Stride+j], &a.data[i*a.row+p*a.column]
				t.add(level == cpu.AVX512, lanes)
			}
		}
	}
}

func (t *tile) add(avx512 bool, lanes int) {
	p := (*byte)(unsafe.Pointer(t))
	switch {
	case avx512 && t.columns > lanes:
		wideAVX512(p)
	case avx512 && t.columns == lanes:
		narrowAVX512(p)
	case avx512:
		partialAVX512(p)
	case t.columns > lanes:
		wideAVX2(p)
	case t.columns == lanes:
		narrowAVX2(p)
	default:
		partialAVX2(p)
	}
}
