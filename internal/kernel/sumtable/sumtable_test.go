package sumtable

import (
	"fmt"
	"slices"
	"testing"

	"haarlem/internal/kernel/kerneltest"
)

// lengths are all that fill whole registers differently, and some wider than
// most images.
var lengths = kerneltest.Lengths(64, 300, 512, 777, 1025)

func TestSum(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		m.Lengths(lengths, 75, func(n int) {
			above, pix := kerneltest.In[uint16](m, n+1+Slack), kerneltest.In[byte](m, n+Slack)
			dst := kerneltest.Out[uint16](m, n+1+Slack)
			m.Call(func() { Sum(dst, above, pix, n) })
			left := 0
			for x := range n + 1 {
				want := uint16(0)
				if x > 0 {
					left += int(pix[x-1])
					want = uint16(int(above[x]) + left)
				}
				if dst[x] != want {
					t.Fatalf("%d pixels: element %d is %d, want %d", n, x, dst[x], want)
				}
			}
		})
	})
}

func TestTilt(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		m.Lengths(lengths, 75, func(n int) {
			if n == 0 {
				return
			}
			for _, first := range []bool{false, true} {
				t1, t2 := kerneltest.In[uint16](m, n+1+Slack), kerneltest.In[uint16](m, n+1+Slack)
				pix1, pix2 := kerneltest.In[byte](m, n+Slack), kerneltest.In[byte](m, n+Slack)
				if first {
					t2, pix2 = nil, nil
				}
				dst := kerneltest.Out[uint16](m, n+1+Slack)
				m.Call(func() { Tilt(dst, t1, t2, pix1, pix2, n) })
				for x := range n + 1 {
					var want uint16
					switch {
					case first && x == 0:
					case first:
						want = uint16(pix1[x-1])
					case x == 0:
						want = t1[1]
					case x == n:
						want = t1[n-1] + uint16(pix1[n-1]) + uint16(pix2[n-1])
					default:
						want = t1[x-1] + t1[x+1] - t2[x] + uint16(pix1[x-1]) + uint16(pix2[x-1])
					}
					if dst[x] != want {
						t.Fatalf("%d pixels: element %d is %d, want %d", n, x, dst[x], want)
					}
				}
			}
		})
	})
}

func TestSplit(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		m.Lengths(lengths, 150, func(n int) {
			for _, step := range []int{1, 2, 3, 5} {
				smallest := (n + step - 1) / step
				for _, plane := range []int{smallest, smallest + 1, smallest + Slack/2 - 1, smallest + Slack/2, smallest + 200} {
					checkSplit(t, m, n, step, plane)
				}
			}
		})
	})
}

func checkSplit(t *testing.T, m *kerneltest.Memory, n, step, plane int) {
	t.Helper()
	row, dst := kerneltest.In[uint16](m, n+Slack), kerneltest.Out[uint16](m, step*plane)
	canaries := slices.Clone(dst)
	what := fmt.Sprintf("%d elements to %d planes of %d", n, step, plane)
	m.Call(func() { Split(dst, row, n, step, plane) })
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
}

func TestTogether(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for range 300 {
			rows, stride := 1+m.IntN(30), 8+m.IntN(100)
			across := Windows * (1 + m.IntN(3))
			blocks := make([]Block, m.IntN(5))
			pitch := len(blocks)*Columns*across + m.IntN(20)
			last := m.IntN(200)
			tab := kerneltest.In[uint16](m, last+(rows-1)*stride+Columns)
			dst := kerneltest.Out[uint16](m, rows*pitch)
			want := slices.Clone(dst)
			for i := range blocks {
				b := &blocks[i]
				b.To = int32(i * Columns * across)
				for w := range b.At {
					b.At[w] = int32(m.IntN(last + 1))
				}
				b.At[m.IntN(Windows)] = int32(last) // so that one ends at the wall
				for y := range rows {
					for x := range Columns {
						for w, a := range b.At {
							want[int(b.To)+y*pitch+x*across+w] = tab[int(a)+y*stride+x]
						}
					}
				}
			}
			m.Call(func() { Together(dst, tab, blocks, rows, stride, pitch, across) })
			if !slices.Equal(dst, want) {
				t.Fatalf("%d blocks of %d rows, stride %d, pitch %d, across %d: not what the definition says", len(blocks), rows, stride, pitch, across)
			}
		}
	})
}

// TestTablesOfPictures builds whole tables, each row from those before it, and
// compares them with sums of pixels.
func TestTablesOfPictures(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for _, size := range [][2]int{{1, 1}, {1, 20}, {20, 1}, {2, 9}, {31, 17}, {32, 12}, {33, 33}, {64, 5}, {65, 40}, {70, 90}} {
			w, h := size[0], size[1]
			row := w + 1 + Slack
			pix := kerneltest.In[byte](m, h*w+Slack)
			sums, tilts := make([]uint16, (h+1)*row), make([]uint16, (h+1)*row)
			m.Call(func() {
				for y := 1; y <= h; y++ {
					p := pix[(y-1)*w:]
					Sum(sums[y*row:][:row], sums[(y-1)*row:][:row], p, w)
					if y == 1 {
						Tilt(tilts[row:][:row], tilts[:row], nil, p, nil, w)
					} else {
						Tilt(tilts[y*row:][:row], tilts[(y-1)*row:][:row], tilts[(y-2)*row:][:row], p, pix[(y-2)*w:], w)
					}
				}
			})
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

// TestShortSlices: assembly has no bounds checks, so Go must check.
func TestShortSlices(t *testing.T) {
	const n = 50
	wide, pix, planes := make([]uint16, n+1+Slack), make([]byte, n+Slack), make([]uint16, 2*(n+Slack))
	row := wide[:n+Slack]
	short, shortPix := slices.Clip(row), slices.Clip(pix[:n+Slack-1])
	kerneltest.Refuses(t, map[string]func(){
		"Sum, dst":   func() { Sum(short, wide, pix, n) },
		"Sum, above": func() { Sum(wide, short, pix, n) },
		"Sum, pix":   func() { Sum(wide, wide, shortPix, n) },
		"Tilt, dst":  func() { Tilt(short, wide, wide, pix, pix, n) },
		"Tilt, t1":   func() { Tilt(wide, short, wide, pix, pix, n) },
		"Tilt, t2":   func() { Tilt(wide, wide, short, pix, pix, n) },
		"Tilt, pix1": func() { Tilt(wide, wide, wide, shortPix, pix, n) },
		"Tilt, pix2": func() { Tilt(wide, wide, wide, pix, shortPix, n) },
		"Split, dst": func() { Split(slices.Clip(planes[1:]), row, n, 2, n+Slack) },
		"Split, row": func() { Split(planes, slices.Clip(row[1:]), n, 2, n+Slack) },
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
	kerneltest.Bench(b, n, func() { f(planes, rows[0], rows[1], pix1, pix2, n) })
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
	kerneltest.Bench(b, Windows, func() { Together(dst, tab, blocks, 25, stride, pitch, 2*Windows) })
}
