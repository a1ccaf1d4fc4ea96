package sumtable

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/must"
)

// lane is the number of elements that a kernel handles at a time, at most.
const lane = 64

// lengths are all that fill whole registers differently, and some wider than
// most images.
func lengths(from int) []int {
	all := []int{300, 512, 777, 1025}
	for n := from; n <= 4*lane+1; n++ {
		all = append(all, n)
	}
	return all
}

func fill[T uint8 | uint16](s []T, rng *rand.Rand) {
	for i := range s {
		s[i] = T(rng.Uint32())
	}
}

// walled returns random elements that end at an unreadable page.
func walled[T uint8 | uint16](w *guard.Wall, n int, rng *rand.Rand) []T {
	s := guard.End[T](w, n)
	fill(s, rng)
	return s
}

// fenced returns random elements that begin offset elements behind a line.
func fenced[T uint8 | uint16](n, offset int, rng *rand.Rand) []T {
	s := guard.NewFence[T](n, offset).Slice()
	fill(s, rng)
	return s
}

func TestSum(t *testing.T) {
	rng := kerneltest.Rand(t)
	walls := [2]*guard.Wall{guard.NewWall(t, 4000), guard.NewWall(t, 4000)}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range lengths(0) {
			above := walled[uint16](walls[0], n+1+Slack, rng)
			pix := walled[byte](walls[1], n+Slack, rng)
			checkSum(t, above, pix, n, rng.IntN(32))
		}
	})
}

func TestSumAlignments(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		const n = 75
		for to := range 32 {
			for from := range 64 {
				checkSum(t, fenced[uint16](n+1+Slack, (to+from)%32, rng), fenced[byte](n+Slack, from, rng), n, to)
			}
		}
	})
}

func checkSum(t *testing.T, above []uint16, pix []byte, n, offset int) {
	t.Helper()
	f := guard.NewFence[uint16](n+1+Slack, offset)
	dst := f.Slice()
	if fault := guard.Faults(func() { Sum(dst, above, pix, n) }); fault != "" {
		t.Fatalf("%d pixels: %s", n, fault)
	}
	left := 0
	for x := range n + 1 {
		want := uint16(0)
		if x > 0 {
			left += int(pix[x-1])
			want = uint16(int(above[x]) + left)
		}
		if dst[x] != want {
			t.Fatalf("%d pixels, offset %d: element %d is %d, want %d", n, offset, x, dst[x], want)
		}
	}
	if b := f.Broken(0, n+1+Slack); b != "" {
		t.Fatalf("%d pixels, offset %d: %s", n, offset, b)
	}
}

func TestTilt(t *testing.T) {
	rng := kerneltest.Rand(t)
	var walls [4]*guard.Wall
	for i := range walls {
		walls[i] = guard.NewWall(t, 4000)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range lengths(1) {
			t1, t2 := walled[uint16](walls[0], n+1+Slack, rng), walled[uint16](walls[1], n+1+Slack, rng)
			pix1, pix2 := walled[byte](walls[2], n+Slack, rng), walled[byte](walls[3], n+Slack, rng)
			checkTilt(t, t1, t2, pix1, pix2, n, rng.IntN(32))
			checkTilt(t, t1, nil, pix1, nil, n, rng.IntN(32))
		}
	})
}

func TestTiltAlignments(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		const n = 75
		for to := range 32 {
			for from := range 64 {
				checkTilt(t, fenced[uint16](n+1+Slack, from%32, rng), fenced[uint16](n+1+Slack, (to+from)%32, rng),
					fenced[byte](n+Slack, from, rng), fenced[byte](n+Slack, 63-from, rng), n, to)
			}
		}
	})
}

func checkTilt(t *testing.T, t1, t2 []uint16, pix1, pix2 []byte, n, offset int) {
	t.Helper()
	f := guard.NewFence[uint16](n+1+Slack, offset)
	dst := f.Slice()
	if fault := guard.Faults(func() { Tilt(dst, t1, t2, pix1, pix2, n) }); fault != "" {
		t.Fatalf("%d pixels: %s", n, fault)
	}
	for x := range n + 1 {
		var want uint16
		switch {
		case pix2 == nil && x == 0:
		case pix2 == nil:
			want = uint16(pix1[x-1])
		case x == 0:
			want = t1[1]
		case x == n:
			want = t1[n-1] + uint16(pix1[n-1]) + uint16(pix2[n-1])
		default:
			want = t1[x-1] + t1[x+1] - t2[x] + uint16(pix1[x-1]) + uint16(pix2[x-1])
		}
		if dst[x] != want {
			t.Fatalf("%d pixels, offset %d: element %d is %d, want %d", n, offset, x, dst[x], want)
		}
	}
	if b := f.Broken(0, n+1+Slack); b != "" {
		t.Fatalf("%d pixels, offset %d: %s", n, offset, b)
	}
}

