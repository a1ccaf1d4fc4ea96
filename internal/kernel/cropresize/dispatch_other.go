//go:build !(amd64 || arm64) || purego

package cropresize

func across(dst *Row, p []byte, t *Taps) { acrossGo(dst, p, t) }

func down(dst *[Side]int32, rows *[MaxTaps]Row, first int, weights []int32, s Scale) {
	downGo(dst, rows, first, weights, s)
}
