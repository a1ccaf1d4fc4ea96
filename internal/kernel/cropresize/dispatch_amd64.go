//go:build !purego

package cropresize

import "haarlem/internal/cpu"

func stack(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	if cpu.Current() == cpu.PureGo {
		stackGo(dst, p, rows, weights, n)
		return
	}
	stackAVX2(&dst[0], &p[0], &rows[0], &weights[0], n)
}

func pick(dst *[Side]int32, src []int32, t *Places, s Scale) {
	if cpu.Current() == cpu.PureGo {
		pickGo(dst, src, t, s)
		return
	}
	pickAVX2(&dst[0], &src[0], &t.at[0][0], &t.weights[0][0], t.taps, uint64(s.Factor), s.Shift)
}
