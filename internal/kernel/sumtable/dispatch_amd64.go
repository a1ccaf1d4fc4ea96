//go:build !purego

package sumtable

import "haarlem/internal/cpu"

func sum(dst, above []uint16, pix []byte, n int) {
	switch {
	case n == 0:
	case cpu.Current() == cpu.AVX512:
		sumAVX512(&dst[1], &above[1], &pix[0], n)
	case cpu.Current() == cpu.AVX2:
		sumAVX2(&dst[1], &above[1], &pix[0], n)
	default:
		sumGo(dst, above, pix, n)
	}
}

func tilt(dst, t1, t2 []uint16, pix1, pix2 []byte, n int) {
	switch {
	case n == 0:
	case cpu.Current() == cpu.AVX512:
		tiltAVX512(&dst[0], &t1[0], &t2[0], &pix1[0], &pix2[0], n)
	case cpu.Current() == cpu.AVX2:
		tiltAVX2(&dst[0], &t1[0], &t2[0], &pix1[0], &pix2[0], n)
	default:
		tiltGo(dst, t1, t2, pix1, pix2, n)
	}
}

func split(dst, row []uint16, n, plane int) {
	switch {
	case n == 0:
	case cpu.Current() == cpu.AVX512:
		splitAVX512(&dst[0], &dst[plane], &row[0], (n+1)/2)
	case cpu.Current() == cpu.AVX2:
		splitAVX2(&dst[0], &dst[plane], &row[0], (n+1)/2)
	default:
		splitGo(dst, row, n, 2, plane)
	}
}

func together(dst, tab []uint16, blocks []Block, rows, stride, pitch, across int) {
	if cpu.Current() == cpu.PureGo {
		togetherGo(dst, tab, blocks, rows, stride, pitch, across)
		return
	}
	// Wider registers are no faster: loads are the limit.
	togetherAVX2(&dst[0], &tab[0], &blocks[0].At[0], len(blocks), rows, 2*stride, 2*pitch, 2*across)
}

// FastTogether reports whether Together is worth calling: plain Go takes
// fifteen times as long.
func FastTogether() bool { return cpu.Current() != cpu.PureGo }
