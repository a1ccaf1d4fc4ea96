//go:build !(amd64 || arm64) || purego

package gradcells

func makeRow(dst *[MaxSide / Side][8]int32, p []int32, counts *[MaxSide]int32, n, rows int) {
	rowGo(dst, p, counts, n, rows)
}

func weigh(dst []int32, sums *Sums, parts []uint32, m, size int) {
	weighGo(dst, sums, parts, m, size)
}
