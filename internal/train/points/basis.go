package points

import (
	"math"
	"slices"
)

// principal returns the eigenvectors of a symmetric matrix of n by n, by
// decreasing eigenvalue, and the eigenvalues. It is the cyclic Jacobi method in
// plain operations: the same on all machines. It overwrites the matrix.
func principal(m []float64, n int) (vectors [][]float64, values []float64) {
	v := make([]float64, n*n)
	for i := range n {
		v[i*n+i] = 1
	}
	for range 60 {
		var off, on float64
		for i := range n {
			on += float64(m[i*n+i] * m[i*n+i])
			for j := range i {
				off += float64(m[i*n+j] * m[i*n+j])
			}
		}
		if off <= float64(on*1e-24) {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				if m[p*n+q] != 0 {
					rotate(m, v, n, p, q)
				}
			}
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := m[a*n+a], m[b*n+b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for _, k := range order {
		col := make([]float64, n)
		for i := range n {
			col[i] = v[i*n+k]
		}
		vectors = append(vectors, col)
		values = append(values, m[k*n+k])
	}
	return vectors, values
}

// rotate makes m[p][q] zero.
func rotate(m, v []float64, n, p, q int) {
	theta := (m[q*n+q] - m[p*n+p]) / float64(2*m[p*n+q])
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(float64(t*t)+1)
	s := float64(t * c)
	for i := range n {
		a, b := m[i*n+p], m[i*n+q]
		m[i*n+p], m[i*n+q] = float64(c*a)-float64(s*b), float64(s*a)+float64(c*b)
	}
	for i := range n {
		a, b := m[p*n+i], m[q*n+i]
		m[p*n+i], m[q*n+i] = float64(c*a)-float64(s*b), float64(s*a)+float64(c*b)
		a, b = v[i*n+p], v[i*n+q]
		v[i*n+p], v[i*n+q] = float64(c*a)-float64(s*b), float64(s*a)+float64(c*b)
	}
}
