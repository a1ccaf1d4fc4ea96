package resize

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/kernel/kerneltest"
)

// naiveTap is the rule of INTER_LINEAR_EXACT for one destination pixel: the
// source pixels i and j, and their weights in 1/256.
func naiveTap(src, dst, d int) (i, j int, wi, wj uint32) {
	inv := float64(dst) / float64(src)
	scale := 1 / inv
	f := float64(scale*(float64(d)+0.5)) - 0.5
	i = int(math.Floor(f))
	if i < 0 {
		return 0, 0, 256, 0
	}
	if i >= src-1 {
		return src - 1, src - 1, 256, 0
	}
	wj = uint32(math.RoundToEven((f - float64(i)) * 256))
	return i, i + 1, 256 - wj, wj
}

func naiveRow(src []byte, dst int) []uint16 {
	row := make([]uint16, dst)
	for d := range row {
		i, j, wi, wj := naiveTap(len(src), dst, d)
		row[d] = uint16(wi*uint32(src[i]) + wj*uint32(src[j]))
	}
	return row
}

// place moves what a kernel reads of an axis, whose slices' lengths are padded to whole
// blocks, before unreadable pages, too.
func place(m *kerneltest.Memory, a *Axis) {
	a.Index = placed(m, a.Index)
	a.Part = placed(m, a.Part)
	a.pair = placed(m, a.pair)
	a.base = placed(m, a.base)
	a.perm = placed(m, a.perm)
	a.starts = placed(m, a.starts)
	a.shuffle = placed(m, a.shuffle)
}

func placed[T kerneltest.Number](m *kerneltest.Memory, s []T) []T {
	to := kerneltest.In[T](m, cap(s))
	copy(to, s[:cap(s)])
	return to[:len(s)]
}

// sources are widths to scale to dst pixels: about the same, far apart, from
// the reach of one kernel (64 source pixels per block) to those of others and
// beyond, and smaller.
func sources(dst int, rng *rand.Rand) []int {
	all := []int{
		dst, dst + 1, dst + dst/3, 2*dst - 1, 2 * dst, 2*dst + 1, 3 * dst, 4*dst - 3, 4 * dst, 5 * dst, 6*dst + 3, 8*dst - 9, 8 * dst, 9 * dst,
		dst - 1, dst / 2, dst / 7, 2, 3, 5, 2 + rng.IntN(4*dst+1),
	}
	n := 0
	for _, s := range all {
		if s >= 2 {
			all[n] = s
			n++
		}
	}
	return all[:n]
}

// TestRow gives every kernel a source row that ends at the end of readable
// memory, as the last row of an image may.
func TestRow(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		check := func(n, width int) {
			a := NewAxis(width, n)
			place(m, &a)
			src := kerneltest.In[byte](m, width)
			for i := range src {
				if m.IntN(4) == 0 {
					src[i] = byte(-m.IntN(2)) // black and white
				}
			}
			dst := kerneltest.Out[uint16](m, n+Slack)
			m.Call(func() { Row(dst, src, &a) })
			if want := naiveRow(src, n); !slices.Equal(dst[:n], want) {
				t.Fatalf("%d pixels from %d: %v, want %v", n, width, dst[:n], want)
			}
		}
		for _, n := range kerneltest.Lengths(block, 200, 256, 333, 511, 640, 1001, 1919) {
			for _, width := range sources(n, m.Rand) {
				check(n, width)
			}
		}
		m.Lengths(nil, 70, func(n int) { check(n, []int{2 * n, 113, 3 * n, 50}[m.IntN(4)]) })
	})
}

// TestCut scales parts of rows, and reads no further than the whole row does.
func TestCut(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for range 400 {
			n := 1 + m.IntN(300)
			width := sources(n, m.Rand)[m.IntN(3)]
			if m.IntN(2) == 0 {
				width = 2 + m.IntN(9*n)
			}
			a := NewAxis(width, n)
			place(m, &a)
			src := kerneltest.In[byte](m, width)
			want := naiveRow(src, n)
			from := m.IntN(n)
			to := from + 1 + m.IntN(n-from)
			cut, skip := a.Cut(from, to)
			dst := kerneltest.Out[uint16](m, len(cut.Index)+Slack)
			m.Call(func() { Row(dst, src, &cut) })
			if got := dst[skip:][:to-from]; !slices.Equal(got, want[from:to]) {
				t.Fatalf("%d to %d of %d pixels from %d: %v, want %v", from, to, n, width, got, want[from:to])
			}
		}
	})
}

