//go:build !(amd64 || arm64) || purego

package cropresize

func stack(dst []int32, p []byte, rows *[MaxTaps]int, weights *Weights, n int) {
	stackGo(dst, p, rows, weights, n)
}

func pick(dst *[Side]int32, src []int32, t *Places, s Scale) { pickGo(dst, src, t, s) }
