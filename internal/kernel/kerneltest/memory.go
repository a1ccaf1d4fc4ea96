package kerneltest

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"haarlem/internal/cpu"
)

// A Memory makes the slices of a kernel's calls, and sees what a call does beside them.
type Memory struct {
	*rand.Rand
	t        *testing.T
	walls    []*wall         // a slice that a call reads ends at each
	anywhere bool            // such slices begin anywhere instead
	read     int             // such slices of the next call
	written  []func() string // what is broken around the other ones
}

// Each calls check for every level of instructions that runs here.
func Each(t *testing.T, check func(t *testing.T, m *Memory)) {
	EachLevel(t, func(t *testing.T) { check(t, &Memory{Rand: Rand(t), t: t}) })
}

// Lengths returns all lengths that fill four lanes and one more element differently, and
// others.
func Lengths(lane int, others ...int) []int {
	for n := range 4*lane + 2 {
		others = append(others, n)
	}
	return others
}

// Lengths calls check with each length, and a thousand times with the length aligned while
// slices that are read begin anywhere in a cache line, as those that are written do.
func (m *Memory) Lengths(lengths []int, aligned int, check func(n int)) {
	for _, n := range lengths {
		check(n)
	}
	m.anywhere = true
	for range 1000 {
		check(aligned)
	}
	m.anywhere = false
}

// In returns a slice of n random elements that the next call reads. It ends at an
// unreadable page, unless it is to begin anywhere.
func In[T Number](m *Memory, n int) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	var s []T
	if m.anywhere {
		s = newFence[T](n, m.IntN(64/size)).slice()
	} else {
		if len(m.walls) == m.read || len(m.walls[m.read].mem) < n*size {
			m.walls = append(m.walls[:m.read], newWall(m.t, 2*n*size+1<<12))
		}
		s = end[T](m.walls[m.read], n)
	}
	m.read++
	for i := range s {
		s[i] = T(m.Uint32())
	}
	return s
}

// Out returns a slice of n canaries that the next call may write. It begins anywhere in a
// cache line, and is between other canaries.
func Out[T Number](m *Memory, n int) []T {
	var zero T
	f := newFence[T](n, m.IntN(64/int(unsafe.Sizeof(zero))))
	m.written = append(m.written, func() string { return f.broken(0, n) })
	return f.slice()
}

// Call calls a kernel, and ends the test if it touches anything but the slices that were
// made since the last call.
func (m *Memory) Call(kernel func()) {
	m.t.Helper()
	where := faults(kernel)
	for _, broken := range m.written {
		if where == "" {
			where = broken()
		}
	}
	if where != "" {
		m.t.Fatal(where)
	}
	m.read, m.written = 0, nil
}

// Refuses checks that each call panics on every level: assembly has no bounds checks, so
// Go must check.
func Refuses(t *testing.T, calls map[string]func()) {
	t.Helper()
	EachLevel(t, func(t *testing.T) {
		for name, call := range calls {
			if !panics(call) {
				t.Errorf("%s: no panic", name)
			}
		}
	})
}

func panics(call func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	call()
	return false
}

// Bench measures calls of a kernel on every level, and reports the nanoseconds of each of
// the n things that a call does.
func Bench(b *testing.B, n int, call func()) {
	for _, level := range cpu.Available() {
		b.Run(level.String(), func(b *testing.B) {
			cpu.ForTest(b, level)
			for b.Loop() {
				call()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/each")
		})
	}
}
