//go:build !purego

package conv8

import (
	x "golang.org/x/sys/cpu"

	"haarlem/internal/cpu"
)

// dot says whether the machine has sums of four products without AVX-512; tests change it.
var dot = x.X86.HasAVXVNNI

func apply(dst, src []byte, p *Places, w *Weights, stride, maxima int) {
	switch level := cpu.Current(); {
	case level == cpu.AVX512:
		blocks(dst, src, p, w, stride, maxima, apply16DoubleAVX512, apply16AVX512, apply16AVX512, apply8AVX512)
	case level == cpu.AVX2 && dot:
		blocks(dst, src, p, w, stride, maxima, nil, apply16Dot, apply16Dot, apply8Dot)
	case level == cpu.AVX2:
		blocks(dst, src, p, w, stride, maxima, nil, apply16PairedAVX2, apply16AVX2, apply8AVX2)
	default:
		applyGo(dst, src, p, w, stride, maxima)
	}
}

func sums(dst []int32, src []byte, p *Places, w *Weights, stride int) {
	switch cpu.Current() {
	case cpu.AVX512:
		blocks(dst, src, p, w, stride, 1, nil, sums16AVX512, sums16AVX512, sums8AVX512)
	case cpu.AVX2:
		blocks(dst, src, p, w, stride, 1, nil, sums16AVX2, sums16AVX2, sums8AVX2)
	default:
		sumsGo(dst, src, p, w, stride)
	}
}
