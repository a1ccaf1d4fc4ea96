//go:build !purego

package sumtable

import "haarlem/internal/cpu"

func sum(dst, above []uint16, pix []byte, n int) {
	if n == 0 || cpu.Current() != cpu.NEON {
		sumGo(dst, above, pix, n)
		return
	}
	sumNEON(&dst[1], &above[1], &pix[0], n)
}

func tilt(dst, t1, t2 []uint16, pix1, pix2 []byte, n int) {
	if n == 0 || cpu.Current() != cpu.NEON {
		tiltGo(dst, t1, t2, pix1, pix2, n)
		return
	}
	tiltNEON(&dst[0], &t1[0], &t2[0], &pix1[0], &pix2[0], n)
}

func split(dst, row []uint16, n, plane int) {
	if n == 0 || cpu.Current() != cpu.NEON {
		splitGo(dst, row, n, 2, plane)
		return
	}
	splitNEON(&dst[0], &dst[plane], &row[0], (n+1)/2)
}

func together(dst, tab []uint16, blocks []Block, rows, stride, pitch, across int) {
	if cpu.Current() != cpu.NEON {
		togetherGo(dst, tab, blocks, rows, stride, pitch, across)
		return
	}
	togetherNEON(&dst[0], &tab[0], &blocks[0].At[0], len(blocks), rows, 2*stride, 2*pitch, 2*across)
}

// FastTogether reports whether Together is worth calling.
func FastTogether() bool { return cpu.Current() == cpu.NEON }
