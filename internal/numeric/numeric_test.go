package numeric

import (
	"math"
	"testing"
)

func TestNumeric(t *testing.T) {
	for x := -30.0; x < 30; x += 0.37 {
		if got, want := Exp(x), math.Exp(x); math.Abs(got-want) > 1e-14*want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
		if y := math.Exp(x); math.Abs(Log(y)-x) > 1e-13 {
			t.Errorf("log(%v) = %v, want %v", y, Log(y), x)
		}
	}
}
