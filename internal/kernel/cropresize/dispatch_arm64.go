//go:build !purego

package cropresize

import "haarlem/internal/cpu"

func across(dst *Row, p []byte, t *Taps) {
	switch {
	case cpu.Current() != cpu.NEON:
		acrossGo(dst, p, t)
	case t.taps <= MaxTaps/2:
		acrossHalfNEON(&dst[0], &p[0], &t.first[0], &t.weights[0][0], Side)
	default:
		acrossNEON(&dst[0], &p[0], &t.first[0], &t.weights[0][0], Side)
	}
}

func down(dst *[Side]int32, rows *[MaxTaps]Row, first int, weights []int32, s Scale) {
	if cpu.Current() != cpu.NEON {
		downGo(dst, rows, first, weights, s)
		return
	}
	downNEON(&dst[0], &rows[0][0], first, &weights[0], len(weights), uint64(s.Factor), s.Shift)
}

func stack(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	stackGo(dst, p, rows, weights, n)
}

func pick(dst *[Side]int32, src []int32, t *Places, s Scale) { pickGo(dst, src, t, s) }

// FastStack reports whether Stack and Pick are faster than Across and Down.
func FastStack() bool { return false }
