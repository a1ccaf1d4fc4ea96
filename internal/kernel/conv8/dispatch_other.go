//go:build (!(amd64 || arm64) || purego) && !(wasm && haarlemsimd)

package conv8

func apply(dst, src []byte, p *Places, w *Weights, stride, maxima int) {
	applyGo(dst, src, p, w, stride, maxima)
}

func sums(dst []int32, src []byte, p *Places, w *Weights, stride int) {
	sumsGo(dst, src, p, w, stride)
}
