package area

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/kerneltest"
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
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for n := range 4*16 + 2 {
			for range 33 {
				rows := make([]int, 1+m.IntN(Taps))
				for k := range rows {
					rows[k] = m.IntN(500)
				}
				weights := draw(m.Rand, len(rows))
				p := kerneltest.In[byte](m, slices.Max(rows)+n)
				for i := range p {
					p[i] |= byte(m.IntN(2) * 255)
				}
				got := kerneltest.Out[int16](m, n)
				m.Call(func() { Down(got, p, rows, &weights) })
				for i, v := range got {
					want := int16(0)
					for k, row := range rows {
						want += weights[k] * int16(p[row+i])
					}
					if v != want {
						t.Fatalf("%d elements, %d rows: element %d is %d, want %d", n, len(rows), i, v, want)
					}
				}
			}
		}
	})
}

// Every level computes what Across' comment says, for any number of pixels and any plane,
// and keeps the other planes.
func TestAcross(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
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
					first[i], weights[i] = m.IntN(300), draw(m.Rand, 1+m.IntN(Taps))
					f.Add(first[i], &weights[i])
				}
			}
			for _, at := range first {
				last = max(last, at)
			}
			src := kerneltest.In[int16](m, last+Taps)
			for i := range src {
				src[i] = int16(m.IntN(255*One + 1))
				if m.IntN(3) == 0 {
					src[i] = 255 * One
				}
			}
			plane := m.IntN(4)
			dst := kerneltest.Out[byte](m, 4*n)
			for i := range dst {
				if i%4 == plane {
					dst[i] = 0
				}
			}
			want := slices.Clone(dst)
			for i, at := range first {
				sum := 0
				for k, w := range weights[i] {
					sum += int(w) * int(src[at+k])
				}
				want[4*i+plane] = byte((sum + One*One/2) / (2 * One * One))
			}
			m.Call(func() { f.Across(dst, src, plane) })
			if !slices.Equal(dst, want) {
				t.Fatalf("plane %d of %d pixels: %v, want %v", plane, n, dst, want)
			}
		}
	})
}

// Near does what Down and Across do, of any number of pixels and elements, and reads and
// writes nothing beside them.
func TestNear(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for k := range 400 {
			side, n, plane := 1+k%MaxRow, 1+m.IntN(MaxRow), m.IntN(4)
			firsts, taps := make([]int, side), 4
			for i := range firsts {
				firsts[i] = m.IntN(max(n-3, 1))
			}
			if slices.Sort(firsts); k%2 == 0 { // of more than two registers
				step := 3
				if k%4 == 0 {
					step, taps = 7, Taps
				}
				n = 0
				for i := range firsts {
					firsts[i] = n
					n += 1 + m.IntN(step)
				}
			}
			var f Filter
			for _, first := range firsts {
				weights := draw(m.Rand, 1+m.IntN(taps))
				f.Add(first, &weights)
			}
			const stride = 500
			var rows Rows
			from, at := stride, 0 // of row -1
			for j := range side {
				rows.Count[j] = 1 + m.IntN(Taps)
				rows.Weights[j] = draw(m.Rand, rows.Count[j])
				for k := range rows.Count[j] {
					rows.Taps[j][k] = int32(at - 1)
					at = min(at+m.IntN(2), 40)
				}
			}
			last := rows.Taps[side-1][rows.Count[side-1]-1]
			p := kerneltest.In[byte](m, from+stride*int(last)+n)
			dst := kerneltest.Out[byte](m, 4*side*side)
			for i := range dst {
				if i%4 == plane {
					dst[i] = 0
				}
			}
			want := slices.Clone(dst)
			for j := range side {
				line := make([]int16, n+Taps)
				at := make([]int, rows.Count[j])
				for k := range at {
					at[k] = from + stride*int(rows.Taps[j][k])
				}
				downGo(line[:n], p, at, &rows.Weights[j])
				acrossGo(want[4*side*j:][:4*side], line, &f, plane)
			}
			done := false
			m.Call(func() { done = f.Near(dst, p, from, stride, n, &rows, plane) })
			if done != (cpu.Current() == cpu.AVX512) {
				t.Fatalf("Near: %v", done)
			}
			if done && !slices.Equal(dst, want) {
				t.Fatalf("plane %d of %d pixels of %d elements: %v, want %v", plane, side, n, dst, want)
			}
		}
	})
}

// Near refuses pixels that are too far from each other, have too many elements or are behind
// the last one, and no pixels.
func TestNearRefuses(t *testing.T) {
	one, five := [Taps]int16{1}, [Taps]int16{4: 1}
	rows := Rows{Count: [MaxRow]int{1, 1}}
	for name, set := range map[string]func(f *Filter){
		"no pixels": func(f *Filter) {},
		"far":       func(f *Filter) { f.Add(0, &one); f.Add(MaxRow-3, &one) },
		"before":    func(f *Filter) { f.Add(MaxRow, &one); f.Add(0, &one) },
		"five":      func(f *Filter) { f.Add(0, &one); f.Add(MaxRow-Taps+1, &five) },
		"behind":    func(f *Filter) { f.Add(0, &one); f.Add(100, &one) },
	} {
		var f Filter
		if set(&f); f.Near(make([]byte, 16), make([]byte, 100), 0, 0, 100, &rows, 0) {
			t.Errorf("%s: done", name)
		}
	}
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
	near := func(dst, p, from, last, plane int) func() {
		return func() {
			var f Filter
			f.Add(0, &w)
			rows := Rows{Count: [MaxRow]int{2}, Taps: [MaxRow][Taps]int32{{0, int32(last)}}}
			f.Near(make([]byte, dst), slices.Clip(make([]byte, p)), from, 10, 5, &rows, plane)
		}
	}
	kerneltest.Refuses(t, map[string]func(){
		"a near row before": near(4, 15, -1, 1, 0),
		"a near row behind": near(4, 14, 0, 1, 0),
		"few near bytes":    near(3, 15, 0, 1, 0),
		"a near plane 4":    near(4, 15, 0, 1, 4),
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
	})
}

func BenchmarkDown(b *testing.B) {
	for _, n := range []int{12, 34, 300} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dst, p, rows, weights := make([]int16, n), make([]byte, 1000), []int{0, 100, 200}, [Taps]int16{1, 2, 3}
			kerneltest.Bench(b, n, func() { Down(dst, p, rows, &weights) })
		})
	}
}

func BenchmarkAcross(b *testing.B) {
	const n = 24
	dst, src := make([]byte, 4*n), make([]int16, 100)
	var f Filter
	for i := range n {
		f.Add(2*i, new([Taps]int16))
	}
	kerneltest.Bench(b, n, func() { f.Across(dst, src, 1) })
}
