//go:build !(amd64 || arm64) || purego

package sumtable

func sum(dst, above []uint16, pix []byte, n int) { sumGo(dst, above, pix, n) }

func tilt(dst, t1, t2 []uint16, pix1, pix2 []byte, n int) { tiltGo(dst, t1, t2, pix1, pix2, n) }

func split(dst, row []uint16, n, plane int) { splitGo(dst, row, n, 2, plane) }

func together(dst, tab []uint16, blocks []Block, rows, stride, pitch, across int) {
	togetherGo(dst, tab, blocks, rows, stride, pitch, across)
}
