//go:build !purego

package quantize

import (
	"unsafe"

	"haarlem/internal/cpu"
)

func makeColumn(dst *[Lanes]byte, table []int32, inv *[Lanes]float32, c *Column) {
	switch cpu.Current() {
	case cpu.AVX512:
		makeAVX512(&dst[0], &table[0], &inv[0], (*byte)(unsafe.Pointer(c)))
	case cpu.AVX2:
		makeAVX2(&dst[0], &table[0], &inv[0], (*byte)(unsafe.Pointer(c)))
	default:
		makeGo(dst, table, inv, c)
	}
}
