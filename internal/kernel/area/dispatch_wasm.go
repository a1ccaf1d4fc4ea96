//go:build wasm && haarlemsimd

package area

import "unsafe"

// simdDown and simdAcross are functions of the module that package wasm writes, for n
// elements, at least eight, and n pixels, at least four. See
// internal/kernel/lanes/run_wasm.go.
//
//go:wasmimport haarlem down
//go:noescape
func simdDown(dst, src, rows unsafe.Pointer, count int32, weights unsafe.Pointer, n int32)

//go:wasmimport haarlem across
//go:noescape
func simdAcross(dst, src, first, weights unsafe.Pointer, n, bits int32)

//go:wasmimport haarlem ready
func simdReady() int32

var ready = simdReady() == 1

// What the module knows of types. Each line compiles only if it is so.
var (
	_ [0]struct{} = [unsafe.Sizeof(int(0)) - 8]struct{}{}
	_ [0]struct{} = [Taps - 8]struct{}{}
	_ [0]struct{} = [shift - 15]struct{}{}
	_ [0]struct{} = [round - 8192]struct{}{}
)

func down(dst []int16, p []byte, rows []int, weights *[Taps]int16) {
	if !ready || len(dst) < 8 {
		downGo(dst, p, rows, weights)
		return
	}
	simdDown(unsafe.Pointer(&dst[0]), unsafe.Pointer(&p[0]), unsafe.Pointer(&rows[0]), int32(len(rows)), unsafe.Pointer(weights), int32(len(dst)))
}

func across(dst []byte, src []int16, f *Filter, plane int) {
	if !ready || f.n < 4 {
		acrossGo(dst, src, f, plane)
		return
	}
	simdAcross(unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), unsafe.Pointer(&f.first[0]), unsafe.Pointer(&f.weights[0]), int32(f.n), int32(8*plane))
}

func near(dst, p []byte, from, stride, n int, rows *Rows, f *Filter, plane int) bool { return false }
