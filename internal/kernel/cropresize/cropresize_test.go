package cropresize

import (
	"fmt"
	"math/rand/v2"
	"testing"

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
	limit := 1 + rng.IntN(100)
	for i := range r.first {
		r.first[i] = rng.IntN(limit)
		end = max(end, r.first[i]+Slack)
		for k := range r.taps {
			r.weights[i][k] = rng.Int32N(1 << 15)
		}
	}
	return r, end
}

// Every level computes the sums of Set's contract, and reads no further than Slack.
func TestAcross(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for range 500 {
			r, end := draw(m.Rand)
			taps := r.build()
			p, got := kerneltest.In[byte](m, end), kerneltest.Out[int32](m, len(Row{}))
			m.Call(func() { Across((*Row)(got), p, taps) })
			for i, v := range got[:Side] {
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
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for range 500 {
			var rows [MaxTaps]Row
			weight := m.Int32N(1 << 15)
			for k := range rows {
				for i := range rows[k] {
					rows[k][i] = m.Int32N((1<<31 - 1) / MaxTaps / (weight + 1))
				}
			}
			weights := make([]int32, 1+m.IntN(MaxTaps))
			for k := range weights {
				weights[k] = m.Int32N(weight + 1)
			}
			first := m.IntN(MaxTaps)
			scale := Scale{m.Uint32() >> m.IntN(32), uint64(m.IntN(64))}
			got := kerneltest.Out[int32](m, Side)
			m.Call(func() { Down((*[Side]int32)(got), &rows, first, weights, scale) })
			for i, v := range got {
				sum := uint64(0)
				for k, weight := range weights {
					sum += uint64(weight) * uint64(rows[(first+k)%MaxTaps][i])
				}
				if want := int32(sum * uint64(scale.Factor) >> scale.Shift); v != want {
					t.Fatalf("%d rows from %d on, %v, pixel %d: %d, want %d", len(weights), first, scale, i, v, want)
				}
			}
		}
	})
}

// Every level computes what Stack's comment says, up to the largest sums, and reads and
// writes no further than its slack.
func TestStack(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for n := 1; n <= 8*4+1; n++ {
			for range 20 {
				var rows [MaxTaps]int
				var weights Weights
				end := 0
				for k := range rows {
					rows[k] = m.IntN(1000)
					end = max(end, rows[k]+n+StackSlack)
					if weights[k] = m.Int32N(1 << 15); m.IntN(3) == 0 {
						weights[k] = 0
					}
				}
				p, got := kerneltest.In[byte](m, end), kerneltest.Out[int32](m, n+StackSlack)
				m.Call(func() { Stack(got, p, &rows, &weights, n) })
				for i, v := range got[:n] {
					want := int32(0)
					for k, weight := range weights {
						want += weight * int32(p[rows[k]+i])
					}
					if v != want {
						t.Fatalf("element %d of %d: %d, want %d", i, n, v, want)
					}
				}
			}
		}
	})
}

