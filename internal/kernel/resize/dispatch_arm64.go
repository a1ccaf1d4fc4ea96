//go:build !purego

package resize

import "haarlem/internal/cpu"

// row returns how many pixels it made: all or none.
func row(dst []uint16, src []byte, a *Axis) int {
	n := len(a.Index)
	if n == 0 || cpu.Current() != cpu.NEON {
		return 0
	}
	const size = block / 2
	blocks := (n + size - 1) / size
	var kernel func(dst *uint16, src *byte, starts *int32, shuffle *byte, part *uint16, blocks int)
	switch a.loads {
	case 0:
		rowLoadsNEON(&dst[0], &src[0], &a.Index[0], &a.Part[0], blocks)
		return n
	case 1:
		kernel = rowNearNEON
	case 2:
		kernel = rowFarNEON
	default:
		kernel = rowFartherNEON
	}
	kernel(&dst[0], &src[0], &a.starts[0], &a.shuffle[0], &a.Part[0], blocks)
	return n
}

func blend(dst []byte, top, bottom []uint16, n int, part uint16) {
	blendNEON(&dst[0], &top[0], &bottom[0], n, int(256-part)|int(part)<<16)
}

func halve(dst, top, bottom []byte) {
	const size = 32
	blocks := len(top) / 2 / size
	if blocks == 0 || cpu.Current() != cpu.NEON {
		blocks = 0
	} else {
		halveNEON(&dst[0], &top[0], &bottom[0], blocks)
	}
	halveGo(dst, top, bottom, blocks*size)
}
