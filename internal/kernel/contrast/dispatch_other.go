//go:build !(amd64 || arm64) || purego

package contrast

func move(sum, square []uint32, in, out []byte, n int) { moveGo(sum, square, in, out, n) }

func movePairs(sum, square []uint32, in, out []byte, n int) {
	movePairsGo(sum, square, in, out, n)
}

func prefix(dst, src []uint32, n int) { prefixGo(dst, src, n) }

func area(pix []byte, stride, width, height int) (sum, square uint32) {
	return areaGo(pix, stride, width, height)
}

func row(inv []float32, pass []uint64, sum, square []uint32, n, step int, g *Gate) {
	rowGo(inv, pass, sum, square, n, step, g)
}
