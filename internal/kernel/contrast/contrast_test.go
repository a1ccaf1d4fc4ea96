package contrast

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/kerneltest"
)

// lengths are all that fill whole registers differently, and some wider than
// most images.
var lengths = kerneltest.Lengths(32, 300, 512, 777, 1025)

// pixels fills a row with grey levels of one of several kinds: noise, nearly
// black, nearly white, and areas of one grey level each.
func pixels(row []byte, rng *rand.Rand) {
	kind, level := rng.IntN(4), byte(0)
	for x := range row {
		if rng.IntN(20) == 0 {
			level = byte(rng.Uint32())
		}
		switch kind {
		case 0:
			row[x] = byte(rng.Uint32())
		case 1:
			row[x] = byte(rng.IntN(3))
		case 2:
			row[x] = byte(255 - rng.IntN(2))
		default:
			row[x] = level
		}
	}
}

func TestMove(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		m.Lengths(lengths, 75, func(n int) {
			checkMove(t, m, n, 1, Move)
			checkMove(t, m, n, 2, MovePairs)
		})
	})
}

// checkMove checks a function of Move's kind, with so many pixels per sum.
func checkMove(t *testing.T, m *kerneltest.Memory, n, per int, move func(sum, square []uint32, in, out []byte, n int)) {
	t.Helper()
	in, out := kerneltest.In[byte](m, per*n+Slack), kerneltest.In[byte](m, per*n+Slack)
	pixels(in, m.Rand)
	pixels(out, m.Rand)
	s, q := kerneltest.Out[uint32](m, n+Slack), kerneltest.Out[uint32](m, n+Slack)
	for x := range n {
		// Sums near zero, which go negative for a while in this test, or near
		// where they wrap.
		s[x], q[x] = m.Uint32N(1000)-500, m.Uint32N(1<<18)-1<<17
	}
	wantSum, wantSquare := slices.Clone(s[:n]), slices.Clone(q[:n])
	for x := range per * n {
		i, o := uint32(in[x]), uint32(out[x])
		wantSum[x/per] += i - o
		wantSquare[x/per] += i*i - o*o
	}
	m.Call(func() { move(s, q, in, out, n) })
	if !slices.Equal(s[:n], wantSum) || !slices.Equal(q[:n], wantSquare) {
		t.Fatalf("%d sums of %d: %v and %v, want %v and %v", n, per, s[:n], q[:n], wantSum, wantSquare)
	}
}

func TestPrefix(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		m.Lengths(lengths, 75, func(n int) {
			for _, limit := range []uint32{1 << 8, 1 << 16, math.MaxUint32} {
				src, dst := kerneltest.In[uint32](m, n+Slack), kerneltest.Out[uint32](m, n+1+Slack)
				for i := range src {
					src[i] %= limit
				}
				m.Call(func() { Prefix(dst, src, n) })
				want := uint32(0)
				for x := range n + 1 {
					if x > 0 {
						want += src[x-1]
					}
					if dst[x] != want {
						t.Fatalf("%d elements: element %d is %d, want %d", n, x, dst[x], want)
					}
				}
			}
		})
	})
}

// The sums of one window are of its own pixels, up to the last byte that may be
// read, and give the contrast that Row gives.
func TestArea(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		check := func(width, height, stride int, pix []byte) {
			t.Helper()
			var wantSum, wantSquare uint32
			for y := range height {
				for x := range width {
					p := uint32(pix[y*stride+x])
					wantSum += p
					wantSquare += p * p
				}
			}
			var sum, square uint32
			m.Call(func() { sum, square = Area(pix, stride, width, height) })
			if sum != wantSum || square != wantSquare {
				t.Fatalf("%d by %d, stride %d: %d and %d, want %d and %d", width, height, stride, sum, square, wantSum, wantSquare)
			}
			if width*height == 0 {
				return
			}
			area := float64(width * height)
			g := Gate{Width: 1, Area: area, Below: Below(area, 0.1)}
			inv, pass := make([]float32, 64), make([]uint64, 1)
			sums, squares := make([]uint32, 3+Slack), make([]uint32, 3+Slack)
			sums[2], squares[2] = sum, square
			Row(inv, pass, sums, squares, 1, 1, &g)
			one, ok := g.One(sum, square)
			if ok != (pass[0] != 0) || ok && one != inv[0] {
				t.Fatalf("%d by %d: %v, %v; in a row %v, %v", width, height, one, ok, inv[0], pass[0] != 0)
			}
		}
		for width := range 70 {
			for height := range 8 {
				stride := width + m.IntN(40)
				pix := kerneltest.In[byte](m, max(height-1, 0)*stride+width+Slack)
				pixels(pix, m.Rand)
				check(width, height, stride, pix)
			}
		}
		for _, size := range [][2]int{{22, 22}, {18, 18}, {257, 257}, {513, 128}, {1022, 64}, {3, 1022}} { // some of the largest
			pix := kerneltest.In[byte](m, size[0]*size[1]+Slack)
			for i := range pix {
				pix[i] = 255
			}
			check(size[0], size[1], size[0], pix)
		}
	})
}

