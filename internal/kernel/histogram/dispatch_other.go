//go:build !amd64 || purego

package histogram

func add(h *Sums, codes []uint64, stride int, pairs [][2]int64) { addGo(h, codes, stride, pairs) }

func addHalf(h *Sums, codes []uint64, stride int, pairs [][2]int64) {
	addHalfGo(h, codes, stride, pairs)
}

func addRows(h *Sums, codes []uint64, stride int, rows []int32, pairs [][2]int64) {
	addRowsGo(h, codes, stride, rows, pairs)
}

func addRowsHalf(h *Sums, codes []uint64, stride int, rows []int32, pairs [][2]int64) {
	addRowsHalfGo(h, codes, stride, rows, pairs)
}
