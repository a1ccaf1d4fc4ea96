//go:build !amd64 || purego

package histogram

func add(h *Sums, codes []uint64, stride int, rows []int32, pairs [][2]int64, half bool) {
	addGo(h, codes, stride, rows, pairs, half)
}
