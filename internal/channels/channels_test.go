package channels

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/channels/columns"
	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/luma"
	"haarlem/internal/must"
)

// picture draws something with edges of all directions, and noise.
func picture(r *rand.Rand, w, h int) luma.Plane {
	g := luma.Plane{Pix: make([]byte, (w+3)*h), Stride: w + 3, Width: w, Height: h}
	type disc struct{ x, y, size, level float64 }
	var discs []disc
	for range 12 {
		discs = append(discs, disc{r.Float64() * float64(w), r.Float64() * float64(h), 2 + r.Float64()*float64(w)/4, r.Float64() * 200})
	}
	for y := range h {
		for x := range w {
			v := 40.0
			for _, d := range discs {
				if math.Hypot(float64(x)-d.x, float64(y)-d.y) < d.size {
					v = d.level
				}
			}
			g.Pix[y*g.Stride+x] = byte(v + 20*r.Float64())
		}
	}
	return g
}

func mirrored(g luma.Plane) luma.Plane {
	m := luma.Plane{Pix: make([]byte, g.Width*g.Height), Stride: g.Width, Width: g.Width, Height: g.Height}
	for y := range g.Height {
		for x := range g.Width {
			m.Pix[y*m.Stride+x] = g.Pix[y*g.Stride+g.Width-1-x]
		}
	}
	return m
}

// mean is what the square around a box shows, worked out with real numbers: the
// mean of the picture, bilinear between the middles of its pixels, over each of
// the pixels that the square is brought to.
func mean(g *luma.Plane, box image.Rectangle, sides float64) (p [Side][Side]float64) {
	side := sides * float64(box.Dx()+box.Dy()) / 2
	left, top := float64(box.Min.X+box.Max.X)/2-side/2, float64(box.Min.Y+box.Max.Y)/2-side/2
	at := func(x, y int) float64 {
		return float64(g.Pix[min(max(y, 0), g.Height-1)*g.Stride+min(max(x, 0), g.Width-1)])
	}
	n := int(min(max(math.Ceil(side/Side), 1), 4))
	for j := range p {
		for i := range p[j] {
			for b := range n {
				for a := range n {
					x := left + (float64(i)+(float64(a)+0.5)/float64(n))*side/Side - 0.5
					y := top + (float64(j)+(float64(b)+0.5)/float64(n))*side/Side - 0.5
					x0, y0 := math.Floor(x), math.Floor(y)
					u, v := x-x0, y-y0
					k, l := int(x0), int(y0)
					p[j][i] += (at(k, l)*(1-u)+at(k+1, l)*u)*(1-v) + (at(k, l+1)*(1-u)+at(k+1, l+1)*u)*v
				}
			}
			p[j][i] /= float64(n * n)
		}
	}
	return p
}

// gradients are the strengths of the gradients of p, n by n, in cells: in each
// direction, and in the last layer in any. Between two directions 30 degrees
// apart a gradient counts for the one as cos d - sin d / tan 30, where d is the
// angle between them.
func gradients(p func(x, y int) float64, n int) (layer [layers][][]float64) {
	for b := range layer {
		layer[b] = make([][]float64, n/cell)
		for j := range layer[b] {
			layer[b][j] = make([]float64, n/cell)
		}
	}
	for y := 1; y < n-1; y++ {
		for x := 1; x < n-1; x++ {
			dx, dy := p(x+1, y)-p(x-1, y), p(x, y+1)-p(x, y-1)
			strength, all := math.Hypot(dx, dy), 0.0
			for b := range bins {
				turn := math.Mod(math.Atan2(dy, dx)-float64(b)*math.Pi/bins+4*math.Pi, math.Pi)
				d := min(turn, math.Pi-turn)
				v := strength * max(0, math.Cos(d)-math.Sin(d)/math.Tan(math.Pi/bins))
				layer[b][y/cell][x/cell] += v
				all += v
			}
			layer[bins][y/cell][x/cell] += all
		}
	}
	return layer
}

