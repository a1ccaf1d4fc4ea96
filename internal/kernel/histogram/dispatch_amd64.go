//go:build !purego

package histogram

import "haarlem/internal/cpu"

func add(h *Sums, codes []uint64, stride int, rows []int32, pairs [][2]int64, half bool) {
	switch {
	case cpu.Current() == cpu.PureGo:
		addGo(h, codes, stride, rows, pairs, half)
	case rows != nil && half:
		addRowsHalfAVX2(&h[0][0][0], &codes[0], stride, &rows[0], &pairs[0][0], len(pairs))
	case rows != nil:
		addRowsAVX2(&h[0][0][0], &codes[0], stride, &rows[0], &pairs[0][0], len(pairs))
	case half:
		addHalfAVX2(&h[0][0][0], &codes[0], stride, &pairs[0][0], len(pairs))
	default:
		addAVX2(&h[0][0][0], &codes[0], stride, &pairs[0][0], len(pairs))
	}
}