// TestTablesOfPictures builds whole tables, each row from those before it, and
// compares them with sums of pixels.
func TestTablesOfPictures(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, size := range [][2]int{{1, 1}, {1, 20}, {20, 1}, {2, 9}, {31, 17}, {32, 12}, {33, 33}, {64, 5}, {65, 40}, {70, 90}} {
			w, h := size[0], size[1]
			row := w + 1 + Slack
			pix := make([]byte, h*w+Slack)
			fill(pix, rng)
			sums, tilts := make([]uint16, (h+1)*row), make([]uint16, (h+1)*row)
			for y := 1; y <= h; y++ {
				p := pix[(y-1)*w:]
				Sum(sums[y*row:][:row], sums[(y-1)*row:][:row], p, w)
				if y == 1 {
					Tilt(tilts[row:][:row], tilts[:row], nil, p, nil, w)
				} else {
					Tilt(tilts[y*row:][:row], tilts[(y-1)*row:][:row], tilts[(y-2)*row:][:row], p, pix[(y-2)*w:], w)
				}
			}
			for Y := range h + 1 {
				for X := range w + 1 {
					sum, tilt := 0, 0
					for y := range Y {
						for x := range w {
							if x < X {
								sum += int(pix[y*w+x])
							}
							if d := x - X + 1; d <= Y-y-1 && -d <= Y-y-1 {
								tilt += int(pix[y*w+x])
							}
						}
					}
					if got := sums[Y*row+X]; got != uint16(sum) {
						t.Fatalf("%dx%d: sum at %d,%d is %d, want %d", w, h, X, Y, got, uint16(sum))
					}
					if got := tilts[Y*row+X]; got != uint16(tilt) {
						t.Fatalf("%dx%d: tilted sum at %d,%d is %d, want %d", w, h, X, Y, got, uint16(tilt))
					}
				}
			}
		}
	})
}

func TestSplit(t *testing.T) {
	rng := kerneltest.Rand(t)
	wall := guard.NewWall(t, 4000)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range lengths(0) {
			row := walled[uint16](wall, n+Slack, rng)
			for _, step := range []int{1, 2, 3, 5} {
				smallest := (n + step - 1) / step
				for _, plane := range []int{smallest, smallest + 1, smallest + Slack/2 - 1, smallest + Slack/2, smallest + 200} {
					checkSplit(t, row, n, step, plane, rng.IntN(32))
				}
			}
		}
	})
}

func TestSplitAlignments(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		const n = 150
		for to := range 32 {
			for from := range 32 {
				checkSplit(t, fenced[uint16](n+Slack, from, rng), n, 2, n/2+Slack/2+from, to)
			}
		}
	})
}

func checkSplit(t *testing.T, row []uint16, n, step, plane, offset int) {
	t.Helper()
	f := guard.NewFence[uint16](step*plane, offset)
	dst := f.Slice()
	canaries := append([]uint16(nil), dst...)
	what := fmt.Sprintf("%d elements to %d planes of %d, offset %d", n, step, plane, offset)
	if fault := guard.Faults(func() { Split(dst, row, n, step, plane) }); fault != "" {
		t.Fatalf("%s: %s", what, fault)
	}
	for i, got := range dst {
		phase, at := i/plane, i%plane
		switch x := at*step + phase; {
		case x < n:
			if got != row[x] {
				t.Fatalf("%s: element %d of plane %d is %d, want %d", what, at, phase, got, row[x])
			}
		case at >= (n+step-1-phase)/step+Slack/2:
			if got != canaries[i] {
				t.Fatalf("%s: element %d of plane %d was overwritten", what, at, phase)
			}
		}
	}
	if b := f.Broken(0, step*plane); b != "" {
		t.Fatalf("%s: %s", what, b)
	}
}

// TestShortSlices: assembly has no bounds checks, so Go must check.
func TestShortSlices(t *testing.T) {
	const n = 50
	wide := func(short bool) []uint16 {
		if short {
			return make([]uint16, n+1+Slack-1)
		}
		return make([]uint16, n+1+Slack)
	}
	pixels := func(short bool) []byte {
		if short {
			return make([]byte, n+Slack-1)
		}
		return make([]byte, n+Slack)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for i := range 5 {
			s := func(k int) bool { return k == i }
			calls := map[string]func(){
				"Tilt": func() { Tilt(wide(s(0)), wide(s(1)), wide(s(2)), pixels(s(3)), pixels(s(4)), n) },
			}
			if i < 3 {
				calls["Sum"] = func() { Sum(wide(s(0)), wide(s(1)), pixels(s(2)), n) }
			}
			if i < 2 {
				calls["Split"] = func() { Split(make([]uint16, 2*(n+Slack)-1+i), wide(false)[:n+Slack-i:n+Slack-i], n, 2, n+Slack) }
			}
			for name, call := range calls {
				if must.Recover(call) == nil {
					t.Errorf("%s with its slice %d too short: no panic", name, i)
				}
			}
		}
	})
}

