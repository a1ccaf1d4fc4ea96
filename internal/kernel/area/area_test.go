package area

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/must"
)

// draw returns n weights that are One in all, or less.
func draw(rng *rand.Rand, n int) (w [Taps]int16) {
	left := int16(One)
	for _, k := range rng.Perm(n) {
		if w[k] = left; rng.IntN(8) > 0 {
			w[k] = int16(rng.IntN(int(left) + 1))
		}
		left -= w[k]
	}
	return w
}

// Every level computes the sums of Down's comment, of any length, reads nothing behind
// the last row and writes nothing behind dst.
func TestDown(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		rng := kerneltest.Rand(t)
		wall, end := guard.NewWall(t, 4096), guard.NewWall(t, 1024)
		for n := range 4*16 + 2 {
			for offset := range 33 {
				rows := make([]int, 1+rng.IntN(Taps))
				for k := range rows {
					rows[k] = rng.IntN(500)
				}
				weights := draw(rng, len(rows))
				p := guard.End[byte](wall, slices.Max(rows)+n)
				for i := range p {
					p[i] = byte(rng.Uint32()) | byte(rng.IntN(2)*255)
				}
				all := make([]int16, offset+n+40)
				for i := range all {
					all[i] = int16(i)
				}
				got := all[offset:][:n:n]
				if where := guard.Faults(func() { Down(got, p, rows, &weights) }); where != "" {
					t.Fatal(where)
				}
				for i, v := range all {
					want := int16(i)
					if i >= offset && i < offset+n {
						want = 0
						for k, row := range rows {
							want += weights[k] * int16(p[row+i-offset])
						}
					}
					if v != want {
						t.Fatalf("%d elements, %d rows: element %d is %d, want %d", n, len(rows), i-offset, v, want)
					}
				}
				// The same, at the end of what may be written.
				words := guard.End[uint16](end, n)
				if n > 0 {
					if where := guard.Faults(func() { Down(signed(words), p, rows, &weights) }); where != "" {
						t.Fatal(where)
					}
				}
			}
		}
	})
}

// Every level computes what Across' comment says, for any number of pixels and any plane,
// and keeps the other planes.
func TestAcross(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		rng := kerneltest.Rand(t)
		wall := guard.NewWall(t, 4096)
		for k := range 1000 {
			n := k % (4*4 + 2)
			if k == 0 {
				n = MaxRow
			}
			first, weights := make([]int, n), make([][Taps]int16, n)
			last := -Taps
			var f Filter
			for range 2 { // it can be used again
				f.Reset()
				for i := range first {
					first[i], weights[i] = rng.IntN(300), draw(rng, 1+rng.IntN(Taps))
					f.Add(first[i], &weights[i])
				}
			}
			for _, at := range first {
				last = max(last, at)
			}
			words := guard.End[uint16](wall, last+Taps)
			for i := range words {
				words[i] = uint16(rng.IntN(255*One + 1))
				if rng.IntN(3) == 0 {
					words[i] = 255 * One
				}
			}
			src := signed(words)
			plane := rng.IntN(4)
			dst := guard.NewFence[byte](4*n, rng.IntN(64))
			for i := range dst.Slice() {
				if i%4 == plane {
					dst.Slice()[i] = 0
				}
			}
			want := slices.Clone(dst.Slice())
			for i, at := range first {
				sum := 0
				for k, w := range weights[i] {
					sum += int(w) * int(src[at+k])
				}
				want[4*i+plane] = byte((sum + One*One/2) / (2 * One * One))
			}
			if where := guard.Faults(func() { f.Across(dst.Slice(), src, plane) }); where != "" {
				t.Fatal(where)
			}
			if !slices.Equal(dst.Slice(), want) {
				t.Fatalf("plane %d of %d pixels: %v, want %v", plane, n, dst.Slice(), want)
			}
			if broken := dst.Broken(0, 4*n); broken != "" {
				t.Fatal(broken)
			}
		}
	})
}

func TestRefuses(t *testing.T) {
	var w [Taps]int16
	across := func(dst, src, pixels, first, plane int) func() {
		return func() {
			var f Filter
			for range pixels {
				f.Add(first, &w)
			}
			f.Across(make([]byte, dst), slices.Clip(make([]int16, src)), plane)
		}
	}
	for name, f := range map[string]func(){
		"no rows":           func() { Down(make([]int16, 9), make([]byte, 9), nil, &w) },
		"too many rows":     func() { Down(make([]int16, 9), make([]byte, 9), make([]int, Taps+1), &w) },
		"a row before":      func() { Down(make([]int16, 9), make([]byte, 9), []int{-1}, &w) },
		"a row behind":      func() { Down(make([]int16, 9), slices.Clip(make([]byte, 9)), []int{1}, &w) },
		"few bytes":         across(19, 100, 5, 0, 0),
		"a negative plane":  across(20, 100, 5, 0, -1),
		"plane 4":           across(20, 100, 5, 0, 4),
		"few elements":      across(20, Taps, 5, 1, 0),
		"an element before": across(20, 100, 5, -1, 0),
		"too many pixels":   across(4*MaxRow+4, 100, MaxRow+1, 0, 0),
	} {
		if must.Recover(f) == nil {
			t.Errorf("%s: no panic", name)
		}
	}
}

func BenchmarkDown(b *testing.B) {
	for _, level := range cpu.Available() {
		for _, n := range []int{12, 34, 300} {
			b.Run(fmt.Sprint(level, "/", n), func(b *testing.B) {
				cpu.ForTest(b, level)
				dst, p, rows, weights := make([]int16, n), make([]byte, 1000), []int{0, 100, 200}, [Taps]int16{1, 2, 3}
				for b.Loop() {
					Down(dst, p, rows, &weights)
				}
			})
		}
	}
}

func BenchmarkAcross(b *testing.B) {
	for _, level := range cpu.Available() {
		b.Run(level.String(), func(b *testing.B) {
			cpu.ForTest(b, level)
			const n = 24
			dst, src := make([]byte, 4*n), make([]int16, 100)
			var f Filter
			for i := range n {
				f.Add(2*i, new([Taps]int16))
			}
			for b.Loop() {
				f.Across(dst, src, 1)
			}
		})
	}
}

// signed returns the same memory.
func signed(p []uint16) []int16 {
	if len(p) == 0 {
		return nil
	}
	return unsafe.Slice((*int16)(unsafe.Pointer(&p[0])), len(p))
}
