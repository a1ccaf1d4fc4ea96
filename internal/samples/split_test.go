package samples

import (
	"math"
	"testing"
)

// Photographs stay on their side, whatever else is in the list and wherever the
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