// FuzzRows compares the levels on any rows.
func FuzzRows(f *testing.F) {
	f.Add(uint64(1), uint16(100), uint8(3))
	f.Add(uint64(2), uint16(1), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, width uint16, offset uint8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 1 + int(width)%3000
		t1, t2 := fenced[uint16](n+1+Slack, int(offset)%32, rng), fenced[uint16](n+1+Slack, int(offset)/8, rng)
		pix1, pix2 := fenced[byte](n+Slack, int(offset)%64, rng), fenced[byte](n+Slack, int(offset)/4, rng)
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			checkSum(t, t1, pix1, n, int(offset)%32)
			checkTilt(t, t1, t2, pix1, pix2, n, int(offset)%32)
			checkSplit(t, t1, n, 2, n/2+Slack/2+int(offset), int(offset)%32)
		}
	})
}

func benchmark(b *testing.B, f func(dst, t1, t2 []uint16, pix1, pix2 []byte, n int)) {
	const n = 1000
	var rows [2][]uint16
	for i := range rows {
		rows[i] = make([]uint16, n+1+Slack)
	}
	planes := make([]uint16, 2*(n+Slack))
	pix1, pix2 := make([]byte, n+Slack), make([]byte, n+Slack)
	for _, level := range cpu.Available() {
		b.Run(level.String(), func(b *testing.B) {
			cpu.ForTest(b, level)
			for b.Loop() {
				f(planes, rows[0], rows[1], pix1, pix2, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/pixel")
		})
	}
}

func BenchmarkSum(b *testing.B) {
	benchmark(b, func(dst, t1, _ []uint16, pix1, _ []byte, n int) { Sum(dst, t1, pix1, n) })
}

func BenchmarkTilt(b *testing.B) {
	benchmark(b, func(dst, t1, t2 []uint16, pix1, pix2 []byte, n int) { Tilt(dst, t1, t2, pix1, pix2, n) })
}

func BenchmarkSplit(b *testing.B) {
	benchmark(b, func(dst, t1, _ []uint16, _, _ []byte, n int) { Split(dst, t1, n, 2, n) })
}

func TestTogether(t *testing.T) {
	rng := kerneltest.Rand(t)
	wall := guard.NewWall(t, 8000)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for range 300 {
			rows, stride := 1+rng.IntN(30), 8+rng.IntN(100)
			across := Windows * (1 + rng.IntN(3))
			blocks := make([]Block, rng.IntN(5))
			pitch := len(blocks)*Columns*across + rng.IntN(20)
			last := rng.IntN(200)
			tab := walled[uint16](wall, last+(rows-1)*stride+Columns, rng)
			f := guard.NewFence[uint16](rows*pitch, rng.IntN(32))
			dst := f.Slice()
			fill(dst, rng)
			want := slices.Clone(dst)
			for i := range blocks {
				b := &blocks[i]
				b.To = int32(i * Columns * across)
				for w := range b.At {
					b.At[w] = int32(rng.IntN(last + 1))
				}
				b.At[rng.IntN(Windows)] = int32(last) // so that one ends at the wall
				for y := range rows {
					for x := range Columns {
						for w, a := range b.At {
							want[int(b.To)+y*pitch+x*across+w] = tab[int(a)+y*stride+x]
						}
					}
				}
			}
			if fault := guard.Faults(func() { Together(dst, tab, blocks, rows, stride, pitch, across) }); fault != "" {
				t.Fatal(fault)
			}
			if !slices.Equal(dst, want) {
				t.Fatalf("%d blocks of %d rows, stride %d, pitch %d, across %d: not what the definition says", len(blocks), rows, stride, pitch, across)
			}
			if where := f.Broken(0, len(dst)); where != "" {
				t.Fatal(where)
			}
		}
	})
}

// BenchmarkTogether measures copying a window of 24x24 pixels beside fifteen
// others, which are two pixels apart in a band's table.
func BenchmarkTogether(b *testing.B) {
	const stride, pitch = 608, 25 * Windows
	tab, dst := make([]uint16, 64*stride), make([]uint16, 25*pitch)
	blocks := make([]Block, 4)
	for i := range blocks {
		phase, first := i/2, i%2*(5-i/2) // 13 and 12 columns
		blocks[i].To = int32((phase + 2*first) * Windows)
		for w := range blocks[i].At {
			blocks[i].At[w] = int32(phase*stride/2 + first + w%4*8*stride + w*11)
		}
	}
	for _, level := range cpu.Available() {
		b.Run(fmt.Sprint(level), func(b *testing.B) {
			cpu.ForTest(b, level)
			for i := 0; i < b.N; i += Windows {
				Together(dst, tab, blocks, 25, stride, pitch, 2*Windows)
			}
		})
	}
}
