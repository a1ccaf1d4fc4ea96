//go:build !purego

package quantize

import (
	"unsafe"

	"haarlem/internal/cpu"
)

func makeColumn(dst *[Lanes]byte, table []int32, inv *[Lanes]float32, c *Column) {
	if cpu.Current() == cpu.AVX512 {
		makeAVX512(&dst[0], &table[0], &inv[0], (*byte)(unsafe.Pointer(c)))
	} else {
		makeAVX2(&dst[0], &table[0], &inv[0], (*byte)(unsafe.Pointer(c)))
	}
}