func TestAxis(t *testing.T) {
	rng := kerneltest.Rand(t)
	for range 500 {
		src, dst := 2+rng.IntN(3000), rng.IntN(1000)
		a := NewAxis(src, dst)
		if len(a.Index) != dst || len(a.Part) != dst {
			t.Fatalf("%d to %d: %d indices, %d parts", src, dst, len(a.Index), len(a.Part))
		}
		for d := range dst {
			i, p := int(a.Index[d]), uint32(a.Part[d])
			if i < 0 || i > src-2 || p > 256 {
				t.Fatalf("%d to %d: pixel %d takes %d/256 behind %d", src, dst, d, p, i)
			}
			wi, wj, weighti, weightj := naiveTap(src, dst, d)
			got := map[int]uint32{i + 1: p}
			got[i] += 256 - p
			want := map[int]uint32{wj: weightj}
			want[wi] += weighti
			for _, k := range []int{i, i + 1, wi, wj} {
				if got[k] != want[k] {
					t.Fatalf("%d to %d: pixel %d takes %d/256 of %d, want %d", src, dst, d, got[k], k, want[k])
				}
			}
		}
	}
}

// TestHalf checks the simple rule for exactly half the size.
func TestHalf(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		const n = 77
		a := NewAxis(2*n, n)
		var rows [2][2 * n]byte
		for y := range rows {
			for x := range rows[y] {
				rows[y][x] = byte(rng.Uint32())
			}
		}
		top, bottom, dst := make([]uint16, n+Slack), make([]uint16, n+Slack), make([]byte, n+Slack)
		Row(top, rows[0][:], &a)
		Row(bottom, rows[1][:], &a)
		Blend(dst, top, bottom, n, 128)
		for d := range n {
			sum := 2
			for _, r := range rows {
				sum += int(r[2*d]) + int(r[2*d+1])
			}
			if int(dst[d]) != sum>>2 {
				t.Fatalf("pixel %d is %d, the mean of four is %d", d, dst[d], sum>>2)
			}
		}
	})
}

// scaled fills a row with possible results of Row: 0 to 65280.
func scaled(row []uint16, rng *rand.Rand) {
	for i := range row {
		row[i] = uint16(rng.IntN(65281))
		if rng.IntN(8) == 0 {
			row[i] = uint16(rng.IntN(2)) * 65280
		}
	}
}

func TestBlend(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		m.Lengths(kerneltest.Lengths(64, 300, 511, 512, 777, 1000), 71, func(n int) {
			for _, part := range []uint16{0, 1, 128, 255, 256, uint16(m.IntN(257))} {
				top, bottom := kerneltest.In[uint16](m, n+Slack), kerneltest.In[uint16](m, n+Slack)
				scaled(top, m.Rand)
				scaled(bottom, m.Rand)
				dst := kerneltest.Out[byte](m, n+Slack)
				m.Call(func() { Blend(dst, top, bottom, n, part) })
				for d, got := range dst[:n] {
					want := (int(256-part)*int(top[d]) + int(part)*int(bottom[d]) + 32768) >> 16
					if int(got) != want {
						t.Fatalf("%d pixels, part %d: pixel %d is %d, want %d", n, part, d, got, want)
					}
				}
			}
		})
	})
}

// TestHalve compares rows of every length with the mean of four pixels.
func TestHalve(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		m.Lengths(kerneltest.Lengths(64, 511, 1000, 1001, 1920), 151, func(n int) {
			top, bottom := kerneltest.In[byte](m, n), kerneltest.In[byte](m, n)
			for i := range n {
				if n%3 == 0 { // the largest sums
					top[i], bottom[i] = top[i]|0xfc, bottom[i]|0xfc
				}
			}
			dst := kerneltest.Out[byte](m, (n+1)/2)
			m.Call(func() { Halve(dst, top, bottom) })
			for x, got := range dst {
				right := min(2*x+1, n-1)
				sum := int(top[2*x]) + int(top[right]) + int(bottom[2*x]) + int(bottom[right])
				if want := (sum + 2) / 4; int(got) != want {
					t.Fatalf("%d pixels: pixel %d is %d, want %d", n, x, got, want)
				}
			}
		})
	})
}

