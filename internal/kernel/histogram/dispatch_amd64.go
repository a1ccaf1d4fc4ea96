//go:build !purego

package histogram

import "haarlem/internal/cpu"

func add(h *Sums, codes []uint64, stride int, pairs [][2]int64) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		addAVX2(&h[0][0][0], &codes[0], stride, &pairs[0][0], len(pairs))
	default:
		addGo(h, codes, stride, pairs)
	}
}

func addHalf(h *Sums, codes []uint64, stride int, pairs [][2]int64) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		addHalfAVX2(&h[0][0][0], &codes[0], stride, &pairs[0][0], len(pairs))
	default:
		addHalfGo(h, codes, stride, pairs)
	}
}

func addRows(h *Sums, codes []uint64, stride int, rows []int32, pairs [][2]int64) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		addRowsAVX2(&h[0][0][0], &codes[0], stride, &rows[0], &pairs[0][0], len(rows))
	default:
		addRowsGo(h, codes, stride, rows, pairs)
	}
}

func addRowsHalf(h *Sums, codes []uint64, stride int, rows []int32, pairs [][2]int64) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		addRowsHalfAVX2(&h[0][0][0], &codes[0], stride, &rows[0], &pairs[0][0], len(rows))
	default:
		addRowsHalfGo(h, codes, stride, rows, pairs)
	}
}
