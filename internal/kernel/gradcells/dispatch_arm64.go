//go:build !purego

package gradcells

import "haarlem/internal/cpu"

func makeRow(dst *[MaxSide / Side][8]int32, p []int32, counts *[MaxSide]int32, n, rows int) {
	if cpu.Current() != cpu.NEON {
		rowGo(dst, p, counts, n, rows)
		return
	}
	rowNEON(&dst[0], &p[n], &counts[0], n, rows)
}

func weigh(dst []int32, sums *Sums, parts []uint32, m, size int) {
	switch {
	case cpu.Current() != cpu.NEON:
		weighGo(dst, sums, parts, m, size)
	case size == 1:
		weighNEON(&dst[0], &sums[0][0], &parts[0], m*m)
	default:
		weighBlocksNEON(&dst[0], &sums[0][0], &parts[0], m-1)
	}
}
