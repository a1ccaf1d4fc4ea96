// Package guard gives the tests of kernels memory that tells on them: slices
// that end where an unreadable page begins, and slices between canaries. A
// kernel that reads or writes whole registers may do so only as far as its
// contract says, and neither Go nor its race detector sees what assembly does.
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

// A Number is what kernels work on.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int32 | ~float32
}

// A Wall is memory that ends at an unreadable page; see [Pages] for where that
// is so. It lasts until the test ends.
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

// End returns the last n elements in front of the unreadable page. The next
// call returns the same memory: one wall serves one slice at a time.
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

// Faults runs f and says where it touched memory that it must not touch, or ""
// where it did not.
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

// posts is how many canaries stand on either side, and so how far off a write
// may be and still be seen: more than four of the widest registers.
const posts = 320

// NewFence returns a fence around n elements that are canaries too, so that
// what was never written can be told. The slice begins offset elements behind
// a multiple of 64 bytes.
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

// Reset makes canaries of all elements again.
func (f *Fence[T]) Reset() {
	for i := range f.all {
		f.all[i] = canary[T](i)
	}
}

// canary differs from element to element, so that canaries that are moved are
// seen as well as those that are overwritten.
func canary[T Number](i int) T { return T(uint32(i)*37 + 90) }

// Slice returns the elements inside the fence.
func (f *Fence[T]) Slice() []T {
	return f.all[f.from:][:f.length:f.length]
}

// Broken says which canary outside the slice's elements from to to-1 was
// overwritten, or "" if none was. Give what the kernel may write to.
func (f *Fence[T]) Broken(from, to int) string {
	for i, v := range f.all {
		if at := i - f.from; (at < from || at >= to) && v != canary[T](i) {
			return fmt.Sprintf("element %d was overwritten, allowed are %d to %d", at, from, to-1)
		}
	}
	return ""
}
