//go:build wasm && haarlemsimd

package conv8

import "unsafe"

// simdConv is function conv of the module that package wasm writes, for eight outputs,
// called with Go's memory. See internal/kernel/lanes/run_wasm.go.
//
//go:wasmimport haarlem conv
//go:noescape
func simdConv(dst, src, places unsafe.Pointer, n int32, weights, bias, shift unsafe.Pointer, rows, row, gap, step, keep int32)

//go:wasmimport haarlem ready
func simdReady() int32

var ready = simdReady() == 1

// What the module knows of types. Each line compiles only if it is so.
var (
	_ [0]struct{} = [Group - 4]struct{}{}
	_ [0]struct{} = [Step - 8]struct{}{}
	_ [0]struct{} = [unit % 2]struct{}{}
	_ [0]struct{} = [unsafe.Sizeof(Place{}) - 8]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(Place{}.In) - 0]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(Place{}.Out) - 4]struct{}{}
)

func apply(dst, src []byte, p *Places, w *Weights, stride, maxima int) {
	if ready {
		zero(dst, p, w, maxima)
		conv(dst, src, p, w, stride, maxima, w.shift)
	} else {
		applyGo(dst, src, p, w, stride, maxima)
	}
}

func sums(dst []int32, src []byte, p *Places, w *Weights, stride int) {
	if ready {
		conv(dst, src, p, w, stride, 1, nil)
	} else {
		sumsGo(dst, src, p, w, stride)
	}
}

// conv makes sums if shift is nil.
func conv[D byte | int32](dst []D, src []byte, p *Places, w *Weights, stride, maxima int, shift []int32) {
	keep := int32(1-maxima) >> 31
	row := w.groups * Group
	for o := 0; o < w.outputs; o += Step {
		first := o / block * block
		var shifts unsafe.Pointer
		if shift != nil {
			shifts = unsafe.Pointer(&shift[o])
		}
		simdConv(unsafe.Pointer(&dst[o]), unsafe.Pointer(&src[0]), unsafe.Pointer(&p.all[0]), int32(len(p.all)),
			unsafe.Pointer(&w.weights[first*w.rows*row+(o-first)*Group]), unsafe.Pointer(&w.bias[o]), shifts,
			int32(w.rows), int32(row), int32(stride-row), int32(min(block, w.outputs-first)*Group), keep)
	}
}
