//go:build !purego

package contrast

import (
	"unsafe"

	"haarlem/internal/cpu"
)

func move(sum, square []uint32, in, out []byte, n int) {
	if cpu.Current() == cpu.AVX512 {
		moveAVX512(&sum[0], &square[0], &in[0], &out[0], n)
	} else {
		moveAVX2(&sum[0], &square[0], &in[0], &out[0], n)
	}
}

func movePairs(sum, square []uint32, in, out []byte, n int) {
	if cpu.Current() == cpu.AVX512 {
		movePairsAVX512(&sum[0], &square[0], &in[0], &out[0], n)
	} else {
		movePairsAVX2(&sum[0], &square[0], &in[0], &out[0], n)
	}
}

func prefix(dst, src []uint32, n int) {
	if cpu.Current() == cpu.AVX512 {
		prefixAVX512(&dst[1], &src[0], n)
	} else {
		prefixAVX2(&dst[1], &src[0], n)
	}
}

func area(pix []byte, stride, width, height int) (sum, square uint32) {
	return areaAVX2(&pix[0], stride, width, height)
}

func row(inv []float32, pass []uint64, sum, square []uint32, n, step int, g *Gate) {
	level := cpu.Current()
	// AVX2 converts signed numbers only.
	signed := g.Area*255*255 < 1<<31
	bits := (*byte)(unsafe.Pointer(&pass[0]))
	switch {
	case level == cpu.AVX2 && !signed:
		rowGo(inv, pass, sum, square, n, step, g)
	case level == cpu.AVX512:
		rowAVX512(&inv[0], bits, &sum[1], &square[1], n, step, g.Width, g.Area, g.Below)
	default:
		rowAVX2(&inv[0], bits, &sum[1], &square[1], n, step, g.Width, g.Area, g.floor(), g.Below)
	}
}
