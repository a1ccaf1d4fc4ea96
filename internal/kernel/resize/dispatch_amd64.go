//go:build !purego

package resize

import "haarlem/internal/cpu"

// row returns how many pixels it made; it stops where a block would read
// behind the source.
func row(dst []uint16, src []byte, a *Axis) int {
	n := len(a.Index)
	if n == 0 {
		return 0
	}
	level := cpu.Current()
	if level == cpu.AVX512 && a.span > 128 {
		level = cpu.AVX2 // gathers do not mind how far apart pixels are
	}
	switch level {
	case cpu.AVX512:
		reads := 64
		if a.span > reads {
			reads = 128
		}
		blocks := len(a.base)
		for blocks > 0 && int(a.base[blocks-1])+reads > len(src) {
			blocks--
		}
		switch {
		case blocks == 0:
		case reads == 64:
			rowNearAVX512(&dst[0], &src[0], &a.base[0], &a.perm[0], &a.Part[0], blocks)
		default:
			rowFarAVX512(&dst[0], &src[0], &a.base[0], &a.perm[0], &a.Part[0], blocks)
		}
		return min(blocks*block, n)
	case cpu.AVX2:
		const size, reads = 16, 4
		blocks := (n + size - 1) / size
		for blocks > 0 && int(a.Index[min(blocks*size, n)-1])+reads > len(src) {
			blocks--
		}
		if blocks > 0 {
			rowAVX2(&dst[0], &src[0], &a.Index[0], &a.pair[0], blocks)
		}
		return min(blocks*size, n)
	}
	return 0
}

func blend(dst []byte, top, bottom []uint16, n int, part uint16) {
	pair := int(256-part) | int(part)<<16
	switch {
	case n == 0:
	case cpu.Current() == cpu.AVX512:
		blendAVX512(&dst[0], &top[0], &bottom[0], n, pair)
	case cpu.Current() == cpu.AVX2:
		blendAVX2(&dst[0], &top[0], &bottom[0], n, pair)
	default:
		blendGo(dst, top, bottom, n, part)
	}
}
