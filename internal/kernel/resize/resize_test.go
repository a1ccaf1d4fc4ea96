package resize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/must"
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

// An axisWall puts what a kernel reads of an axis before unreadable pages, too.
type axisWall [7]*guard.Wall

func newAxisWall(t *testing.T) (w axisWall) {
	for i := range w {
		w[i] = guard.NewWall(t, 20000)
	}
	return w
}

// move moves an axis's slices, whose lengths are padded to whole blocks.
func (w *axisWall) move(a *Axis) {
	a.Index = moved(w[0], a.Index)
	a.Part = moved(w[1], a.Part)
	a.pair = moved(w[2], a.pair)
	a.base = moved(w[3], a.base)
	a.perm = moved(w[4], a.perm)
	a.starts = moved(w[5], a.starts)
	a.shuffle = moved(w[6], a.shuffle)
}

// moved returns a copy of s that ends, with its capacity, at the wall.
func moved[T guard.Number](w *guard.Wall, s []T) []T {
	m := guard.End[T](w, cap(s))
	copy(m, s[:cap(s)])
	return m[:len(s)]
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
	rng := kerneltest.Rand(t)
	wall, axes := guard.NewWall(t, 20000), newAxisWall(t)
	lengths := []int{200, 256, 333, 511, 640, 1001, 1919}
	for n := range 4*block + 2 {
		lengths = append(lengths, n)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range lengths {
			for _, width := range sources(n, rng) {
				a := NewAxis(width, n)
				axes.move(&a)
				src := guard.End[byte](wall, width)
				for i := range src {
					src[i] = byte(rng.Uint32())
					if rng.IntN(4) == 0 {
						src[i] = byte(-rng.IntN(2)) // black and white
					}
				}
				offset := rng.IntN(32)
				f := guard.NewFence[uint16](n+Slack, offset)
				dst := f.Slice()
				if fault := guard.Faults(func() { Row(dst, src, &a) }); fault != "" {
					t.Fatalf("%d pixels from %d: %s", n, width, fault)
				}
				for d, v := range naiveRow(src, n) {
					if dst[d] != v {
						t.Fatalf("%d pixels from %d, offset %d: pixel %d is %d, want %d", n, width, offset, d, dst[d], v)
					}
				}
				if b := f.Broken(0, n+Slack); b != "" {
					t.Fatalf("%d pixels from %d, offset %d: %s", n, width, offset, b)
				}
			}
		}
	})
}

func TestRowAlignments(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, size := range [][2]int{{2 * 70, 70}, {113, 70}, {70 * 3, 70}, {50, 101}} {
			width, n := size[0], size[1]
			a := NewAxis(width, n)
			for from := range 64 {
				pix := guard.NewFence[byte](width, from)
				src := pix.Slice()
				for i := range src {
					src[i] = byte(rng.Uint32())
				}
				want := naiveRow(src, n)
				for to := range 32 {
					f := guard.NewFence[uint16](n+Slack, to)
					dst := f.Slice()
					Row(dst, src, &a)
					for d, v := range want {
						if dst[d] != v {
							t.Fatalf("%d from %d, alignments %d and %d: pixel %d is %d, want %d", n, width, to, from, d, dst[d], v)
						}
					}
					if b := f.Broken(0, n+Slack); b != "" {
						t.Fatalf("%d from %d, alignments %d and %d: %s", n, width, to, from, b)
					}
				}
			}
		}
	})
}

