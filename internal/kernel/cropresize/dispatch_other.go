//go:build !(amd64 || arm64) || purego

package cropresize

func across(dst *Row, p []byte, t *Taps) { acrossGo(dst, p, t) }

func down(dst *[Side]int32, rows *[MaxTaps]Row, first int, weights []int32, s Scale) {
	downGo(dst, rows, first, weights, s)
}

func stack(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	stackGo(dst, p, rows, weights, n)
}

func pick(dst *[Side]int32, src []int32, t *Places, s Scale) { pickGo(dst, src, t, s) }

// FastStack reports whether Stack and Pick are faster than Across and Down.
func FastStack() bool { return false }
