//go:build !(amd64 || arm64) || purego

package quantize

func makeColumn(dst *[Lanes]byte, table []int32, inv *[Lanes]float32, c *Column) {
	makeGo(dst, table, inv, c)
}
