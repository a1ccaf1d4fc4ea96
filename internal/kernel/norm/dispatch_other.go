package norm

func add(sum, square []uint32, pix []byte)      { addGo(sum, square, pix) }
func move(sum, square []uint32, in, out []byte) { moveGo(sum, square, in, out) }
func prefix(dst, src []uint32)                  { prefixGo(dst, src) }
func row(inv []float32, pass []uint64, sum, square []uint32, n, step int, g *Gate) {
	rowGo(inv, pass, sum, square, n, step, g)
}
