//go:build (amd64 || arm64) && !purego

package gemm

// tileRows is the number of rows of a tile.
const tileRows = 6

// A tile is a part of a product, as the assembly sees it. Distances are in
// bytes.
type tile struct {
	c, a, b            *float32
	row, column        int // of a
	cStride, bStride   int
	rows, columns, sum int // at least one of each, at most tileRows rows
}
