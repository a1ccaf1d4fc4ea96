package cropresize

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
)

// A recipe is what taps are set to.
type recipe struct {
	first [Side]int
	parts [Side]Parts
	wide  int
}

func (r *recipe) taps() *Taps {
	var t Taps
	t.Set(&r.first, &r.parts, r.wide)
	return &t
}

// draw returns a recipe and how many bytes it reaches to.
func draw(rng *rand.Rand) (r recipe, end int) {
	r.wide = 1 + rng.IntN(Wide)
	most := 1 + rng.IntN(100)
	for i := range r.first {
		r.first[i] = rng.IntN(most)
		end = max(end, r.first[i]+Behind)
		for k := range r.wide {
			r.parts[i][k] = rng.Int32N(1 << 15)
		}
	}
	return r, end
}

// Every level makes what Set says, and reads no further than
// Behind does.
func TestAcross(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, level := range cpu.Available() {
		t.Run(level.String(), func(t *testing.T) {
			cpu.ForTest(t, level)
			rng := rand.New(rand.NewPCG(seed, 0))
			wall := guard.NewWall(t, 4096)
			for range 500 {
				r, end := draw(rng)
				taps := r.taps()
				p := guard.End[byte](wall, end)
				for i := range p {
					p[i] = byte(rng.Uint32())
				}
				var got Row
				if where := guard.Faults(func() { Across(&got, p, taps) }); where != "" {
					t.Fatal(where)
				}
				for i, v := range got {
					want := int32(0)
					for k := range r.wide {
						want += r.parts[i][k] * int32(p[r.first[i]+k])
					}
					if v != want {
						t.Fatalf("%d wide, pixel %d: %d, want %d", r.wide, i, v, want)
					}
				}
			}
		})
	}
}

// Every level makes what the words of Down say, of sums up to the largest.
func TestDown(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, level := range cpu.Available() {
		t.Run(level.String(), func(t *testing.T) {
			cpu.ForTest(t, level)
			rng := rand.New(rand.NewPCG(seed, 0))
			for range 500 {
				var rows [Wide]Row
				part := rng.Int32N(1 << 15)
				for k := range rows {
					for i := range rows[k] {
						rows[k][i] = rng.Int32N((1<<31 - 1) / Wide / (part + 1))
					}
				}
				parts := make([]int32, 1+rng.IntN(Wide))
				for k := range parts {
					parts[k] = rng.Int32N(part + 1)
				}
				first := rng.IntN(Wide)
				scale := Scale{rng.Uint32() >> rng.IntN(32), uint64(rng.IntN(64))}
				var got [Side + 1]int32
				got[Side] = -1
				Down((*[Side]int32)(got[:]), &rows, first, parts, scale)
				for i, v := range got[:Side] {
					sum := uint64(0)
					for k, part := range parts {
						sum += uint64(part) * uint64(rows[(first+k)%Wide][i])
					}
					if want := int32(sum * uint64(scale.Factor) >> scale.Shift); v != want {
						t.Fatalf("%d rows from %d on, %v, pixel %d: %d, want %d", len(parts), first, scale, i, v, want)
					}
				}
				if got[Side] != -1 {
					t.Fatal("a pixel behind the row is written")
				}
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	var square [Side]int32
	var row Row
	var rows [Wide]Row
	one := recipe{wide: 1}
	before := recipe{wide: 1, first: [Side]int{3: -1}}
	parts := make([]int32, Wide+1)
	for name, f := range map[string]func(){
		"too few bytes":      func() { Across(&row, make([]byte, Behind-1), one.taps()) },
		"no rows":            func() { Down(&square, &rows, 0, nil, Scale{}) },
		"too many rows":      func() { Down(&square, &rows, 0, parts, Scale{}) },
		"a row before any":   func() { Down(&square, &rows, -1, parts[:1], Scale{}) },
		"a row after all":    func() { Down(&square, &rows, Wide, parts[:1], Scale{}) },
		"a shift too far":    func() { Down(&square, &rows, 0, parts[:1], Scale{1, 64}) },
		"a place before all": func() { before.taps() },
		"no places":          func() { new(recipe).taps() },
		"too many places":    func() { (&recipe{wide: Wide + 1}).taps() },
		"taps not set":       func() { Across(&row, make([]byte, 100), new(Taps)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: taken", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkAcross(b *testing.B) {
	for _, level := range cpu.Available() {
		for _, wide := range []int{2, 3, 4, 5} {
			b.Run(fmt.Sprint(level, "/", wide), func(b *testing.B) {
				cpu.ForTest(b, level)
				r := recipe{wide: wide}
				for i := range r.first {
					r.first[i] = i * (wide - 1)
				}
				taps := r.taps()
				p := make([]byte, Side*Wide)
				var row Row
				for b.Loop() {
					Across(&row, p, taps)
				}
			})
		}
	}
}

func BenchmarkDown(b *testing.B) {
	for _, level := range cpu.Available() {
		b.Run(level.String(), func(b *testing.B) {
			cpu.ForTest(b, level)
			var rows [Wide]Row
			parts := make([]int32, 3)
			var dst [Side]int32
			for b.Loop() {
				Down(&dst, &rows, 7, parts, Scale{1 << 20, 32})
			}
		})
	}
}
