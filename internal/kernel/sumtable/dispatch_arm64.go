//go:build !purego

package sumtable

func sum(dst, above []uint16, pix []byte, n int) {
	sumNEON(&dst[1], &above[1], &pix[0], n)
}

func tilt(dst, t1, t2 []uint16, pix1, pix2 []byte, n int) {
	tiltNEON(&dst[0], &t1[0], &t2[0], &pix1[0], &pix2[0], n)
}

func split(dst, row []uint16, n, plane int) {
	splitNEON(&dst[0], &dst[plane], &row[0], (n+1)/2)
}

func together(dst, tab []uint16, blocks []Block, rows, stride, pitch, across int) {
	togetherNEON(&dst[0], &tab[0], &blocks[0].At[0], len(blocks), rows, 2*stride, 2*pitch, 2*across)
}
