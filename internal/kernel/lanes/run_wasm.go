//go:build wasm && haarlemsimd

package lanes

import "unsafe"

// Go's compiler has no vectors for WebAssembly, so the loop is in a module of its
// own, written by package wasm. The host must provide these functions, which is why
// they need a build tag; the page's worker.js does.

// simdRun is that module's function run, called with Go's memory.
//
//go:wasmimport haarlem run
//go:noescape
func simdRun(segments, records, tables, subsets, pieces, state, tab unsafe.Pointer, end int32)

// simdReady is 1 if the module exists: browsers without vectors have none.
//
//go:wasmimport haarlem ready
func simdReady() int32

var ready = simdReady() == 1

// Vectors reports whether Run takes about as long for sixteen windows as for
// one.
func Vectors() bool { return ready }

// The module's offsets of fields. Each line compiles only if they are right.
var (
	_ [0]struct{} = [unsafe.Offsetof(state{}.segment) - 0]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(state{}.alive) - 8]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(state{}.inv) - 16]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(state{}.score) - 24]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(state{}.reach) - 88]struct{}{}
	_ [0]struct{} = [unsafe.Sizeof(Segment{}) - 32]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(Segment{}.Hold) - 20]struct{}{}
	_ [0]struct{} = [unsafe.Sizeof(Record{}) - 64]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(Record{}.Mul) - 36]struct{}{}
	_ [0]struct{} = [unsafe.Offsetof(Record{}.Self) - 52]struct{}{}
	_ [0]struct{} = [unsafe.Sizeof(Piece{}) - 16]struct{}{}
)

func (p *Program) run(m *Scratch, groups []Group, from, to int, tab []uint16, inv []float32) {
	if !ready {
		p.runGo(m, groups, from, to, tab, inv)
		return
	}
	p.runEach(m, groups, from, inv, func(x int) {
		simdRun(unsafe.Pointer(unsafe.SliceData(p.Segments)), unsafe.Pointer(unsafe.SliceData(p.Records)),
			unsafe.Pointer(unsafe.SliceData(p.tables)), unsafe.Pointer(unsafe.SliceData(p.Subsets)),
			unsafe.Pointer(unsafe.SliceData(p.Pieces)), unsafe.Pointer(&m.state), unsafe.Pointer(&tab[x]), int32(to))
	})
}