// want works out all columns with real numbers, from what the package says of
// them.
func want(g *luma.Plane, box image.Rectangle, sides float64) (all []float64) {
	p := mean(g, box, sides)
	block := func(x, y, n int) (sum float64) {
		for j := range n {
			for i := range n {
				sum += p[y*n+j][x*n+i]
			}
		}
		return sum / float64(n*n)
	}
	var sum, squares, n float64
	for _, row := range p[middle : Side-middle] {
		for _, v := range row[middle : Side-middle] {
			sum, squares, n = sum+v, squares+v*v, n+1
		}
	}
	deviation := max(1, math.Sqrt(squares/n-sum/n*sum/n))
	for y := range inner {
		for x := range inner {
			all = append(all, 256*(block(x+margin, y+margin, 2)-sum/n)/deviation)
		}
	}
	for y := range quarter {
		for x := range quarter {
			all = append(all, 256*(block(x, y, 4)-sum/n)/deviation)
		}
	}
	all = append(all, 64*deviation)
	put := func(layer [layers][][]float64, m, size int) {
		total := 0.0
		for _, row := range layer[bins] {
			for _, v := range row {
				total += v
			}
		}
		around := func(x, y int) float64 {
			sum, count := 0.0, 0.0
			for j := max(y-1, 0); j <= min(y+1, m-1); j++ {
				for i := max(x-1, 0); i <= min(x+1, m-1); i++ {
					sum, count = sum+layer[bins][j][i], count+1
				}
			}
			return sum/count + total/float64(m*m)/overall + cell*cell/2
		}
		for b := range layer {
			for y := range m - size + 1 {
				for x := range m - size + 1 {
					s, beside := 0.0, 0.0
					for j := range size {
						for i := range size {
							s += layer[b][y+j][x+i]
							beside += around(x+i, y+j)
						}
					}
					all = append(all, 1024*s/beside)
				}
			}
		}
	}
	fine := gradients(func(x, y int) float64 { return p[y][x] }, Side)
	put(fine, cells, 1)
	put(fine, cells, 2)
	put(gradients(func(x, y int) float64 { return block(x, y, 2) }, half), small, 1)
	return all
}

func boxes(r *rand.Rand, g *luma.Plane) (image.Rectangle, float64) {
	size := 8 + r.IntN(g.Width)
	x, y := r.IntN(g.Width+size)-size, r.IntN(g.Height+size)-size
	return image.Rect(x, y, x+size, y+size), 0.5 + 2*r.Float64()
}

// The whole numbers are what real ones say, but for rounding.
func TestExtract(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	var l Extractor
	worst := 0.0
	for range 60 {
		g := picture(r, 60+r.IntN(300), 60+r.IntN(200))
		box, sides := boxes(r, &g)
		got, want := l.Extract(&g, box, sides), want(&g, box, sides)
		if len(got) != Count || len(want) != Count {
			t.Fatalf("%d columns, want %d and %d", len(got), len(want), Count)
		}
		for i := range got {
			// Where there is little to see, rounding is much of it.
			room := 4 + 0.02*math.Abs(want[i])
			if i != atContrast {
				room += 2000 / float64(got[atContrast])
			}
			off := math.Abs(float64(got[i]) - want[i])
			worst = max(worst, off/room)
			if off > room {
				t.Fatalf("%v, %.2f sides of %dx%d, contrast %d: column %d is %d, want %.2f", box, sides, g.Width, g.Height, got[atContrast], i, got[i], want[i])
			}
		}
	}
	t.Logf("%.2f of what is allowed", worst)
}

