package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/kernel/kerneltest"
)

// A shape is that of a product: rows and columns of c, and elements per sum.
type shape struct{ rows, columns, sum int }

func fill(rng *rand.Rand, data []float32) {
	for i := range data {
		data[i] = float32(rng.NormFloat64())
	}
}

// factor returns a matrix that ends before an unreadable page.
func factor(m *kerneltest.Memory, rows, columns, gap int) Matrix {
	size := 0
	if rows > 0 {
		size = (rows-1)*(columns+gap) + columns
	}
	data := kerneltest.In[float32](m, size)
	fill(m.Rand, data)
	return Matrix{data, rows, columns, columns + gap}
}

func check(t *testing.T, m *kerneltest.Memory, s shape, transposed bool) {
	t.Helper()
	a, multiply := factor(m, s.rows, s.sum, m.IntN(3)), Add
	if transposed {
		a, multiply = factor(m, s.sum, s.rows, m.IntN(3)), AddTransposed
	}
	b := factor(m, s.sum, s.columns, m.IntN(3))
	stride := s.columns + m.IntN(3)
	c := Matrix{kerneltest.Out[float32](m, s.rows*stride), s.rows, s.columns, stride}
	want := slices.Clone(c.Data)
	at := func(i, p int) float32 {
		if transposed {
			return a.Data[p*a.Stride+i]
		}
		return a.Data[i*a.Stride+p]
	}
	for i := range s.rows {
		for j := range s.columns {
			for p := range s.sum {
				want[i*stride+j] = float32(at(i, p)*b.Data[p*b.Stride+j]) + want[i*stride+j]
			}
		}
	}
	m.Call(func() { multiply(c, a, b) })
	for i, v := range c.Data {
		if math.Float32bits(v) != math.Float32bits(want[i]) {
			t.Fatalf("%+v, transposed %v: element %d is %v, want %v", s, transposed, i, v, want[i])
		}
	}
}

// Every level gives the bits of the definition, and touches nothing else: for
// every number of rows and columns up to some registers, and for some large
// products.
func TestMaskedAdd(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for rows := range 14 {
			for columns := range 66 {
				check(t, m, shape{rows, columns, m.IntN(8)}, m.IntN(2) == 0)
			}
		}
		for range 30 {
			check(t, m, shape{m.IntN(40), m.IntN(100), m.IntN(700)}, m.IntN(2) == 0)
		}
	})
}

func TestTranspose(t *testing.T) {
	src := Matrix{[]float32{1, 2, 3, 0, 4, 5, 6}, 2, 3, 4}
	dst := Of(make([]float32, 6), 3, 2)
	Transpose(dst, src)
	if got, want := fmt.Sprint(dst.Data), "[1 4 2 5 3 6]"; got != want {
		t.Errorf("transpose %s, want %s", got, want)
	}
}

// Shapes that do not agree, and data that is too short, are panics and not
// accesses of other memory.
func TestShapes(t *testing.T) {
	m := func(rows, columns int) Matrix { return Of(make([]float32, rows*columns), rows, columns) }
	short := m(4, 4)
	short.Data = short.Data[:15]
	kerneltest.Refuses(t, map[string]func(){
		"inner":      func() { Add(m(4, 4), m(4, 3), m(4, 4)) },
		"rows":       func() { Add(m(5, 4), m(4, 4), m(4, 4)) },
		"columns":    func() { Add(m(4, 5), m(4, 4), m(4, 4)) },
		"transposed": func() { AddTransposed(m(3, 4), m(4, 4), m(4, 4)) },
		"transpose":  func() { Transpose(m(3, 4), m(3, 4)) },
		"short":      func() { Add(m(4, 4), m(4, 4), short) },
		"stride":     func() { Add(m(4, 4), m(4, 4), Matrix{make([]float32, 16), 4, 4, 3}) },
	})
}

// The products of a convolution with 144 weights per output: forward, to the
// weights' gradient, and to the inputs'.
func BenchmarkAdd(b *testing.B) {
	for _, p := range []struct {
		name string
		shape
	}{
		{"forward", shape{441, 32, 144}}, {"weights", shape{144, 32, 441}}, {"inputs", shape{441, 144, 32}},
		{"first", shape{2116, 16, 27}}, {"dense", shape{16, 64, 576}},
	} {
		s := p.shape
		b.Run(p.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 0))
			m := func(rows, columns int) Matrix {
				m := Of(make([]float32, rows*columns), rows, columns)
				fill(rng, m.Data)
				return m
			}
			c, right := m(s.rows, s.columns), m(s.sum, s.columns)
			multiply, a := Add, m(s.rows, s.sum)
			if p.name == "weights" {
				multiply, a = AddTransposed, m(s.sum, s.rows)
			}
			kerneltest.Bench(b, s.rows*s.columns*s.sum, func() { multiply(c, a, right) })
		})
	}
}
