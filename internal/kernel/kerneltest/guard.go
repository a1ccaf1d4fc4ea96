package kerneltest

import (
	"fmt"
	"runtime/debug"
	"testing"
	"unsafe"
)

// A Number is an element that kernels work on.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~int16 | ~int32 | ~float32
}

// A wall is memory that ends at an unreadable page, where pages says so. It
// lasts until the test ends.
type wall struct{ mem []byte }

// newWall returns a wall with room for size bytes.
func newWall(t *testing.T, size int) *wall {
	t.Helper()
	mem, free, err := allocate(size)
	if err != nil {
		t.Fatalf("kerneltest: memory before an unreadable page: %v", err)
	}
	t.Cleanup(free)
	return &wall{mem}
}

// end returns the last n elements before the unreadable page. The next call
// returns the same memory: a wall serves one slice at a time.
func end[T Number](w *wall, n int) []T {
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	if size > len(w.mem) {
		panic(fmt.Sprintf("kerneltest: %d bytes of a wall of %d", size, len(w.mem)))
	}
	if n == 0 {
		return nil
	}
	p := (*T)(unsafe.Pointer(&w.mem[len(w.mem)-size]))
	return unsafe.Slice(p, n)
}

// faults runs f and returns where it touched memory that it must not touch, or
// "".
func faults(f func()) (where string) {
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

// A fence is a slice between two stretches of canaries.
type fence[T Number] struct {
	all    []T
	from   int
	length int
}

// posts is how many canaries there are on each side, and so how far off a write
// is still seen: more than four of the widest registers.
const posts = 320

// newFence returns a fence around n elements, which start as canaries, so that
// elements never written can be told. The slice begins offset elements behind a
// multiple of 64 bytes.
func newFence[T Number](n, offset int) *fence[T] {
	var zero T
	line := 64 / int(unsafe.Sizeof(zero))
	all := make([]T, posts+offset+n+posts+line)
	from := posts
	for uintptr(unsafe.Pointer(&all[from]))%64 != 0 {
		from++
	}
	f := &fence[T]{all: all, from: from + offset, length: n}
	f.reset()
	return f
}

// reset makes all elements canaries again.
func (f *fence[T]) reset() {
	for i := range f.all {
		f.all[i] = canary[T](i)
	}
}

// canary differs between elements, so that moved canaries are seen too.
func canary[T Number](i int) T { return T(uint32(i)*37 + 90) }

// slice returns the elements inside the fence.
func (f *fence[T]) slice() []T {
	return f.all[f.from:][:f.length:f.length]
}

// broken says which canary outside elements from to to-1 of the slice was
// overwritten, or "". Pass the range that the kernel may write.
func (f *fence[T]) broken(from, to int) string {
	for i, v := range f.all {
		if at := i - f.from; (at < from || at >= to) && v != canary[T](i) {
			return fmt.Sprintf("element %d was overwritten, allowed are %d to %d", at, from, to-1)
		}
	}
	return ""
}
