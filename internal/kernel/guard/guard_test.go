package guard

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
	w := NewWall(t, 10000)
	for _, n := range []int{0, 1, 17, 5000} {
		s := End[uint16](w, n)
		if len(s) != n {
			t.Fatalf("%d elements, want %d", len(s), n)
		}
		if n == 0 {
			continue
		}
		s[0], s[n-1] = 1, 2
		if f := Faults(func() { _ = at(s, n-1) }); f != "" {
			t.Errorf("the last of %d elements: %s", n, f)
		}
		if f := Faults(func() { sink = at(s, n) }); f == "" && Pages {
			t.Errorf("element %d of %d could be read", n, n)
		}
	}
}

var sink uint16

func TestFaultsPassesOtherPanicsOn(t *testing.T) {
	if got := must.Recover(func() { Faults(func() { panic("other") }) }); got != "other" {
		t.Errorf("recovered %v, want other", got)
	}
}

func TestFence(t *testing.T) {
	for offset := range 32 {
		f := NewFence[uint16](10, offset)
		s := f.Slice()
		if len(s) != 10 || cap(s) != 10 {
			t.Fatalf("length %d, capacity %d", len(s), cap(s))
		}
		if a := uintptr(unsafe.Pointer(&s[0])) % 64; a != uintptr(2*offset) {
			t.Fatalf("offset %d begins %d bytes behind a line", offset, a)
		}
		if b := f.Broken(0, 0); b != "" {
			t.Fatalf("untouched: %s", b)
		}
		s[3]++
		if b := f.Broken(3, 4); b != "" {
			t.Errorf("allowed write: %s", b)
		}
		for _, r := range [][2]int{{0, 3}, {4, 10}, {0, 0}} {
			if f.Broken(r[0], r[1]) == "" {
				t.Errorf("a write to element 3 was not seen outside %v", r)
			}
		}
		f.Reset()
		f.all[f.from-1]++
		if f.Broken(0, 10) == "" {
			t.Error("a write in front was not seen")
		}
		f.Reset()
		f.all[f.from+10]++
		if f.Broken(0, 10) == "" {
			t.Error("a write behind was not seen")
		}
	}
}
