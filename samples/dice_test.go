package samples

import (
	"math"
	"testing"
)

// The first numbers are written down: if they change, so do all windows.
func TestDiceStayTheSame(t *testing.T) {
	d := diceFor(1, "a.png", 2, 3)
	got := [3]uint64{d.next(), d.next(), d.next()}
	if want := [3]uint64{0xf22bd20aca4b7029, 0x95aafdd9f96bd9e7, 0x73dfc1186fc6157}; got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

func TestDiceAreFair(t *testing.T) {
	d := diceFor(7, "")
	const n = 200000
	var sum, squares, units float64
	var sixths [6]int
	for range n {
		v := d.normal()
		sum, squares = sum+v, squares+v*v
		units += d.unit()
		sixths[d.below(6)]++
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
	d := diceFor(7, "")
	seen := map[uint64]int{}
	for i := range 1000 {
		f := d.fork(i)
		if at, twice := seen[f.next()]; twice {
			t.Errorf("fork %d is fork %d", i, at)
		}
		seen[f.state] = i
	}
}

// Photographs stay on their side, whatever stands beside them and wherever the
// folder is.
func TestSplit(t *testing.T) {
	var names []string
	for i := range 2000 {
		names = append(names, string(rune('a'+i%26))+string(rune('0'+i/26%10))+string(rune('A'+i/260))+".jpg")
	}
	kept, apart := Split(names, 0.2, 3)
	if len(kept)+len(apart) != len(names) || math.Abs(float64(len(apart))-400) > 60 {
		t.Fatalf("%d kept and %d apart of %d", len(kept), len(apart), len(names))
	}
	side := map[string]bool{}
	for _, i := range apart {
		side[names[i]] = true
	}
	moved := []string{"x/y/" + names[17], names[17], "z/" + names[18], names[19]}
	kept, apart = Split(moved, 0.2, 3)
	for _, i := range kept {
		if side[names[max(17, 16+i)]] {
			t.Errorf("%s changed its side", moved[i])
		}
	}
	for _, i := range apart {
		if !side[names[max(17, 16+i)]] {
			t.Errorf("%s changed its side", moved[i])
		}
	}
	if _, apart := Split(names, 0, 3); apart != nil {
		t.Error("a share of 0 holds some apart")
	}
	if kept, _ := Split(names, 1, 3); kept != nil {
		t.Error("a share of 1 keeps some")
	}
}
