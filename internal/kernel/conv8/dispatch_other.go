//go:build (!(amd64 || arm64) || purego) && !(wasm && haarlemsimd)

package conv8

func apply(dst, src []byte, p *Places, w *Weights, stride int) { applyGo(dst, src, p, w, stride) }

func sums(dst []int32, src []byte, p *Places, w *Weights, stride int) {
	sumsGo(dst, src, p, w, stride)
}

func maximum(dst, src []byte, p *Places, kernel, channels, stride int) {
	maximumGo(dst, src, p, kernel, channels, stride)
}
