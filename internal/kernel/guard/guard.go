// Package guard gives tests of kernels memory that catches stray accesses:
// slices that end at an unreadable page, and slices between canaries. Neither
// Go nor its race detector sees what assembly reads and writes.
package guard

import (
	"fmt"
	"runtime/debug"
	"unsafe"
)

// TB is the part of testing.TB that this package needs.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// A Number is an element that kernels work on.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int16 | ~int32 | ~float32
}

// A Wall is memory that ends at an unreadable page, where [Pages] says so. It
// lasts until the test ends.
type Wall struct{ mem []byte }

// NewWall returns a wall with room for size bytes.
func NewWall(t TB, size int) *Wall {
	t.Helper()
	mem, free, err := allocate(size)
	if err != nil {
		t.Fatalf("guard: memory before an unreadable page: %v", err)
	}
	t.Cleanup(free)
	return &Wall{mem}
}

// Size returns the number of its bytes.
func (w *Wall) Size() int { return len(w.mem) }

// End returns the last n elements before the unreadable page. The next call
// returns the same memory: a wall serves one slice at a time.
func End[T Number](w *Wall, n int) []T {
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	if size > len(w.mem) {
		panic(fmt.Sprintf("guard: %d bytes of a wall of %d", size, len(w.mem)))
	}
	if n == 0 {
		return nil
	}
	p := (*T)(unsafe.Pointer(&w.mem[len(w.mem)-size]))
	return unsafe.Slice(p, n)
}

// Faults runs f and returns where it touched memory that it must not touch, or
// "".
func Faults(f func()) (where string) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch e := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			where = fmt.Sprintf("fault at address %#x", e.Addr())
		default:
			panic(e)
		}
	}()
	f()
	return ""
}

// A Fence is a slice between two stretches of canaries.
type Fence[T Number] struct {
	all    []T
	from   int
	length int
}

// posts is how many canaries there are on each side, and so how far off a write
// is still seen: more than four of the widest registers.
const posts = 320

// NewFence returns a fence around n elements, which start as canaries, so that
// elements never written can be told. The slice begins offset elements behind a
// multiple of 64 bytes.
func NewFence[T Number](n, offset int) *Fence[T] {
	var zero T
	line := 64 / int(unsafe.Sizeof(zero))
	all := make([]T, posts+offset+n+posts+line)
	from := posts
	for uintptr(unsafe.Pointer(&all[from]))%64 != 0 {
		from++
	}
	f := &Fence[T]{all: all, from: from + offset, length: n}
	f.Reset()
	return f
}

// Reset makes all elements canaries again.
func (f *Fence[T]) Reset() {
	for i := range f.all {
		f.all[i] = canary[T](i)
	}
}

// canary differs between elements, so that moved canaries are seen too.
func canary[T Number](i int) T { return T(uint32(i)*37 + 90) }

// Slice returns the elements inside the fence.
func (f *Fence[T]) Slice() []T {
	return f.all[f.from:][:f.length:f.length]
}

// Broken says which canary outside elements from to to-1 of the slice was
// overwritten, or "". Pass the range that the kernel may write.
func (f *Fence[T]) Broken(from, to int) string {
	for i, v := range f.all {
		if at := i - f.from; (at < from || at >= to) && v != canary[T](i) {
			return fmt.Sprintf("element %d was overwritten, allowed are %d to %d", at, from, to-1)
		}
	}
	return ""
}
