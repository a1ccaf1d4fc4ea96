package boost

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestEncode: codes are the numbers of cuts that values are not below, for values on the
// cuts and beside them too, of columns that even cells divide well or badly.
func TestEncode(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 9))
	for name, draw := range map[string]func() float64{
		"normal":      r.NormFloat64,
		"exponential": func() float64 { return math.Exp(20 * r.NormFloat64()) },
		"wide":        func() float64 { return math.Ldexp(r.NormFloat64(), 1022) },
		"tiny":        func() float64 { return r.Float64() * 1e-320 },
		"holes": func() float64 {
			switch r.IntN(9) {
			case 0:
				return math.NaN()
			case 1:
				return math.Inf(r.IntN(2)*2 - 1)
			}
			return r.NormFloat64()
		},
	} {
		values := make([]float64, 20000)
		for i := range values {
			values[i] = draw()
		}
		for _, bins := range []int{9, 100, 255} {
			cuts := equalFrequency(new(sorter).counted(values), bins)
			for k, c := range cuts {
				values[3*k], values[3*k+1], values[3*k+2] = c, math.Nextafter(c, math.Inf(-1)), math.Nextafter(c, math.Inf(1))
			}
			codes, _ := encode(values, cuts)
			for i, v := range values {
				if want := code(v, cuts); codes[i] != want {
					t.Fatalf("%s, %d bins: %v has code %d, want %d", name, bins, v, codes[i], want)
				}
			}
		}
	}
}

// TestEncodeWithoutBranches: codes are those of the plain search, also of values
// that are missing, infinite or cuts themselves.
func TestEncodeWithoutBranches(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for n := range maxBins {
		cuts := make([]float64, n)
		for k := range cuts {
			cuts[k] = r.NormFloat64()
		}
		slices.Sort(cuts)
		values := append(slices.Clone(cuts), math.Inf(1), math.Inf(-1), 0)
		if n < maxBins-1 {
			values = append(values, math.NaN())
		}
		for range 50 {
			values = append(values, r.NormFloat64())
		}
		codes, missing := encode(values, cuts)
		if missing != (n < maxBins-1) {
			t.Fatalf("%d cuts: missing values: %v", n, missing)
		}
		for i, got := range codes {
			if want := code(values[i], cuts); got != want {
				t.Fatalf("%d cuts: code %d of %v, want %d", n, got, values[i], want)
			}
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	c := make([]float64, 900_000)
	for i := range c {
		c[i] = float64(float32(r.NormFloat64()))
	}
	cuts := equalFrequency(new(sorter).counted(c), 256)
	for b.Loop() {
		encode(c, cuts)
	}
}