// TestCut scales parts of rows, and reads no further than the whole row does.
func TestCut(t *testing.T) {
	rng := kerneltest.Rand(t)
	wall, axes := guard.NewWall(t, 20000), newAxisWall(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for range 400 {
			n := 1 + rng.IntN(300)
			width := sources(n, rng)[rng.IntN(3)]
			if rng.IntN(2) == 0 {
				width = 2 + rng.IntN(9*n)
			}
			a := NewAxis(width, n)
			axes.move(&a)
			src := guard.End[byte](wall, width)
			for i := range src {
				src[i] = byte(rng.Uint32())
			}
			want := naiveRow(src, n)
			from := rng.IntN(n)
			to := from + 1 + rng.IntN(n-from)
			cut, skip := a.Cut(from, to)
			dst := make([]uint16, len(cut.Index)+Slack)
			if fault := guard.Faults(func() { Row(dst, src, &cut) }); fault != "" {
				t.Fatalf("%d to %d of %d pixels from %d: %s", from, to, n, width, fault)
			}
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
	rng := kerneltest.Rand(t)
	const lane = 64
	walls := [2]*guard.Wall{guard.NewWall(t, 4000), guard.NewWall(t, 4000)}
	lengths := []int{300, 511, 512, 777, 1000}
	for n := range 4*lane + 2 {
		lengths = append(lengths, n)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range lengths {
			var rows [2][]uint16
			for i, w := range walls {
				rows[i] = guard.End[uint16](w, n+Slack)
				scaled(rows[i], rng)
			}
			for _, part := range []uint16{0, 1, 128, 255, 256, uint16(rng.IntN(257))} {
				f := guard.NewFence[byte](n+Slack, rng.IntN(64))
				if fault := guard.Faults(func() { Blend(f.Slice(), rows[0], rows[1], n, part) }); fault != "" {
					t.Fatalf("%d pixels: %s", n, fault)
				}
				checkBlend(t, fmt.Sprintf("%d pixels, part %d", n, part), f, rows[0], rows[1], n, part)
			}
		}
	})
}

func checkBlend(t *testing.T, what string, f *guard.Fence[byte], top, bottom []uint16, n int, part uint16) {
	t.Helper()
	for d, got := range f.Slice()[:n] {
		want := (int(256-part)*int(top[d]) + int(part)*int(bottom[d]) + 32768) >> 16
		if int(got) != want {
			t.Fatalf("%s: pixel %d is %d, want %d", what, d, got, want)
		}
	}
	if b := f.Broken(0, n+Slack); b != "" {
		t.Fatalf("%s: %s", what, b)
	}
}

func TestBlendAlignments(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		const n = 71
		for to := range 64 {
			for from := range 32 {
				top, bottom := guard.NewFence[uint16](n+Slack, from).Slice(), guard.NewFence[uint16](n+Slack, (from+to)%32).Slice()
				scaled(top, rng)
				scaled(bottom, rng)
				f := guard.NewFence[byte](n+Slack, to)
				part := uint16(rng.IntN(257))
				Blend(f.Slice(), top, bottom, n, part)
				checkBlend(t, fmt.Sprintf("alignments %d and %d", to, from), f, top, bottom, n, part)
			}
		}
	})
}