// windows is a row of windows: the running sums that Row gets, and their
// pixels.
type windows struct {
	n, step     int
	limit       float64 // of Area*inv
	gate        Gate
	height      int
	columns     [][]byte // pixels of each column
	sum, square []uint32
}

// newWindows makes windows of width by height pixels. The running sums begin at
// random, so that they wrap inside the row.
func newWindows(m *kerneltest.Memory, n, step, width, height int) *windows {
	rng := m.Rand
	area := float64(width) * float64(height)
	w := &windows{n: n, step: step, height: height, limit: 0.1, gate: Gate{Width: width, Area: area}}
	last := (n-1)*step + 1 + width
	size := last + 1 + step*Slack
	w.sum, w.square = kerneltest.In[uint32](m, size), kerneltest.In[uint32](m, size)
	w.sum[0], w.square[0] = rng.Uint32(), rng.Uint32()
	row := make([]byte, size)
	for range height {
		pixels(row, rng)
		for x := range row {
			if len(w.columns) <= x {
				w.columns = append(w.columns, nil)
			}
			w.columns[x] = append(w.columns[x], row[x])
		}
	}
	if rng.IntN(3) == 0 { // the brightest there is, but for a spot
		for _, c := range w.columns {
			for y := range c {
				c[y] = 255
			}
		}
		w.columns[len(w.columns)/2][0] = byte(rng.Uint32())
	}
	for x := range size - 1 {
		var s, q uint32
		for _, p := range w.columns[x] {
			s += uint32(p)
			q += uint32(p) * uint32(p)
		}
		w.sum[x+1], w.square[x+1] = w.sum[x]+s, w.square[x]+q
	}
	if inv := w.inv(rng.IntN(n)); rng.IntN(3) == 0 && !math.IsInf(float64(inv), 0) {
		w.limit = area * float64(inv) // which this window just does not meet
	}
	w.gate.Below = Below(area, w.limit)
	return w
}

// inv is the contrast of window i, from its pixels.
func (w *windows) inv(i int) float32 {
	var s, q int64
	for _, column := range w.columns[i*w.step+1:][:w.gate.Width] {
		for _, p := range column {
			s += int64(p)
			q += int64(p) * int64(p)
		}
	}
	return float32(1 / math.Sqrt(float64(int64(w.gate.Area)*q-s*s)))
}

// check runs Row and compares it bit for bit with the definition.
func (w *windows) check(t *testing.T, m *kerneltest.Memory) (passed int) {
	t.Helper()
	room := (w.n + 63) / 64
	inv, pass := kerneltest.Out[float32](m, room*64), kerneltest.Out[uint64](m, room)
	what := fmt.Sprintf("%d windows of %v by %d, step %d", w.n, w.gate.Width, w.height, w.step)
	m.Call(func() { Row(inv, pass, w.sum, w.square, w.n, w.step, &w.gate) })
	for i := range w.n {
		v := w.inv(i)
		want := w.gate.Area*float64(v) < w.limit
		if got := pass[i/64]>>(i%64)&1 != 0; got != want {
			t.Fatalf("%s: window %d passes: %v, want %v: its inv is %v, the limit %v", what, i, got, want, v, w.limit)
		}
		if !want {
			continue
		}
		passed++
		if got := inv[i]; math.Float32bits(got) != math.Float32bits(v) {
			t.Fatalf("%s: window %d: %v (bits %#x), want %v (bits %#x)", what, i, got, math.Float32bits(got), v, math.Float32bits(v))
		}
	}
	if w.n%64 != 0 && pass[room-1]>>(w.n%64) != 0 {
		t.Fatalf("%s: bits behind the last window: %#x", what, pass[room-1])
	}
	return passed
}

