//go:build !purego

package contrast

import "unsafe"

func move(sum, square []uint32, in, out []byte, n int) {
	moveNEON(&sum[0], &square[0], &in[0], &out[0], n)
}

func movePairs(sum, square []uint32, in, out []byte, n int) {
	movePairsNEON(&sum[0], &square[0], &in[0], &out[0], n)
}

func prefix(dst, src []uint32, n int) {
	prefixNEON(&dst[1], &src[0], n)
}

func area(pix []byte, stride, width, height int) (sum, square uint32) {
	return areaNEON(&pix[0], stride, width, height)
}

func row(inv []float32, pass []uint64, sum, square []uint32, n, step int, g *Gate) {
	rowNEON(&inv[0], (*byte)(unsafe.Pointer(&pass[0])), &sum[1], &square[1], n, step, g.Width, g.Area, g.floor(), g.Below)
}
