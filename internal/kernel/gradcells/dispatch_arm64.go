//go:build !purego

package gradcells

func makeRow(dst *[MaxSide / Side][8]int32, p []int32, counts *[MaxSide]int32, n, rows int) {
	rowNEON(&dst[0], &p[n], &counts[0], n, rows)
}

func weigh(dst []int32, sums *Sums, parts []uint32, m, size int) {
	if size == 1 {
		weighNEON(&dst[0], &sums[0][0], &parts[0], m*m)
	} else {
		weighBlocksNEON(&dst[0], &sums[0][0], &parts[0], m-1)
	}
}
