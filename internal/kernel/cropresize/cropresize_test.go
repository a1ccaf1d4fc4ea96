package cropresize

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
	"haarlem/internal/kernel/kerneltest"
)

// A recipe holds the arguments of Set.
type recipe struct {
	first   [Side]int
	weights [Side]Weights
	taps    int
}

func (r *recipe) build() *Taps {
	var t Taps
	t.Set(&r.first, &r.weights, r.taps)
	return &t
}

// draw returns a random recipe and how many bytes it reads.
func draw(rng *rand.Rand) (r recipe, end int) {
	r.taps = 1 + rng.IntN(MaxTaps)
	most := 1 + rng.IntN(100)
	for i := range r.first {
		r.first[i] = rng.IntN(most)
		end = max(end, r.first[i]+Slack)
		for k := range r.taps {
			r.weights[i][k] = rng.Int32N(1 << 15)
		}
	}
	return r, end
}

// Every level computes the sums of Set's contract, and reads no further than Slack.
func TestAcross(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		rng := kerneltest.Rand(t)
		wall := guard.NewWall(t, 4096)
		for range 500 {
			r, end := draw(rng)
			taps := r.build()
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
				for k := range r.taps {
					want += r.weights[i][k] * int32(p[r.first[i]+k])
				}
				if v != want {
					t.Fatalf("%d taps, pixel %d: %d, want %d", r.taps, i, v, want)
				}
			}
		}
	})
}

// Every level computes what Down's comment says, up to the largest sums.
func TestDown(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		rng := kerneltest.Rand(t)
		for range 500 {
			var rows [MaxTaps]Row
			weight := rng.Int32N(1 << 15)
			for k := range rows {
				for i := range rows[k] {
					rows[k][i] = rng.Int32N((1<<31 - 1) / MaxTaps / (weight + 1))
				}
			}
			weights := make([]int32, 1+rng.IntN(MaxTaps))
			for k := range weights {
				weights[k] = rng.Int32N(weight + 1)
			}
			first := rng.IntN(MaxTaps)
			scale := Scale{rng.Uint32() >> rng.IntN(32), uint64(rng.IntN(64))}
			var got [Side + 1]int32
			got[Side] = -1
			Down((*[Side]int32)(got[:]), &rows, first, weights, scale)
			for i, v := range got[:Side] {
				sum := uint64(0)
				for k, weight := range weights {
					sum += uint64(weight) * uint64(rows[(first+k)%MaxTaps][i])
				}
				if want := int32(sum * uint64(scale.Factor) >> scale.Shift); v != want {
					t.Fatalf("%d rows from %d on, %v, pixel %d: %d, want %d", len(weights), first, scale, i, v, want)
				}
			}
			if got[Side] != -1 {
				t.Fatal("a pixel behind the row is written")
			}
		}
	})
}

func TestRefuses(t *testing.T) {
	var square [Side]int32
	var row Row
	var rows [MaxTaps]Row
	one := recipe{taps: 1}
	before := recipe{taps: 1, first: [Side]int{3: -1}}
	weights := make([]int32, MaxTaps+1)
	for name, f := range map[string]func(){
		"too few bytes":    func() { Across(&row, make([]byte, Slack-1), one.build()) },
		"no rows":          func() { Down(&square, &rows, 0, nil, Scale{}) },
		"too many rows":    func() { Down(&square, &rows, 0, weights, Scale{}) },
		"a negative row":   func() { Down(&square, &rows, -1, weights[:1], Scale{}) },
		"a row too far":    func() { Down(&square, &rows, MaxTaps, weights[:1], Scale{}) },
		"a shift too far":  func() { Down(&square, &rows, 0, weights[:1], Scale{1, 64}) },
		"a negative first": func() { before.build() },
		"no taps":          func() { new(recipe).build() },
		"too many taps":    func() { (&recipe{taps: MaxTaps + 1}).build() },
		"taps not set":     func() { Across(&row, make([]byte, 100), new(Taps)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkAcross(b *testing.B) {
	for _, level := range cpu.Available() {
		for _, taps := range []int{2, 3, 4, 5} {
			b.Run(fmt.Sprint(level, "/", taps), func(b *testing.B) {
				cpu.ForTest(b, level)
				r := recipe{taps: taps}
				for i := range r.first {
					r.first[i] = i * (taps - 1)
				}
				taps := r.build()
				p := make([]byte, Side*MaxTaps)
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
			var rows [MaxTaps]Row
			weights := make([]int32, 3)
			var dst [Side]int32
			for b.Loop() {
				Down(&dst, &rows, 7, weights, Scale{1 << 20, 32})
			}
		})
	}
}
