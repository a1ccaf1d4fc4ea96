//go:build !purego

package resize

import "haarlem/internal/cpu"

// row returns how many pixels it made; it stops before a block that would read
// behind the source.
func row(dst []uint16, src []byte, a *Axis) int {
	n, done := len(a.Index), 0
	switch level := cpu.Current(); {
	case n == 0 || level == cpu.PureGo:
		return 0
	case level == cpu.AVX512 && a.span <= 256:
		reads := 64
		for a.span > reads {
			reads *= 2
		}
		blocks := len(a.base)
		for blocks > 0 && int(a.base[blocks-1])+reads > len(src) {
			blocks--
		}
		switch {
		case blocks == 0:
		case reads == 64:
			rowNearAVX512(&dst[0], &src[0], &a.base[0], &a.perm[0], &a.Part[0], blocks)
		case reads == 128:
			rowFarAVX512(&dst[0], &src[0], &a.base[0], &a.perm[0], &a.Part[0], blocks)
		default:
			rowFartherAVX512(&dst[0], &src[0], &a.base[0], &a.perm[0], &a.Part[0], blocks)
		}
		if done = blocks * block; done >= n {
			return n
		}
	}
	const size, reads = block / 2, 4
	blocks := (n - done + size - 1) / size
	if loads := a.loads; loads > 0 {
		kernel := rowNearAVX2
		switch loads {
		case 2:
			kernel = rowFarAVX2
		case 4:
			kernel = rowFartherAVX2
		}
		kernel(&dst[done], &src[0], &a.starts[done*parts*loads/size], &a.shuffle[done*2*loads], &a.Part[done], blocks)
		return n
	}
	// Gathers work at any distance between pixels, and read little at the end.
	for blocks > 0 && int(a.Index[min(done+blocks*size, n)-1])+reads > len(src) {
		blocks--
	}
	if blocks > 0 {
		rowGatherAVX2(&dst[done], &src[0], &a.Index[done], &a.pair[done], blocks)
	}
	return min(done+blocks*size, n)
}

func blend(dst []byte, top, bottom []uint16, n int, part uint16) {
	pair := int(256-part) | int(part)<<16
	if cpu.Current() == cpu.AVX512 {
		blendAVX512(&dst[0], &top[0], &bottom[0], n, pair)
	} else {
		blendAVX2(&dst[0], &top[0], &bottom[0], n, pair)
	}
}

func halve(dst, top, bottom []byte) {
	const size = 32
	blocks := len(top) / 2 / size
	switch level := cpu.Current(); {
	case blocks == 0 || level == cpu.PureGo:
		blocks = 0
	case level == cpu.AVX512:
		halveAVX512(&dst[0], &top[0], &bottom[0], blocks)
	default:
		halveAVX2(&dst[0], &top[0], &bottom[0], blocks)
	}
	halveGo(dst, top, bottom, blocks*size)
}
