package gradcells

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/must"
)

// Every level computes the sums of the plain loop, reads no further than Need
// and writes no further than the last cell.
func TestMake(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for range 200 {
			n := Side * (2 + m.IntN(MaxSide/Side-1))
			p := kerneltest.In[int32](m, Need(n))
			limit := int32(1) << m.IntN(16)
			for i := range p {
				p[i] = m.Int32N(limit)
			}
			cells := n / Side
			var got Sums
			m.Call(func() { Make(&got, p, n) })
			for k := range MaxCells {
				want := [Layers]int32{}
				if k < cells*cells {
					want = sums(p, n, k%cells, k/cells)
				}
				if got := got.cell(k); got != want {
					t.Fatalf("%d by %d, cell %d: %v, want %v", n, n, k, got, want)
				}
			}
		}
	})
}

func (s *Sums) cell(k int) (all [Layers]int32) {
	for b := range s {
		all[b] = s[b][k]
	}
	return all
}

// sums computes a cell pixel by pixel, as Make's comment defines it.
func sums(p []int32, n, i, j int) (s [Layers]int32) {
	for y := max(j*Side, 1); y < min(j*Side+Side, n-1); y++ {
		for x := max(i*Side, 1); x < min(i*Side+Side, n-1); x++ {
			dx, dy := int(p[y*n+x+1]-p[y*n+x-1]), int(p[y*n+n+x]-p[y*n-n+x])
			a, b := dx, dy
			if a < 0 {
				a = -a
			}
			if b < 0 {
				b = -b
			}
			v := [4]int{64*a - 111*b, min(128*b, 111*a-64*b), min(128*a, 111*b-64*a), 64*b - 111*a}
			for k := range v {
				bin := k
				if dx*dy < 0 {
					bin = (Bins - k) % Bins
				}
				s[bin] += int32(max(v[k], 0))
				s[Bins] += int32(max(v[k], 0))
			}
		}
	}
	return s
}

// The votes of any orientation are those of Make's comment, in real numbers.
func TestDirections(t *testing.T) {
	const n, strength = 8, 5000.0
	for degrees := range 360 {
		turn := float64(degrees) * math.Pi / 180
		p := make([]int32, Need(n))
		for y := range n {
			for x := range n {
				p[y*n+x] = int32(math.Round(16000 + strength/2*(float64(x-4)*math.Cos(turn)+float64(y-4)*math.Sin(turn))/2))
			}
		}
		var sums Sums
		Make(&sums, p, n)
		got := sums.cell(3)
		all := 0.0
		for b := range Bins {
			d := math.Mod(turn-float64(b)*math.Pi/Bins+2*math.Pi, math.Pi)
			d = min(d, math.Pi-d)
			want := 9 * one * strength / 2 * max(0, math.Cos(d)-math.Sin(d)/math.Tan(math.Pi/Bins))
			if math.Abs(float64(got[b])-want) > 0.01*9*one*strength/2 {
				t.Errorf("%d degrees: %v, want %v at %d", degrees, got, want, 30*b)
			}
			all += float64(got[b])
		}
		if all != float64(got[Bins]) {
			t.Errorf("%d degrees: %v, want %v in all", degrees, got, all)
		}
	}
}

func TestMakeRefuses(t *testing.T) {
	for _, n := range []int{0, 4, 9, 44} {
		if must.Recover(func() { Make(new(Sums), make([]int32, 4000), n) }) == nil {
			t.Errorf("a picture of %d pixels a side is taken", n)
		}
	}
}

// Every level normalises blocks as Weigh's comment says, up to the largest
// sums, reads nothing behind parts and writes nothing behind the layers.
func TestWeigh(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, memory *kerneltest.Memory) {
		for range 200 {
			size := 1 + memory.IntN(2)
			m := 5 + memory.IntN(6)
			if size == 2 {
				m = 9 + memory.IntN(2)
			}
			n := m - size + 1
			var sums Sums
			limit := int32(1<<31-2) >> memory.IntN(26) / int32(size*size)
			for b := range sums {
				for k := range m * m {
					sums[b][k] = memory.Int32N(limit + 1)
				}
			}
			parts := kerneltest.In[uint32](memory, n*n)
			for k := range parts {
				parts[k] >>= memory.IntN(32)
			}
			got := kerneltest.Out[int32](memory, Layers*n*n)
			memory.Call(func() { Weigh(got, &sums, parts, m, size) })
			for i, v := range got {
				b, j, k := i/(n*n), i/n%n, i%n
				sum := uint64(0)
				for y := range size {
					for x := range size {
						sum += uint64(sums[b][(j+y)*m+k+x])
					}
				}
				if want := int32(sum * uint64(parts[i%(n*n)]) >> 32); v != want {
					t.Fatalf("%d cells, blocks of %d, layer %d, row %d, block %d: %d, want %d", m, size, b, j, k, v, want)
				}
			}
		}
	})
}

func TestWeighRefuses(t *testing.T) {
	for _, c := range []struct{ m, size, layers, parts int }{
		{4, 1, 1000, 1000},
		{11, 1, 1000, 1000},
		{8, 2, 1000, 1000},
		{10, 0, 1000, 1000},
		{10, 3, 1000, 1000},
		{10, 1, Layers*100 - 1, 100},
		{10, 1, Layers * 100, 99},
		{10, 2, Layers*81 - 1, 81},
		{10, 2, Layers * 81, 80},
	} {
		if must.Recover(func() {
			dst, parts := make([]int32, c.layers), make([]uint32, c.parts)
			Weigh(dst[:c.layers:c.layers], new(Sums), parts[:c.parts:c.parts], c.m, c.size)
		}) == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

func BenchmarkMake(b *testing.B) {
	for _, n := range []int{20, 40} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 0))
			p := make([]int32, Need(n))
			for i := range p {
				p[i] = rng.Int32N(1 << 14)
			}
			var dst Sums
			kerneltest.Bench(b, n*n, func() { Make(&dst, p, n) })
		})
	}
}

func BenchmarkWeigh(b *testing.B) {
	for _, size := range []int{1, 2} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var sums Sums
			dst, parts := make([]int32, Layers*MaxCells), make([]uint32, MaxCells)
			kerneltest.Bench(b, 1, func() { Weigh(dst, &sums, parts, 10, size) })
		})
	}
}