// TestHalve compares rows of every length with the mean of four pixels, in
// memory that ends where they do.
func TestHalve(t *testing.T) {
	rng := kerneltest.Rand(t)
	walls := [3]*guard.Wall{guard.NewWall(t, 3000), guard.NewWall(t, 3000), guard.NewWall(t, 3000)}
	lengths := []int{511, 1000, 1001, 1920}
	for n := range 4*64 + 2 {
		lengths = append(lengths, n)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range lengths {
			top, bottom, dst := guard.End[byte](walls[0], n), guard.End[byte](walls[1], n), guard.End[byte](walls[2], (n+1)/2)
			for i := range n {
				top[i], bottom[i] = byte(rng.Uint32()), byte(rng.Uint32())
				if n%3 == 0 { // the largest sums
					top[i], bottom[i] = top[i]|0xfc, bottom[i]|0xfc
				}
			}
			if fault := guard.Faults(func() { Halve(dst, top, bottom) }); fault != "" {
				t.Fatalf("%d pixels: %s", n, fault)
			}
			for x, got := range dst {
				right := min(2*x+1, n-1)
				sum := int(top[2*x]) + int(top[right]) + int(bottom[2*x]) + int(bottom[right])
				if want := (sum + 2) / 4; int(got) != want {
					t.Fatalf("%d pixels: pixel %d is %d, want %d", n, x, got, want)
				}
			}
		}
		f := guard.NewFence[byte](100, 3)
		Halve(f.Slice(), make([]byte, 150), make([]byte, 150))
		if b := f.Broken(0, 75); b != "" {
			t.Error(b)
		}
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
	for name, f := range map[string]func(){
		"Row, dst":      func() { Row(make([]uint16, 50+Slack-1), make([]byte, 100), &a) },
		"Row, src":      func() { Row(row, make([]byte, 99), &a) },
		"Blend, dst":    func() { Blend(make([]byte, 50+Slack-1), row, row, 50, 1) },
		"Blend, top":    func() { Blend(make([]byte, 50+Slack), short, row, 50, 1) },
		"Blend, bottom": func() { Blend(make([]byte, 50+Slack), row, short, 50, 1) },
		"Halve, dst":    func() { Halve(make([]byte, 49), make([]byte, 99), make([]byte, 99)) },
		"Halve, bottom": func() { Halve(make([]byte, 50), make([]byte, 99), make([]byte, 98)) },
	} {
		for _, level := range cpu.Available() {
			t.Run(fmt.Sprintf("%s/%v", name, level), func(t *testing.T) {
				cpu.ForTest(t, level)
				if must.Recover(f) == nil {
					t.Error("no panic")
				}
			})
		}
	}
}

// FuzzRow compares the levels on any row and any width.
func FuzzRow(f *testing.F) {
	f.Add([]byte{0, 255}, uint16(1), uint16(256))
	f.Add([]byte("a row of pixels, long enough for the gathers of one block"), uint16(40), uint16(17))
	f.Fuzz(func(t *testing.T, src []byte, width, part uint16) {
		if len(src) < 2 || len(src) > 4000 {
			return
		}
		n := int(width) % 2000
		part %= 257
		a := NewAxis(len(src), n)
		want := naiveRow(src, n)
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			row, dst := make([]uint16, n+Slack), guard.NewFence[byte](n+Slack, int(part)%64)
			Row(row, slices.Clip(src), &a)
			for d, v := range want {
				if row[d] != v {
					t.Fatalf("%v: pixel %d of %d is %d, want %d", level, d, n, row[d], v)
				}
			}
			Blend(dst.Slice(), row, row, n, part)
			checkBlend(t, level.String(), dst, row, row, n, part)
		}
	})
}

func BenchmarkRow(b *testing.B) {
	for _, c := range []struct {
		name string
		src  int
	}{{"scale 1.1", 1100}, {"scale 1.9", 1900}, {"scale 2.5", 2500}, {"scale 5", 5000}} {
		for _, level := range cpu.Available() {
			b.Run(fmt.Sprintf("%s/%v", c.name, level), func(b *testing.B) {
				cpu.ForTest(b, level)
				const n = 1000
				a := NewAxis(c.src, n)
				dst, src := make([]uint16, n+Slack), make([]byte, c.src)
				for b.Loop() {
					Row(dst, src, &a)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/pixel")
			})
		}
	}
}

func BenchmarkHalve(b *testing.B) {
	for _, level := range cpu.Available() {
		b.Run(level.String(), func(b *testing.B) {
			cpu.ForTest(b, level)
			const n = 1920
			dst, src := make([]byte, n/2), make([]byte, n)
			for b.Loop() {
				Halve(dst, src, src)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(n/2), "ns/pixel")
		})
	}
}

func BenchmarkBlend(b *testing.B) {
	for _, level := range cpu.Available() {
		b.Run(level.String(), func(b *testing.B) {
			cpu.ForTest(b, level)
			const n = 1000
			top, bottom, dst := make([]uint16, n+Slack), make([]uint16, n+Slack), make([]byte, n+Slack)
			for b.Loop() {
				Blend(dst, top, bottom, n, 100)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/pixel")
		})
	}
}
