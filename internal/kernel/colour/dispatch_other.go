//go:build (!(amd64 || arm64) || purego) && !(wasm && haarlemsimd)

package colour

func grey(dst, pixels []byte, premultiplied bool) { greyGo(dst, pixels, premultiplied) }

func yCbCr(y, cb, cr, pixels []byte, premultiplied bool) {
	yCbCrGo(y, cb, cr, pixels, premultiplied)
}

func plane(dst, pixels []byte, size int, f *form) { planeGo(dst, pixels, size, f) }