func TestRow(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		passed, all := 0, 0
		for _, n := range lengths {
			if n == 0 {
				continue
			}
			for _, step := range []int{1, 2, 3} {
				for range kerneltest.Often(3, 1) {
					passed += newWindows(m, n, step, 1+m.IntN(40), 1+m.IntN(40)).check(t, m)
					all += n
				}
			}
		}
		if passed < all/20 || passed > all*19/20 {
			t.Errorf("%d of %d windows passed: too few of one kind to say anything", passed, all)
		}
		m.Lengths(nil, 70, func(n int) {
			newWindows(m, n, 1+m.IntN(3), 20, 22).check(t, m)
		})
	})
}

// TestRowLarge has windows whose squares reach 2^31, which AVX2 converts as
// signed numbers, and 2^32, where they overflow.
func TestRowLarge(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for _, size := range [][2]int{
			{181, 182}, // area*255^2 just below 2^31
			{33025, 0}, // the largest such area, as a row of that many pixels
			{182, 182}, // just above
			{256, 257}, // just below 2^32
			{66051, 0}, // the largest such area
			{1000, 33}, {1000, 66}, {999, 1}, {3, 1000},
		} {
			width, height := size[0], size[1]
			if height == 0 { // the factors that are nearest to each other
				area := width
				for width = int(math.Sqrt(float64(area))); area%width != 0; {
					width--
				}
				height = area / width
			}
			for range kerneltest.Often(3, 1) {
				newWindows(m, 1+m.IntN(100), 1+m.IntN(3), width, height).check(t, m)
			}
		}
	})
}

// TestRowWhereRoundingTurns has windows whose inv lies nearest to the middle
// between two numbers of single precision, where estimates are not enough.
func TestRowWhereRoundingTurns(t *testing.T) {
	// All below 1<<31 whose inv is less than 1.0/(1<<51) of it away from such a middle.
	hard := []uint32{
		992940173, 836041631, 780548288, 195137072, 652126015, 2091420589, 2034698359, 1962180489,
		1715443077, 1669500016, 417375004, 104343751, 1562012469, 1433373338, 1383537518, 1352489263,
		1267431328, 316857832, 79214458, 1259874235, 1209218834, 1128197066, 1097398452, 274349613,
	}
	n := len(hard)
	sum, square := make([]uint32, n+2+Slack), make([]uint32, n+2+Slack)
	for i, q := range hard {
		square[i+2] = square[i+1] + q
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		inv, pass := make([]float32, n+63), make([]uint64, n/64+1)
		Row(inv, pass, sum, square, n, 1, &Gate{Width: 1, Area: 1, Below: 1})
		for i, q := range hard {
			if want := float32(1 / math.Sqrt(float64(q))); inv[i] != want {
				t.Errorf("window %d, squares %d: %v, want %v", i, q, inv[i], want)
			}
		}
	})
}

func TestBelow(t *testing.T) {
	rng := kerneltest.Rand(t)
	for range 10000 {
		area, limit := float64(1+rng.IntN(1<<16)), math.Exp(20*rng.Float64()-10)
		if rng.IntN(10) == 0 {
			limit = area * float64(float32(rng.Float64()))
		}
		v := Below(area, limit)
		if area*float64(v) < limit || v > 0 && !(area*float64(math.Nextafter32(v, 0)) < limit) {
			t.Fatalf("area %v, limit %v: %v is not the least that does not pass", area, limit, v)
		}
	}
	if v := Below(400, math.Inf(1)); !math.IsInf(float64(v), 1) {
		t.Errorf("without a gate: %v, want infinity", v)
	}
}

func TestRowOfNoWindows(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		m.Call(func() { Row(nil, nil, nil, nil, 0, 1, &Gate{Width: 5, Area: 25}) })
	})
}

// TestShortSlices: assembly has no bounds checks, so Go must check.
func TestShortSlices(t *testing.T) {
	const n = 50
	u32, u8 := make([]uint32, n+1+Slack), make([]byte, n+Slack)
	gate := &Gate{Width: 20, Area: 400, Below: Below(400, 0.1)}
	const size = (n-1)*2 + 1 + 20 + 2*Slack + 1
	sums := make([]uint32, size)
	inv, pass := make([]float32, 64), make([]uint64, 1)
	short, shortest := u32[:n+Slack-1:n+Slack-1], u32[:n+Slack:n+Slack]
	shortPixels := slices.Clip(u8[:n+Slack-1])
	kerneltest.Refuses(t, map[string]func(){
		"Move, sum":    func() { Move(short, u32, u8, u8, n) },
		"Move, square": func() { Move(u32, short, u8, u8, n) },
		"Move, in":     func() { Move(u32, u32, shortPixels, u8, n) },
		"Move, out":    func() { Move(u32, u32, u8, shortPixels, n) },
		"Prefix, dst":  func() { Prefix(shortest, u32, n) },
		"Prefix, src":  func() { Prefix(u32, short, n) },
		"Row, sum":     func() { Row(inv, pass, slices.Clip(sums[1:]), sums, n, 2, gate) },
		"Row, square":  func() { Row(inv, pass, sums, slices.Clip(sums[1:]), n, 2, gate) },
		"Row, inv":     func() { Row(inv[:63:63], pass, sums, sums, n, 2, gate) },
		"Row, pass":    func() { Row(inv, nil, sums, sums, n, 2, gate) },
	})
	// What just fits.
	Move(shortest, shortest, u8, u8, n)
	Prefix(u32, shortest, n)
	Row(inv, pass, sums, sums, n, 2, gate)
}