// Every level computes the sums of Places' contract.
func TestPick(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for range 300 {
			taps := 1 + m.IntN(MaxTaps)
			positions := []int{m.IntN(100)}
			for range m.IntN(300) {
				positions = append(positions, positions[len(positions)-1]+1+m.IntN(3))
			}
			var first [Side]int
			var weights [Side]Weights
			for i := range first {
				first[i] = m.IntN(len(positions))
				for k := range min(taps, len(positions)-first[i]) {
					weights[i][k] = m.Int32N(1 << 10)
				}
			}
			var places Places
			places.Set(positions, &first, &weights, taps)
			src := kerneltest.In[int32](m, positions[len(positions)-1]-positions[0]+1)
			for i := range src {
				src[i] = m.Int32N(1 << 18)
			}
			scale := Scale{m.Uint32() >> m.IntN(32), uint64(m.IntN(64))}
			got := kerneltest.Out[int32](m, Side)
			m.Call(func() { Pick((*[Side]int32)(got), src, &places, scale) })
			for i, v := range got {
				sum := uint64(0)
				for k, weight := range weights[i] {
					if weight != 0 {
						sum += uint64(weight) * uint64(src[positions[first[i]+k]-positions[0]])
					}
				}
				if want := int32(sum * uint64(scale.Factor) >> scale.Shift); v != want {
					t.Fatalf("%d taps, %v, pixel %d: %d, want %d", taps, scale, i, v, want)
				}
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
	stack := func(dst, p, last, n int) {
		rows := [MaxTaps]int{MaxTaps - 1: last}
		Stack(make([]int32, dst), make([]byte, p), &rows, new(Weights), n)
	}
	places := func(positions []int, first, taps int) *Places {
		p := new(Places)
		p.Set(positions, &[Side]int{3: first}, new([Side]Weights), taps)
		return p
	}
	kerneltest.Refuses(t, map[string]func(){
		"too few bytes":     func() { Across(&row, make([]byte, Slack-1), one.build()) },
		"no rows":           func() { Down(&square, &rows, 0, nil, Scale{}) },
		"too many rows":     func() { Down(&square, &rows, 0, weights, Scale{}) },
		"a negative row":    func() { Down(&square, &rows, -1, weights[:1], Scale{}) },
		"a row too far":     func() { Down(&square, &rows, MaxTaps, weights[:1], Scale{}) },
		"a shift too far":   func() { Down(&square, &rows, 0, weights[:1], Scale{1, 64}) },
		"a negative first":  func() { before.build() },
		"no taps":           func() { new(recipe).build() },
		"too many taps":     func() { (&recipe{taps: MaxTaps + 1}).build() },
		"a short stack":     func() { stack(10+StackSlack-1, 100, 0, 10) },
		"short rows":        func() { stack(100, 10+StackSlack, 1, 10) },
		"a row before":      func() { stack(100, 100, -1, 10) },
		"an empty stack":    func() { stack(100, 100, 0, 0) },
		"no taps of places": func() { places([]int{1}, 0, 0) },
		"too many of them":  func() { places([]int{1}, 0, MaxTaps+1) },
		"a place before":    func() { places([]int{1}, -1, 1) },
		"falling positions": func() { places([]int{5, 3, 8}, 0, 2) },
		"places not set":    func() { Pick(&square, make([]int32, 9), new(Places), Scale{}) },
		"few elements":      func() { Pick(&square, make([]int32, 2), places([]int{5, 6, 7}, 0, 1), Scale{}) },
		"taps not set":      func() { Across(&row, make([]byte, 100), new(Taps)) },
	})
}

func BenchmarkAcross(b *testing.B) {
	for _, taps := range []int{2, 3, 4, 5} {
		b.Run(fmt.Sprint(taps), func(b *testing.B) {
			r := recipe{taps: taps}
			for i := range r.first {
				r.first[i] = i * (taps - 1)
			}
			taps := r.build()
			p := make([]byte, Side*MaxTaps)
			var row Row
			kerneltest.Bench(b, Side, func() { Across(&row, p, taps) })
		})
	}
}

func BenchmarkDown(b *testing.B) {
	var rows [MaxTaps]Row
	weights := make([]int32, 3)
	var dst [Side]int32
	kerneltest.Bench(b, Side, func() { Down(&dst, &rows, 7, weights, Scale{1 << 20, 32}) })
}

func BenchmarkStack(b *testing.B) {
	p, dst, weights := make([]byte, 1000), make([]int32, 200), Weights{1, 2, 3, 4, 5, 6, 7, 8}
	rows := [MaxTaps]int{0, 100, 200, 300, 400, 500, 600, 700}
	kerneltest.Bench(b, 160, func() { Stack(dst, p, &rows, &weights, 160) })
}

func BenchmarkPick(b *testing.B) {
	var positions []int
	var first [Side]int
	for i := range 4 * Side {
		positions, first[i/4] = append(positions, i), i&^3
	}
	var p Places
	p.Set(positions, &first, new([Side]Weights), MaxTaps)
	src := make([]int32, len(positions))
	var dst [Side]int32
	kerneltest.Bench(b, Side, func() { Pick(&dst, src, &p, Scale{1 << 20, 32}) })
}
