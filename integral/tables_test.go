package integral

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/must"
)

// plane returns random pixels that end with the last one; the stride is
// width+extra.
func plane(width, height, extra int, rng *rand.Rand) *image.Gray {
	g := &image.Gray{Rect: image.Rect(0, 0, width, height), Stride: width + extra}
	if width > 0 && height > 0 {
		g.Pix = make([]byte, (height-1)*g.Stride+width)
	}
	for i := range g.Pix {
		g.Pix[i] = byte(rng.Uint32())
	}
	return g
}

// filled returns pixels of one grey level.
func filled(width, height int, level byte) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, width, height))
	for i := range g.Pix {
		g.Pix[i] = level
	}
	return g
}

// checkCells compares every cell with sums of pixels.
func checkCells(t *testing.T, tab *Tables, g *image.Gray, kinds Kind) {
	t.Helper()
	w, h := g.Rect.Dx(), g.Rect.Dy()
	if tab.Width != w || tab.Height != h || tab.Stride < w+1 {
		t.Fatalf("tables of %dx%d, stride %d; want %dx%d", tab.Width, tab.Height, tab.Stride, w, h)
	}
	if (tab.Squares != nil) != (kinds&Squares != 0) || (tab.Tilts != nil) != (kinds&Tilted != 0) {
		t.Fatalf("kinds %b: squares %v, tilted %v", kinds, tab.Squares != nil, tab.Tilts != nil)
	}
	last := h*tab.Stride + w
	for name, n := range map[string]int{"sums": len(tab.Sums), "squares": len(tab.Squares), "tilts": len(tab.Tilts)} {
		if n != 0 && n < last+1+slack {
			t.Fatalf("%s: %d elements behind the last cell, want %d", name, n-last-1, slack)
		}
	}
	for Y := range h + 1 {
		for X := range w + 1 {
			var sum, square, tilt int
			for y := range Y {
				for x := range w {
					p := int(g.Pix[y*g.Stride+x])
					if x < X {
						sum += p
						square += p * p
					}
					if d := x - X + 1; d <= Y-y-1 && -d <= Y-y-1 {
						tilt += p
					}
				}
			}
			at := Y*tab.Stride + X
			if tab.Sums[at] != int32(sum) {
				t.Fatalf("%dx%d: sum %d,%d is %d, want %d", w, h, X, Y, tab.Sums[at], sum)
			}
			if kinds&Squares != 0 && tab.Squares[at] != uint32(square) {
				t.Fatalf("%dx%d: square %d,%d is %d, want %d", w, h, X, Y, tab.Squares[at], square)
			}
			if kinds&Tilted != 0 && tab.Tilts[at] != int32(tilt) {
				t.Fatalf("%dx%d: tilted sum %d,%d is %d, want %d", w, h, X, Y, tab.Tilts[at], tilt)
			}
		}
	}
}

var smallSizes = [][2]int{
	{1, 1}, {2, 1}, {1, 2}, {2, 2}, {3, 3}, {1, 40}, {40, 1}, {2, 17}, {17, 2}, {7, 5}, {16, 16}, {31, 33}, {33, 31},
	{63, 20}, {64, 20}, {65, 20}, {66, 7}, {80, 12}, {129, 9}, {0, 0}, {0, 7}, {7, 0},
}

func TestCells(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, size := range smallSizes {
			for _, extra := range []int{0, 1, 70} {
				for kinds := range Squares | Tilted + 1 {
					g := plane(size[0], size[1], extra, rng)
					var tab Tables
					must.Do(tab.Make(g, kinds))
					checkCells(t, &tab, g, kinds)
				}
			}
		}
	})
}

// TestCellsAgain reuses tables for larger, smaller and wider planes.
func TestCellsAgain(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		var tab Tables
		for range 200 {
			g := plane(rng.IntN(50), rng.IntN(30), rng.IntN(5), rng)
			kinds := Kind(rng.IntN(4))
			must.Do(tab.Make(g, kinds))
			checkCells(t, &tab, g, kinds)
		}
	})
}

func TestMakeDoesNotAllocate(t *testing.T) {
	rng := kerneltest.Rand(t)
	large, small := plane(200, 100, 3, rng), plane(90, 120, 0, rng)
	var tab Tables
	if n := testing.AllocsPerRun(20, func() {
		for _, g := range []*image.Gray{large, small} {
			must.Do(tab.Make(g, Squares|Tilted))
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	r := image.Rect(3, 4, 60, 80)
	var sink int64
	if n := testing.AllocsPerRun(20, func() {
		sink += tab.Sum(r) + tab.SquareSum(r)
	}); n != 0 || sink == 0 {
		t.Errorf("%v allocations of the methods", n)
	}
}

// naiveMoments adds up the pixels of a window.
func naiveMoments(g *image.Gray, r image.Rectangle) (sum, square int64) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p := int64(g.Pix[y*g.Stride+x])
			sum += p
			square += p * p
		}
	}
	return sum, square
}

func checkWindow(t *testing.T, tab *Tables, r image.Rectangle, sum, square int64) {
	t.Helper()
	if got := tab.Sum(r); got != sum {
		t.Fatalf("sum of %v: %d, want %d", r, got, sum)
	}
	if got := tab.SquareSum(r); got != square {
		t.Fatalf("squared sum of %v: %d, want %d", r, got, square)
	}
}

