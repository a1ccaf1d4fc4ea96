//go:build !purego

package conv8

import (
	x "golang.org/x/sys/cpu"

	"haarlem/internal/cpu"
)

// dot says whether the machine has sums of four products; tests change it.
var dot = x.ARM64.HasASIMDDP

func apply(dst, src []byte, p *Places, w *Weights, stride, maxima int) {
	zero(dst, p, w, maxima)
	switch {
	case cpu.Current() != cpu.NEON:
		applyGo(dst, src, p, w, stride, maxima)
	case dot:
		blocks(dst, src, p, w, stride, maxima, nil, apply16Dot, apply16Dot, apply8Dot)
	default:
		blocks(dst, src, p, w, stride, maxima, nil, apply16NEON, apply16NEON, apply8NEON)
	}
}

func sums(dst []int32, src []byte, p *Places, w *Weights, stride int) {
	switch {
	case cpu.Current() != cpu.NEON:
		sumsGo(dst, src, p, w, stride)
	case dot:
		blocks(dst, src, p, w, stride, 1, nil, sums16Dot, sums16Dot, sums8Dot)
	default:
		blocks(dst, src, p, w, stride, 1, nil, sums16NEON, sums16NEON, sums8NEON)
	}
}
