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
		four := [4]float64{x, 24 * x, -x, x / 1e9}
		want := four
		for i, v := range want {
			want[i] = Exp(v)
		}
		if Exp4(&four); four != want {
			t.Errorf("exp of four from %v: %v, want %v", x, four, want)
		}
		if y := math.Exp(x); math.Abs(Log(y)-x) > 1e-13 {
			t.Errorf("log(%v) = %v, want %v", y, Log(y), x)
		}
	}
}
