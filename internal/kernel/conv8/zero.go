//go:build (arm64 && !purego) || (wasm && haarlemsimd)

package conv8

// zero sets outputs to 0 of which maxima are made: loops of two places keep what is larger.
func zero(dst []byte, p *Places, w *Weights, maxima int) {
	if maxima == 1 {
		return
	}
	for i := 0; i < len(p.all); i += maxima {
		clear(dst[p.all[i].Out:][:w.outputs])
	}
}