func TestWindows(t *testing.T) {
	rng := kerneltest.Rand(t)
	for _, size := range smallSizes {
		g := plane(size[0], size[1], 2, rng)
		var tab Tables
		must.Do(tab.Make(g, Squares))
		for range 200 {
			x, y := rng.IntN(g.Rect.Dx()+1), rng.IntN(g.Rect.Dy()+1)
			r := image.Rect(x, y, x+rng.IntN(g.Rect.Dx()-x+1), y+rng.IntN(g.Rect.Dy()-y+1))
			sum, square := naiveMoments(g, r)
			checkWindow(t, &tab, r, sum, square)
		}
	}
}

// TestWindowsBeyond32Bits has planes whose sums, and even more so squares,
// exceed cells; some are one row or one column.
func TestWindowsBeyond32Bits(t *testing.T) {
	for _, size := range [][2]int{{4200, 4100}, {sumPixels + 1000, 1}, {1, sumPixels + 1000}} {
		w, h := size[0], size[1]
		g := filled(w, h, 255)
		g.Pix[12345] = 0
		var tab Tables
		must.Do(tab.Make(g, Squares))
		n := int64(w * h)
		if (n-1)*255 <= math.MaxUint32 {
			t.Fatalf("%d pixels are too few for this test", n)
		}
		checkWindow(t, &tab, image.Rect(0, 0, w, h), (n-1)*255, (n-1)*255*255)
	}
}

// TestLargest has a white image of the largest size.
func TestLargest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 600 MB of memory")
	}
	const side = 8192
	g := filled(side, side, 255)
	var tab Tables
	must.Do(tab.Make(g, Squares))
	const n = MaxPixels
	checkWindow(t, &tab, image.Rect(0, 0, side, side), n*255, n*255*255)
	checkWindow(t, &tab, image.Rect(side-24, side-24, side, side), 24*24*255, 24*24*255*255)
}

func TestTooLarge(t *testing.T) {
	for _, size := range [][2]int{
		{MaxPixels + 1, 1}, {1, MaxPixels + 1}, {8193, 8192}, {math.MaxInt32, math.MaxInt32},
		{math.MaxInt32, 0}, {0, math.MaxInt32},
	} {
		w, h := size[0], size[1]
		g := plane(3, 2, 0, rand.New(rand.NewPCG(1, 1)))
		var tab Tables
		must.Do(tab.Make(g, 0))
		err := tab.Make(&image.Gray{Rect: image.Rect(0, 0, w, h), Stride: w}, Squares)
		if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), fmt.Sprintf("%d x %d", w, h)) {
			t.Errorf("%dx%d: error %v", w, h, err)
		}
		checkCells(t, &tab, g, 0) // as they were
	}
	for _, r := range []image.Point{{8192, 8192}, {MaxPixels, 1}, {9248, 6944}, {}} {
		if err := checkSize(r.X, r.Y); err != nil {
			t.Errorf("%v: %v", r, err)
		}
	}
}

func TestPanics(t *testing.T) {
	g := plane(10, 8, 0, rand.New(rand.NewPCG(1, 1)))
	var plain, full Tables
	must.Do(errors.Join(plain.Make(g, 0), full.Make(g, Squares|Tilted)))
	calls := map[string]func(){
		"no squares":         func() { plain.SquareSum(image.Rect(0, 0, 1, 1)) },
		"short pixels":       func() { plain.Make(&image.Gray{Pix: make([]byte, 79), Stride: 10, Rect: image.Rect(0, 0, 10, 8)}, 0) },
		"short stride":       func() { plain.Make(&image.Gray{Pix: make([]byte, 80), Stride: 9, Rect: image.Rect(0, 0, 10, 8)}, 0) },
		"negative width":     func() { plain.Make(&image.Gray{Rect: image.Rectangle{Max: image.Pt(-1, 0)}}, 0) },
		"inside out":         func() { full.Sum(image.Rectangle{image.Pt(3, 3), image.Pt(2, 2)}) },
		"empty, but outside": func() { full.Sum(image.Rect(11, 0, 11, 5)) },
	}
	for _, r := range []image.Rectangle{image.Rect(-1, 0, 3, 3), image.Rect(0, -1, 3, 3), image.Rect(0, 0, 11, 3), image.Rect(0, 0, 3, 9)} {
		calls["sum of "+r.String()] = func() { full.Sum(r) }
		calls["squares of "+r.String()] = func() { full.SquareSum(r) }
	}
	for name, call := range calls {
		if s, ok := must.Recover(call).(string); !ok || !strings.HasPrefix(s, "integral: ") {
			t.Errorf("%s: recovered %q, want a panic of this package", name, s)
		}
	}
}

func BenchmarkMake(b *testing.B) {
	for name, kinds := range map[string]Kind{"sums": 0, "sums and squares": Squares, "all": Squares | Tilted} {
		b.Run(name, func(b *testing.B) {
			g := plane(1000, 1000, 0, rand.New(rand.NewPCG(1, 2)))
			var tab Tables
			kerneltest.Bench(b, 1000*1000, func() { must.Do(tab.Make(g, kinds)) })
		})
	}
}

// From a part of an image to sums.
func TestTablesOfImages(t *testing.T) {
	img := image.NewRGBA(image.Rect(-3, 2, 30, 40))
	rng := kerneltest.Rand(t)
	for i := range img.Pix {
		img.Pix[i] = byte(rng.Uint32())
	}
	part := img.SubImage(image.Rect(1, 5, 20, 31))
	grey := Grey(part)
	for y := range 26 {
		for x := range 19 {
			if got, want := grey.GrayAt(x, y), color.GrayModel.Convert(part.At(x+1, y+5)); got != want {
				t.Fatalf("%d,%d: %v, want %v", x, y, got, want)
			}
		}
	}
	var tab Tables
	must.Do(tab.Make(grey, Squares|Tilted))
	checkCells(t, &tab, grey, Squares|Tilted)
}
