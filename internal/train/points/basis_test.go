package points

import (
	"math"
	"testing"

	"haarlem/internal/splitmix"
)

// The vectors are orthonormal, and each is an eigenvector with its value.
func TestPrincipal(t *testing.T) {
	for n := 1; n <= 30; n += 7 {
		d := splitmix.Unnamed(uint64(n))
		m := make([]float64, n*n)
		for range n {
			v := make([]float64, n)
			for i := range v {
				v[i] = d.Normal()
			}
			for i := range n {
				for j := range n {
					m[i*n+j] += v[i] * v[j]
				}
			}
		}
		was := append([]float64(nil), m...)
		vectors, values := principal(m, n)
		for a, v := range vectors {
			if a > 0 && values[a] > values[a-1] {
				t.Errorf("value %d is %v, after %v", a, values[a], values[a-1])
			}
			for b, u := range vectors {
				dot, want := 0.0, 0.0
				for i := range n {
					dot += v[i] * u[i]
				}
				if a == b {
					want = 1
				}
				if math.Abs(dot-want) > 1e-9 {
					t.Errorf("n %d: vectors %d and %d: %v", n, a, b, dot)
				}
			}
			for i := range n {
				var sum float64
				for j := range n {
					sum += was[i*n+j] * v[j]
				}
				if math.Abs(sum-values[a]*v[i]) > 1e-8*float64(n) {
					t.Errorf("n %d: the matrix makes %v of number %d of vector %d, want %v", n, sum, i, a, values[a]*v[i])
				}
			}
		}
	}
}
