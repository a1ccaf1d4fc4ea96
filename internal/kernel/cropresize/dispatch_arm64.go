//go:build !purego

package cropresize

func stack(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	taps := MaxTaps
	for taps > 1 && weights[taps-1] == 0 {
		taps--
	}
	stackNEON(&dst[0], &p[0], &rows[0], &weights[0], taps, n)
}

func pick(dst *[Side]int32, src []int32, t *Places, s Scale) {
	pickNEON(&dst[0], &src[0], &t.at[0][0], &t.weights[0][0], t.taps, uint64(s.Factor), s.Shift)
}
