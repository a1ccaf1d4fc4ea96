//go:build !purego

package cells

import "haarlem/internal/cpu"

func makeRow(dst *[MostSide / Side][8]int32, p []int32, counts *[MostSide]int32, n, rows int) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		rowAVX2(&dst[0], &p[n], &counts[0], n, rows)
	default:
		rowGo(dst, p, counts, n, rows)
	}
}
