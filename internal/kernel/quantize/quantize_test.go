package quantize

import (
	"math/rand/v2"
	"testing"

	"haarlem/internal/kernel/kerneltest"
)

// random fills a table, and returns contrasts and a column that reads the whole table.
func random(rng *rand.Rand, table []int32) (*[Lanes]float32, *Column) {
	cells := len(table) / Lanes
	for i := range table {
		table[i] = rng.Int32N(150000)
	}
	var inv [Lanes]float32
	for i := range inv {
		if rng.IntN(10) > 0 {
			inv[i] = rng.Float32() / 20000
		}
	}
	c := &Column{Weight: [3]float32{-1, float32(2 + rng.IntN(3))}, Low: rng.Float32()*8 - 4, Scale: rng.Float32() * 60, Max: float32(rng.IntN(256))}
	if rng.IntN(2) == 0 {
		c.Weight[2] = 2.5
	}
	for r := range c.Corner {
		for k := range c.Corner[r] {
			c.Corner[r][k] = int32(rng.IntN(cells) * Lanes)
		}
	}
	c.Corner[0][0], c.Corner[1][3] = 0, int32((cells-1)*Lanes)
	return &inv, c
}

// Every level gives the bytes of the plain loop, reads nothing behind the table and writes
// nothing else.
func TestMake(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for range 300 {
			table := kerneltest.In[int32](m, (1+m.IntN(40))*Lanes)
			inv, c := random(m.Rand, table)
			got := (*[Lanes]byte)(kerneltest.Out[byte](m, Lanes))
			var want [Lanes]byte
			makeGo(&want, table, inv, c)
			m.Call(func() { Make(got, table, inv, c) })
			if *got != want {
				t.Fatalf("column %+v: %v, want %v", c, got, want)
			}
		}
	})
}

// The plain loop computes what Make's comment says.
func TestMakeGo(t *testing.T) {
	table := make([]int32, 4*Lanes)
	var inv [Lanes]float32
	for i := range Lanes {
		table[Lanes+i], table[2*Lanes+i], table[3*Lanes+i] = int32(i), int32(2*i), int32(4*i)
		inv[i] = 0.5
	}
	c := &Column{Weight: [3]float32{-1, 3}, Low: -10, Scale: 2, Max: 200}
	c.Corner[0] = [4]int32{0, Lanes, 2 * Lanes, 3 * Lanes} // the sum is i
	c.Corner[1] = [4]int32{0, 0, Lanes, 2 * Lanes}         // the sum is i
	var got [Lanes]byte
	makeGo(&got, table, &inv, c)
	for i, v := range got {
		// v = (2i*0.5 + 10) * 2, at most 200.
		if want := min(2*(i+10), 200); int(v) != want {
			t.Errorf("sample %d: %d, want %d", i, v, want)
		}
	}
}

func BenchmarkMake(b *testing.B) {
	for _, rects := range []string{"two", "three"} {
		b.Run(rects, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 0))
			table := make([]int32, 625*Lanes)
			columns := make([]*Column, 100)
			var inv *[Lanes]float32
			for i := range columns {
				inv, columns[i] = random(rng, table)
				columns[i].Weight[2] = 0
				if rects == "three" {
					columns[i].Weight[2] = 2
				}
			}
			var dst [Lanes]byte
			kerneltest.Bench(b, Lanes*len(columns), func() {
				for _, c := range columns {
					Make(&dst, table, inv, c)
				}
			})
		})
	}
}
