package boost

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQuantileCuts: cuts are those of sorting all values, of smooth columns, of narrow
// ones, of values that repeat, and with missing and infinite values among them; columns
// of few values are left to sorting.
func TestQuantileCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	columns := map[string]func() float64{
		"normal":      r.NormFloat64,
		"float32":     func() float64 { return float64(float32(r.NormFloat64())) },
		"narrow":      func() float64 { return 1000 + r.Float64()*1e-9 },
		"exponential": func() float64 { return math.Exp(20 * r.NormFloat64()) },
		"whole":       func() float64 { return float64(r.IntN(5000)) },
		"repeats":     func() float64 { return math.Floor(math.Abs(r.NormFloat64()) * 800) },
		"holes": func() float64 {
			switch r.IntN(9) {
			case 0:
				return math.NaN()
			case 1:
				return math.Copysign(0, r.NormFloat64())
			case 2:
				return math.Inf(r.IntN(2)*2 - 1)
			}
			return r.NormFloat64()
		},
		"heavy": func() float64 {
			if r.IntN(2) == 0 {
				return 0.5
			}
			return r.Float64()
		},
	}
	for name, draw := range columns {
		c := make([]float64, 20000)
		for i := range c {
			c[i] = draw()
		}
		for _, bins := range []int{2, 3, 17, 255, 256} {
			got, ok := quantiles(c, bins)
			if !ok {
				t.Errorf("%s, %d bins: gave up", name, bins)
				continue
			}
			if want := equalFrequency(counted(nil, c), bins); !slices.Equal(got, want) {
				t.Errorf("%s, %d bins: %v\nwant %v", name, bins, got, want)
			}
		}
	}
	for name, c := range map[string][]float64{"none": nil, "missing": {math.NaN()}, "one": {1, 1, 1}, "few": {1, 2, 3, 4, 5, 6, 7}} {
		if cuts, ok := quantiles(c, 8); ok {
			t.Errorf("%s: %v", name, cuts)
		}
	}
}

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
			cuts := equalFrequency(counted(nil, values), bins)
			for k, c := range cuts {
				values[3*k], values[3*k+1], values[3*k+2] = c, math.Nextafter(c, math.Inf(-1)), math.Nextafter(c, math.Inf(1))
			}
			codes := encode(values, cuts)
			for i, v := range values {
				if want := code(v, cuts); codes[i] != want {
					t.Fatalf("%s, %d bins: %v has code %d, want %d", name, bins, v, codes[i], want)
				}
			}
		}
	}
}

func BenchmarkQuantileCuts(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	c := make([]float64, 900_000)
	for i := range c {
		c[i] = float64(float32(r.NormFloat64()))
	}
	b.Run("sorted", func(b *testing.B) {
		var sorted []weighted
		for b.Loop() {
			sorted = counted(sorted[:0], c)
			equalFrequency(sorted, 256)
		}
	})
	b.Run("buckets", func(b *testing.B) {
		for b.Loop() {
			quantiles(c, 256)
		}
	})
	cuts, _ := quantiles(c, 256)
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			encode(c, cuts)
		}
	})
}
