//go:build !purego

package quantize

import "unsafe"

func makeColumn(dst *[Lanes]byte, table []int32, inv *[Lanes]float32, c *Column) {
	makeNEON(&dst[0], &table[0], &inv[0], (*byte)(unsafe.Pointer(c)))
}
