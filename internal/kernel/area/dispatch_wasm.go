//go:build wasm && haarlemsimd

package area

import "unsafe"

// simdDown is function down of the module that package wasm writes, for n elements, at
// least eight. See internal/kernel/lanes/run_wasm.go.
//
//go:wasmimport haarlem down
//go:noescape
func simdDown(dst, src, rows unsafe.Pointer, count int32, weights unsafe.Pointer, n int32)

//go:wasmimport haarlem ready
func simdReady() int32

var ready = simdReady() == 1

// What the module knows of types. It compiles only if it is so.
var _ [0]struct{} = [unsafe.Sizeof(int(0)) - 8]struct{}{}

func down(dst []int16, p []byte, rows []int, weights *[Taps]int16) {
	if !ready || len(dst) < 8 {
		downGo(dst, p, rows, weights)
		return
	}
	simdDown(unsafe.Pointer(&dst[0]), unsafe.Pointer(&p[0]), unsafe.Pointer(&rows[0]), int32(len(rows)), unsafe.Pointer(weights), int32(len(dst)))
}

func across(dst []byte, src []int16, f *Filter, plane int) { acrossGo(dst, src, f, plane) }
