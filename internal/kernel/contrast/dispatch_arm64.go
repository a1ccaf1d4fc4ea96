//go:build !purego

package contrast

import (
	"unsafe"

	"haarlem/internal/cpu"
)

func move(sum, square []uint32, in, out []byte, n int) {
	if n == 0 || cpu.Current() != cpu.NEON {
		moveGo(sum, square, in, out, n)
		return
	}
	moveNEON(&sum[0], &square[0], &in[0], &out[0], n)
}

func movePairs(sum, square []uint32, in, out []byte, n int) {
	if n == 0 || cpu.Current() != cpu.NEON {
		movePairsGo(sum, square, in, out, n)
		return
	}
	movePairsNEON(&sum[0], &square[0], &in[0], &out[0], n)
}

func prefix(dst, src []uint32, n int) {
	if n == 0 || cpu.Current() != cpu.NEON {
		prefixGo(dst, src, n)
		return
	}
	prefixNEON(&dst[1], &src[0], n)
}

func area(pix []byte, stride, width, height int) (sum, square uint32) {
	if cpu.Current() != cpu.NEON {
		return areaGo(pix, stride, width, height)
	}
	return areaNEON(&pix[0], stride, width, height)
}

func row(inv []float32, pass []uint64, sum, square []uint32, n, step int, g *Gate) {
	if step > 2 || cpu.Current() != cpu.NEON {
		rowGo(inv, pass, sum, square, n, step, g)
		return
	}
	rowNEON(&inv[0], (*byte)(unsafe.Pointer(&pass[0])), &sum[1], &square[1], n, step, g.Width, g.Area, g.floor(), g.Below)
}
