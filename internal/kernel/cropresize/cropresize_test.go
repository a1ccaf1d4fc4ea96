package cropresize

import (
	"testing"

	"haarlem/internal/kernel/kerneltest"
)

// Every level computes what Stack's comment says, up to the largest sums, reads no
// further than p, and writes no further than its slack.
func TestStack(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for n := 1; n <= 16*4+1; n++ {
			for range 20 {
				var rows [MaxTaps]int
				var weights Weights
				end := 0
				for k := range rows {
					rows[k] = m.IntN(1000)
					end = max(end, rows[k]+n+m.IntN(2)*Slack)
					if weights[k] = m.Int32N(1 << 15); m.IntN(3) == 0 {
						weights[k] = 0
					}
				}
				p, got := kerneltest.In[byte](m, end), kerneltest.Out[int32](m, n+Slack)
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
		"a short stack":     func() { stack(10+Slack-1, 100, 0, 10) },
		"short rows":        func() { stack(100, 10, 1, 10) },
		"a row before":      func() { stack(100, 100, -1, 10) },
		"an empty stack":    func() { stack(100, 100, 0, 0) },
		"no taps of places": func() { places([]int{1}, 0, 0) },
		"too many of them":  func() { places([]int{1}, 0, MaxTaps+1) },
		"a place before":    func() { places([]int{1}, -1, 1) },
		"falling positions": func() { places([]int{5, 3, 8}, 0, 2) },
		"places not set":    func() { Pick(&square, make([]int32, 9), new(Places), Scale{}) },
		"a shift too far":   func() { Pick(&square, make([]int32, 3), places([]int{5, 6, 7}, 0, 1), Scale{1, 64}) },
		"few elements":      func() { Pick(&square, make([]int32, 2), places([]int{5, 6, 7}, 0, 1), Scale{}) },
	})
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
