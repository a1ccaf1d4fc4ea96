package kerneltest

import (
	"testing"
	"unsafe"

	"haarlem/internal/must"
)

// at reads behind the end of a slice, as assembly does.
func at(s []uint16, i int) uint16 {
	return *(*uint16)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), 2*i))
}

func TestWall(t *testing.T) {
	w := newWall(t, 10000)
	for _, n := range []int{0, 1, 17, 5000} {
		s := end[uint16](w, n)
		if len(s) != n {
			t.Fatalf("%d elements, want %d", len(s), n)
		}
		if n == 0 {
			continue
		}
		s[0], s[n-1] = 1, 2
		if f := faults(func() { _ = at(s, n-1) }); f != "" {
			t.Errorf("the last of %d elements: %s", n, f)
		}
		if f := faults(func() { sink = at(s, n) }); f == "" && pages {
			t.Errorf("element %d of %d could be read", n, n)
		}
	}
}

var sink uint16

func TestFaultsPassesOtherPanicsOn(t *testing.T) {
	if got := must.Recover(func() { faults(func() { panic("other") }) }); got != "other" {
		t.Errorf("recovered %v, want other", got)
	}
}

func TestFence(t *testing.T) {
	for offset := range 32 {
		f := newFence[uint16](10, offset)
		s := f.slice()
		if len(s) != 10 || cap(s) != 10 {
			t.Fatalf("length %d, capacity %d", len(s), cap(s))
		}
		if a := uintptr(unsafe.Pointer(&s[0])) % 64; a != uintptr(2*offset) {
			t.Fatalf("offset %d begins %d bytes behind a line", offset, a)
		}
		if b := f.broken(0, 0); b != "" {
			t.Fatalf("untouched: %s", b)
		}
		s[3]++
		if b := f.broken(3, 4); b != "" {
			t.Errorf("allowed write: %s", b)
		}
		for _, r := range [][2]int{{0, 3}, {4, 10}, {0, 0}} {
			if f.broken(r[0], r[1]) == "" {
				t.Errorf("a write to element 3 was not seen outside %v", r)
			}
		}
		f.reset()
		f.all[f.from-1]++
		if f.broken(0, 10) == "" {
			t.Error("a write in front was not seen")
		}
		f.reset()
		f.all[f.from+10]++
		if f.broken(0, 10) == "" {
			t.Error("a write behind was not seen")
		}
	}
}
