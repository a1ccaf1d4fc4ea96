package quantize

import (
	"math/rand/v2"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
	"haarlem/internal/kernel/kerneltest"
)

// random returns a table, contrasts and a column that reads the whole table.
func random(rng *rand.Rand, cells int) (*guard.Fence[int32], *[Lanes]float32, *Column) {
	table := guard.NewFence[int32](cells*Lanes, rng.IntN(16))
	for i := range table.Slice() {
		table.Slice()[i] = rng.Int32N(150000)
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
	return table, &inv, c
}

// Every level gives the bytes of the plain loop and writes nothing else.
func TestMake(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		rng := kerneltest.Rand(t)
		for range 300 {
			table, inv, c := random(rng, 1+rng.IntN(40))
			dst := guard.NewFence[byte](Lanes, rng.IntN(64))
			var want [Lanes]byte
			makeGo(&want, table.Slice(), inv, c)
			Make((*[Lanes]byte)(dst.Slice()), table.Slice(), inv, c)
			if got := *(*[Lanes]byte)(dst.Slice()); got != want {
				t.Fatalf("column %+v: %v, want %v", c, got, want)
			}
			if where := dst.Broken(0, Lanes); where != "" {
				t.Fatalf("column %+v: %s", c, where)
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
	for _, level := range cpu.Available() {
		for _, rects := range []string{"two", "three"} {
			b.Run(level.String()+"/"+rects, func(b *testing.B) {
				cpu.ForTest(b, level)
				rng := rand.New(rand.NewPCG(1, 0))
				const cells = 625
				table, inv, _ := random(rng, cells)
				columns := make([]*Column, 1000)
				for i := range columns {
					_, _, c := random(rng, cells)
					c.Weight[2] = 0
					if rects == "three" {
						c.Weight[2] = 2
					}
					columns[i] = c
				}
				var dst [Lanes]byte
				b.SetBytes(Lanes)
				for i := 0; b.Loop(); i++ {
					Make(&dst, table.Slice(), inv, columns[i%len(columns)])
				}
			})
		}
	}
}
