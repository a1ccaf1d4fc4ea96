//go:build !purego

package cropresize

import "haarlem/internal/cpu"

func across(dst *Row, p []byte, t *Taps) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		if t.taps <= MaxTaps/2 {
			acrossHalfAVX2(&dst[0], &p[0], &t.first[0], &t.weights[0][0], Side)
		} else {
			acrossAVX2(&dst[0], &p[0], &t.first[0], &t.weights[0][0], Side)
		}
	default:
		acrossGo(dst, p, t)
	}
}

func down(dst *[Side]int32, rows *[MaxTaps]Row, first int, weights []int32, s Scale) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		downAVX2(&dst[0], &rows[0][0], first, &weights[0], len(weights), uint64(s.Factor), s.Shift)
	default:
		downGo(dst, rows, first, weights, s)
	}
}

func stack(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		stackAVX2(&dst[0], &p[0], &rows[0], &weights[0], n)
	default:
		stackGo(dst, p, rows, weights, n)
	}
}

func pick(dst *[Side]int32, src []int32, t *Places, s Scale) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		pickAVX2(&dst[0], &src[0], &t.at[0][0], &t.weights[0][0], t.taps, uint64(s.Factor), s.Shift)
	default:
		pickGo(dst, src, t, s)
	}
}

// FastStack reports whether Stack and Pick are faster than Across and Down.
func FastStack() bool { return cpu.Current() != cpu.PureGo }