// Columns of a mirror image are those of the picture in other places.
func TestMirror(t *testing.T) {
	moved := 0
	for i := range Count {
		if k := columns.Mirror(i); columns.Mirror(k) != i {
			t.Fatalf("%d becomes %d and then %d", i, k, columns.Mirror(k))
		} else if k != i {
			moved++
		}
	}
	if moved < Count*8/10 {
		t.Fatalf("%d of %d columns move", moved, Count)
	}
	r := rand.New(rand.NewPCG(2, 0))
	var a, b Extractor
	for range 50 {
		g := picture(r, 60+r.IntN(100), 60+r.IntN(100))
		m := mirrored(g)
		box, _ := boxes(r, &g)
		// Where pixels of the square are whole ones of the picture, nothing is
		// rounded.
		sides := Side * float64(1+r.IntN(3)) / float64(box.Dx())
		if (box.Min.X+box.Max.X)%2 != 0 || box.Dx()%2 != 0 {
			box.Max = box.Max.Add(box.Size().Mod(image.Rect(0, 0, 2, 2)))
			sides = Side * float64(1+r.IntN(3)) / float64(box.Dx())
		}
		other := image.Rect(g.Width-box.Max.X, box.Min.Y, g.Width-box.Min.X, box.Max.Y)
		p, q := a.Extract(&g, box, sides), b.Extract(&m, other, sides)
		for i := range p {
			if k := columns.Mirror(i); max(p[i]-q[k], q[k]-p[i]) > 2+max(p[i], -p[i])/256 {
				t.Fatalf("%v, %.2f sides: column %d is %d, in the mirror column %d is %d", box, sides, i, p[i], k, q[k])
			}
		}
	}
}

// turned returns g turned counterclockwise by a quarter.
func turned(g luma.Plane) luma.Plane {
	m := luma.Plane{Pix: make([]byte, g.Width*g.Height), Stride: g.Height, Width: g.Height, Height: g.Width}
	for y := range m.Height {
		for x := range m.Width {
			m.Pix[y*m.Stride+x] = g.Pix[x*g.Stride+g.Width-1-y]
		}
	}
	return m
}

// Columns of a picture seen turned by quarters are those of the turned picture.
func TestTurned(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 0))
		var a, b Extractor
		for n := range 60 {
			g := picture(r, 1+r.IntN(150), 1+r.IntN(150))
			m := g
			for quarters := range 4 {
				box, sides := boxes(r, &m)
				if n%8 == 0 { // far away
					box = box.Add(image.Pt(r.IntN(1000)-500, r.IntN(1000)-500))
				}
				if got, want := a.ExtractTurned(&g, quarters, box, sides), b.Extract(&m, box, sides); !slices.Equal(got, want) {
					t.Fatalf("%v, %.2f sides of %dx%d, %d quarters: columns differ from those of the turned picture", box, sides, g.Width, g.Height, quarters)
				}
				m = turned(m)
			}
		}
	})
}

// A model learns from these numbers on one machine and uses them on
// others: they are the same to the last bit.
func TestSameEverywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	h := sha256.New()
	var l Extractor
	for range 20 {
		g := picture(r, 50+r.IntN(200), 50+r.IntN(200))
		box, sides := boxes(r, &g)
		must.Do(binary.Write(h, binary.LittleEndian, l.Extract(&g, box, math.Round(sides*64)/64)))
	}
	const want = "7249eba007b7f6ee"
	if got := fmt.Sprintf("%x", h.Sum(nil))[:16]; got != want {
		t.Errorf("the columns have the sum %s, want %s: if that is on purpose, models with a verifier must be trained anew", got, want)
	}
}

// Whatever the square, no pixel outside the image is read.
func TestBorders(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	var l Extractor
	for range 100 {
		w, h := 1+r.IntN(5), 1+r.IntN(5)
		g := luma.Plane{Pix: make([]byte, w*h), Stride: w, Width: w, Height: h}
		for i := range g.Pix {
			g.Pix[i] = 77
		}
		x, y, size := r.IntN(4001)-2000, r.IntN(4001)-2000, 1+r.IntN(3000)
		for i, v := range l.Extract(&g, image.Rect(x, y, x+size, y+size), 4*r.Float64()+0.5) {
			if v != 0 && i != atContrast {
				t.Fatalf("column %d of nothing is %d", i, v)
			}
		}
	}
}

func BenchmarkExtract(b *testing.B) {
	g := picture(rand.New(rand.NewPCG(5, 0)), 1000, 1000)
	for _, size := range []int{24, 40, 100, 300, 900} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var l Extractor
			for b.Loop() {
				l.Extract(&g, image.Rect(20, 30, 20+size, 30+size), 1.4)
			}
		})
	}
}