// A scale of halved pixels takes destination pixels from the same positions:
// the centre of a halved pixel is that of the pixels it was made of.
func TestHalvedScale(t *testing.T) {
	for _, src := range []int{64, 101, 333, 1080, 1919} {
		for _, dst := range []int{src / 2, src/3 + 1, src / 5, src / 9, src / 16} {
			whole, halved, n := NewScale(src, dst), NewScale(src, dst), src
			for times := 0; n/2 >= dst && n > 3; times++ {
				halved, n = NewScale(src, dst).Halved(times), (src+1<<times-1)>>times
				size := float64(int(1) << times)
				for d := range dst {
					i, part := halved.At(d)
					if i < 0 || i > n-2 || part > 256 {
						t.Fatalf("%d to %d, halved %d times: pixel %d is between %d of %d", src, dst, times, d, i, n)
					}
					want := (float64(d) + 0.5) * float64(src) / float64(dst) // of the source, from its edge
					got := (float64(i) + float64(part)/256 + 0.5) * size
					if 0 < i && i < n-2 && math.Abs(got-want) > size/256 {
						t.Fatalf("%d to %d, halved %d times: pixel %d is at %v, want %v", src, dst, times, d, got, want)
					}
				}
			}
			if halved == whole {
				t.Errorf("%d to %d: nothing was tried", src, dst)
			}
			a := halved.Axis(dst)
			for d, index := range a.Index {
				if i, part := halved.At(d); int(index) != i || a.Part[d] != part {
					t.Fatalf("%d to %d: the axis has pixel %d at %d, %d", src, dst, d, index, a.Part[d])
				}
			}
		}
	}
}

// TestShortSlices: assembly has no bounds checks, so Go must check.
func TestShortSlices(t *testing.T) {
	a := NewAxis(100, 50)
	row := make([]uint16, 50+Slack)
	short := row[: 50 : 50+Slack-1]
	kerneltest.Refuses(t, map[string]func(){
		"Row, dst":      func() { Row(make([]uint16, 50+Slack-1), make([]byte, 100), &a) },
		"Row, src":      func() { Row(row, make([]byte, 99), &a) },
		"Blend, dst":    func() { Blend(make([]byte, 50+Slack-1), row, row, 50, 1) },
		"Blend, top":    func() { Blend(make([]byte, 50+Slack), short, row, 50, 1) },
		"Blend, bottom": func() { Blend(make([]byte, 50+Slack), row, short, 50, 1) },
		"Halve, dst":    func() { Halve(make([]byte, 49), make([]byte, 99), make([]byte, 99)) },
		"Halve, bottom": func() { Halve(make([]byte, 50), make([]byte, 99), make([]byte, 98)) },
	})
}

func BenchmarkRow(b *testing.B) {
	for _, c := range []struct {
		name string
		src  int
	}{{"scale 1.1", 1100}, {"scale 1.9", 1900}, {"scale 2.5", 2500}, {"scale 5", 5000}} {
		b.Run(c.name, func(b *testing.B) {
			const n = 1000
			a := NewAxis(c.src, n)
			dst, src := make([]uint16, n+Slack), make([]byte, c.src)
			kerneltest.Bench(b, n, func() { Row(dst, src, &a) })
		})
	}
}

func BenchmarkHalve(b *testing.B) {
	const n = 960
	dst, src := make([]byte, n), make([]byte, 2*n)
	kerneltest.Bench(b, n, func() { Halve(dst, src, src) })
}

func BenchmarkBlend(b *testing.B) {
	const n = 1000
	top, bottom, dst := make([]uint16, n+Slack), make([]uint16, n+Slack), make([]byte, n+Slack)
	kerneltest.Bench(b, n, func() { Blend(dst, top, bottom, n, 100) })
}
