//go:build wasm && haarlemsimd

package colour

import "unsafe"

// simdGrey and simdYCbCr are functions of the module that package wasm writes, for n
// pixels, at least 16. They report whether all pixels are opaque; results count only then,
// or if pixels are premultiplied. See internal/kernel/lanes/run_wasm.go.
//
//go:wasmimport haarlem grey
//go:noescape
func simdGrey(pixels unsafe.Pointer, n int32, dst unsafe.Pointer) int32

//go:wasmimport haarlem yCbCr
//go:noescape
func simdYCbCr(pixels unsafe.Pointer, n int32, y, cb, cr unsafe.Pointer) int32

//go:wasmimport haarlem ready
func simdReady() int32

var ready = simdReady() == 1

func grey(dst, pixels []byte, premultiplied bool) {
	if n := len(dst); !ready || n < 16 || simdGrey(unsafe.Pointer(&pixels[0]), int32(n), unsafe.Pointer(&dst[0])) == 0 && !premultiplied {
		greyGo(dst, pixels, premultiplied)
	}
}

func yCbCr(y, cb, cr, pixels []byte, premultiplied bool) {
	if n := len(y); !ready || n < 16 || simdYCbCr(unsafe.Pointer(&pixels[0]), int32(n), unsafe.Pointer(&y[0]), unsafe.Pointer(&cb[0]), unsafe.Pointer(&cr[0])) == 0 && !premultiplied {
		yCbCrGo(y, cb, cr, pixels, premultiplied)
	}
}

func plane(dst, pixels []byte, size int, f *form) { planeGo(dst, pixels, size, f) }