// FuzzRow compares the levels on any running sums, even impossible ones.
// Products stay below 2^53, as those of images do.
func FuzzRow(f *testing.F) {
	f.Add(uint64(1), uint16(100), uint8(1), uint16(20), uint16(400), uint32(1<<20))
	f.Add(uint64(2), uint16(3), uint8(2), uint16(250), uint16(33000), uint32(1<<31))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, step uint8, width, area uint16, limit uint32) {
		rng := rand.New(rand.NewPCG(seed, 1))
		count, stride := 1+int(n)%500, 1+int(step)%3
		g := Gate{Width: 1 + int(width)%1000, Area: 1 + float64(area)}
		g.Below = Below(g.Area, 0.1)
		size := (count-1)*stride + 2 + g.Width + stride*Slack
		sum, square := make([]uint32, size), make([]uint32, size)
		// A window's sums, at most those of a white area.
		columns := uint32(g.Width)
		s, q := min(limit, uint32(g.Area)*255)/columns, min(limit, uint32(g.Area)*255*255)/columns
		for x := range size - 1 {
			sum[x+1], square[x+1] = sum[x]+rng.Uint32N(s+1), square[x]+rng.Uint32N(q+1)
		}
		room := (count + 63) / 64
		want, wantPass := make([]float32, room*64), make([]uint64, room)
		rowGo(want, wantPass, sum, square, count, stride, &g)
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			inv, pass := make([]float32, room*64), make([]uint64, room)
			Row(inv, pass, sum, square, count, stride, &g)
			for i := range count {
				// Windows that do not pass may have any inv.
				ok := wantPass[i/64]>>(i%64)&1 != 0
				if pass[i/64]>>(i%64)&1 != 0 != ok || ok && math.Float32bits(inv[i]) != math.Float32bits(want[i]) {
					t.Fatalf("%v: window %d of %d, step %d, %+v: %v, passes in %#x; want %v, in %#x", level, i, count, stride, g, inv[i], pass[i/64], want[i], wantPass[i/64])
				}
			}
		}
	})
}

func BenchmarkMove(b *testing.B) {
	const n = 1000
	sum, square := make([]uint32, n+Slack), make([]uint32, n+Slack)
	in, out := make([]byte, n+Slack), make([]byte, n+Slack)
	kerneltest.Bench(b, n, func() { Move(sum, square, in, out, n) })
}

func BenchmarkArea(b *testing.B) {
	pix := make([]byte, 22*1000+Slack)
	kerneltest.Bench(b, 1, func() { Area(pix, 1000, 22, 22) })
}

func BenchmarkPrefix(b *testing.B) {
	const n = 1000
	dst, src := make([]uint32, n+1+Slack), make([]uint32, n+Slack)
	kerneltest.Bench(b, n, func() { Prefix(dst, src, n) })
}

func BenchmarkRow(b *testing.B) {
	for step := 1; step <= 3; step++ {
		b.Run(fmt.Sprintf("step %d", step), func(b *testing.B) {
			const n = 1000
			g := Gate{Width: 22, Area: 22 * 22, Below: Below(22*22, 0.1)}
			size := n*step + 2 + g.Width + step*Slack
			sum, square := make([]uint32, size), make([]uint32, size)
			for x := range size - 1 {
				p := uint32(x * 37 % 256)
				sum[x+1], square[x+1] = sum[x]+22*p, square[x]+22*p*p
			}
			inv, pass := make([]float32, n+63), make([]uint64, n/64+1)
			kerneltest.Bench(b, n, func() { Row(inv, pass, sum, square, n, step, &g) })
		})
	}
}
