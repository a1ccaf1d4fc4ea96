package splitmix

import (
	"math"
	"testing"
)

// The first numbers are fixed: if they change, so do all training windows.
func TestNumbersStayTheSame(t *testing.T) {
	d := New(1, "a.png", 2, 3)
	got := [3]uint64{d.Uint64(), d.Uint64(), d.Uint64()}
	if want := [3]uint64{0xf22bd20aca4b7029, 0x95aafdd9f96bd9e7, 0x73dfc1186fc6157}; got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

func TestDistributions(t *testing.T) {
	d := New(7, "")
	const n = 200000
	var sum, squares, units float64
	var sixths [6]int
	for range n {
		v := d.Normal()
		sum, squares = sum+v, squares+v*v
		units += d.Float64()
		sixths[d.IntN(6)]++
	}
	if m, v := sum/n, squares/n; math.Abs(m) > 0.01 || math.Abs(v-1) > 0.015 {
		t.Errorf("mean %v and variance %v, want 0 and 1", m, v)
	}
	if m := units / n; math.Abs(m-0.5) > 0.004 {
		t.Errorf("mean %v, want 0.5", m)
	}
	for i, c := range sixths {
		if math.Abs(float64(c)-n/6) > 900 {
			t.Errorf("%d came %d times of %d", i, c, n)
		}
	}
}

// Forks differ from each other and from what they come from.
func TestForks(t *testing.T) {
	d := New(7, "")
	seen := map[uint64]int{}
	for i := range 1000 {
		f := d.Fork(i)
		if at, twice := seen[f.Uint64()]; twice {
			t.Errorf("fork %d is fork %d", i, at)
		}
		seen[f.state] = i
	}
}
