package augment

import (
	"math"
	"testing"
)

func TestSinCos(t *testing.T) {
	for x := -8.0; x < 8; x += 0.01 {
		s, c := sinCos(x)
		if math.Abs(s-math.Sin(x)) > 2e-15 || math.Abs(c-math.Cos(x)) > 2e-15 {
			t.Fatalf("%v: %v %v, want %v %v", x, s, c, math.Sin(x), math.Cos(x))
		}
	}
	if waves[0] != 1024 || waves[64] != 0 || waves[128] != -1024 || waves[192] != 0 {
		t.Error(waves)
	}
}
