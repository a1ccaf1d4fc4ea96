package tiles

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/haar"
	"haarlem/internal/must"
)

// inside reports whether pixel (x, y) belongs to r, without tables. A tilted
// rectangle is a range of x+y and of y-x.
func inside(r haar.Rect, tilted bool, x, y int32) bool {
	if !tilted {
		return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
	}
	s, d := x+y-(r.X+r.Y-1), y-x-(r.Y-r.X+1)
	return s >= 0 && s < 2*r.W && d >= 0 && d < 2*r.H
}

// naiveSum computes the feature in the window at (x, y) of g from pixels.
func naiveSum(f *haar.Feature, g *image.Gray, x, y, w, h int) float32 {
	var v float32
	for i, r := range f.Rects[:f.Count()] {
		var sum int32
		for py := range h {
			for px := range w {
				if inside(r, f.Tilted, int32(px), int32(py)) {
					sum += int32(g.Pix[(y+py)*g.Stride+x+px])
				}
			}
		}
		term := r.Weight * float32(sum)
		if i == 0 {
			v = term
		} else {
			v += term
		}
	}
	return v
}

// naiveTables builds the two tables from their definitions.
func naiveTables(g *image.Gray) (sum, tilted []int32, stride int) {
	w, h := g.Rect.Dx(), g.Rect.Dy()
	stride = w + 5 // rows may be longer than necessary
	sum, tilted = make([]int32, stride*(h+1)), make([]int32, stride*(h+1))
	for Y := 0; Y <= h; Y++ {
		for X := 0; X <= w; X++ {
			for y := 0; y < Y; y++ {
				for x := range w {
					p := int32(g.Pix[y*g.Stride+x])
					if x < X {
						sum[Y*stride+X] += p
					}
					if d := x - X + 1; d <= Y-y-1 && -d <= Y-y-1 {
						tilted[Y*stride+X] += p
					}
				}
			}
		}
	}
	return sum, tilted, stride
}

func noise(seed uint64, w, h int) *image.Gray {
	rng := rand.New(rand.NewPCG(seed, 1))
	g := image.NewGray(image.Rect(0, 0, w, h))
	for i := range g.Pix {
		g.Pix[i] = uint8(rng.Uint32())
	}
	return g
}

// some yields features of a set with large steps between their numbers; the
// seed selects which.
func some(set haar.Set, w, h int, seed uint64, n int) []haar.Feature {
	ix := haar.NewIndex(set, w, h)
	rng := rand.New(rand.NewPCG(seed, 2))
	var fs []haar.Feature
	for range n {
		fs = append(fs, ix.At(rng.IntN(ix.Len())))
	}
	return fs
}

func TestSumsAgainstPixels(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := noise(seed, 40, 33)
	sum, tilted, stride := naiveTables(g)
	for _, set := range []haar.Set{haar.Basic, haar.Core, haar.All} {
		for _, size := range [][2]int{{24, 24}, {20, 20}, {15, 31}, {7, 5}} {
			w, h := size[0], size[1]
			kinds := map[[2]int]int{}
			for _, f := range some(set, w, h, seed, 150) {
				o := Compile(&f, stride)
				table, kind := sum, 0
				if f.Tilted {
					table, kind = tilted, 1
				}
				if o.Tilted != f.Tilted {
					t.Fatalf("%v compiled to Tilted = %v", f, o.Tilted)
				}
				kinds[[2]int{kind, f.Count()}]++
				y := 1
				for x := range g.Rect.Dx() - w + 1 {
					want := naiveSum(&f, g, x, y, w, h)
					if got := o.Sum(table, y*stride+x); got != want {
						t.Fatalf("%v %dx%d %v at %d,%d: Sum %v, pixels say %v", set, w, h, f, x, y, got, want)
					}
				}
			}
			if len(kinds) < 2 || set == haar.All && len(kinds) < 3 {
				t.Errorf("%v %dx%d: only features of kinds %v were tried", set, w, h, kinds)
			}
		}
	}
}

func TestSamplesAgainstPixels(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, c := range []struct{ n, w, h int }{
		{0, 24, 24}, {1, 24, 24}, {Tile - 1, 9, 30}, {Tile, 20, 20}, {Tile + 1, 12, 5}, {2*Tile + 17, 24, 24}, {3, 3, 3},
	} {
		t.Run(fmt.Sprintf("%d of %dx%d", c.n, c.w, c.h), func(t *testing.T) {
			s := NewSamples(c.n, c.w, c.h, true)
			if s.Len() != c.n {
				t.Fatalf("%d samples", s.Len())
			}
			if s.Tiles() != (c.n+Tile-1)/Tile {
				t.Fatalf("%d tiles", s.Tiles())
			}
			// Samples are cut out of larger images, so that strides differ.
			pics := make([]*image.Gray, c.n)
			for i := range pics {
				pics[i] = noise(seed+uint64(i), c.w+3, c.h+2).SubImage(image.Rect(2, 1, 2+c.w, 1+c.h)).(*image.Gray)
				s.Set(i, noise(1, c.w, c.h)) // must be overwritten
				s.Set(i, pics[i])
			}
			var lane Lane
			for _, f := range some(haar.All, c.w, c.h, seed, 60) {
				o := s.Compile(&f)
				for tile := range s.Tiles() {
					s.Values(&lane, &o, tile)
					for k, got := range lane {
						var want float32
						if i := tile*Tile + k; i < c.n {
							want = naiveSum(&f, pics[i], 0, 0, c.w, c.h) * naiveNorm(pics[i])
						}
						if got != want {
							t.Fatalf("%v, tile %d, lane %d: %v, pixels say %v", f, tile, k, got, want)
						}
					}
				}
			}
		})
	}
}

// naiveNorm works on the pixels inside the border of one pixel.
func naiveNorm(g *image.Gray) float32 {
	var sum, sq, area int64
	for y := 1; y < g.Rect.Dy()-1; y++ {
		for x := 1; x < g.Rect.Dx()-1; x++ {
			p := int64(g.Pix[y*g.Stride+x])
			sum += p
			sq += p * p
			area++
		}
	}
	nf := area*sq - sum*sum
	if nf <= 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(nf)))
}

func TestFlatSample(t *testing.T) {
	s := NewSamples(1, 8, 8, false)
	g := image.NewGray(image.Rect(0, 0, 8, 8))
	for i := range g.Pix {
		g.Pix[i] = 77
	}
	for x := range 8 {
		g.Pix[x] = uint8(30 * x) // the border is ignored
	}
	s.Set(0, g)
	f := haar.Feature{Rects: [3]haar.Rect{{X: 0, Y: 0, W: 4, H: 1, Weight: -1}, {X: 2, Y: 0, W: 2, H: 1, Weight: 2}}}
	o := s.Compile(&f)
	var lane Lane
	s.Values(&lane, &o, 0)
	if lane[0] != 0 {
		t.Errorf("value %v, want 0", lane[0])
	}
}

func TestSamplesPanics(t *testing.T) {
	tilted := haar.Feature{Tilted: true, Rects: [3]haar.Rect{{X: 1, Y: 0, W: 2, H: 1, Weight: -1}, {X: 1, Y: 0, W: 1, H: 1, Weight: 2}}}
	for name, f := range map[string]func(){
		"wrong size":     func() { NewSamples(1, 8, 8, false).Set(0, image.NewGray(image.Rect(0, 0, 8, 9))) },
		"wrong number":   func() { NewSamples(1, 8, 8, false).Set(1, image.NewGray(image.Rect(0, 0, 8, 8))) },
		"no inside":      func() { NewSamples(1, 2, 8, false) },
		"no tilted ones": func() { NewSamples(1, 8, 8, false).Compile(&tilted) },
	} {
		if must.Recover(f) == nil {
			t.Errorf("%s: no panic", name)
		}
	}
}

// BenchmarkValues reports features times samples per second.
func BenchmarkValues(b *testing.B) {
	const n = 64 * Tile
	s := NewSamples(n, 24, 24, true)
	for i := range n {
		s.Set(i, noise(uint64(i), 24, 24))
	}
	for _, set := range []haar.Set{haar.Basic, haar.All} {
		var os []Offsets
		for _, f := range some(set, 24, 24, 5, 1000) {
			os = append(os, s.Compile(&f))
		}
		b.Run(set.String(), func(b *testing.B) {
			var lane Lane
			for b.Loop() {
				for tile := range s.Tiles() {
					for i := range os {
						s.Values(&lane, &os[i], tile)
					}
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(os))*n/b.Elapsed().Seconds(), "values/s")
		})
	}
}

func BenchmarkSamplesSet(b *testing.B) {
	s := NewSamples(Tile, 24, 24, true)
	g := noise(1, 24, 24)
	for i := range b.N {
		s.Set(i%Tile, g)
	}
}

// noiseSamples returns samples of random pixels, one of them flat.
func noiseSamples(rng *rand.Rand, n, w, h int) (*Samples, []*image.Gray) {
	s := NewSamples(n, w, h, true)
	pictures := make([]*image.Gray, n)
	for i := range pictures {
		g := image.NewGray(image.Rect(0, 0, w, h))
		for k := range g.Pix {
			g.Pix[k] = byte(rng.IntN(256))
			if i == 1 {
				g.Pix[k] = 9
			}
		}
		s.Set(i, g)
		pictures[i] = g
	}
	return s, pictures
}

// Codes are those that the comment of Column defines for Values' values.
func TestCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	const w, h = 12, 11
	s, _ := noiseSamples(rng, 200, w, h)
	n := 0
	for f := range haar.All.Features(w, h) {
		if n++; n%37 != 0 {
			continue
		}
		low, scale, bins := -rng.Float32(), 1+rng.Float32()*40, 2+rng.IntN(255)
		c, o := s.Column(&f, low, scale, bins), s.Compile(&f)
		for tile := range s.Tiles() {
			var codes [Tile]byte
			var values Lane
			s.Codes(&codes, &c, tile)
			s.Values(&values, &o, tile)
			for i, v := range values {
				want := byte(min(max(float32((v-low)*scale), 0), float32(bins-1)))
				if codes[i] != want {
					t.Fatalf("%v, sample %d: code %d of value %v, want %d", f, tile*Tile+i, codes[i], v, want)
				}
			}
		}
	}
	if n < 1000 {
		t.Fatalf("only %d features", n)
	}
}

// Patterns are those from sums of pixels.
func TestPatterns(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	const w, h = 13, 10
	s, pictures := noiseSamples(rng, 150, w, h)
	for range 50 {
		cw, ch := 1+rng.IntN(w/3), 1+rng.IntN(h/3)
		x, y := rng.IntN(w-3*cw+1), rng.IntN(h-3*ch+1)
		cell := image.Rect(x, y, x+cw, y+ch)
		sum := func(g *image.Gray, i, j int) (n int) {
			for v := y + j*ch; v < y+(j+1)*ch; v++ {
				for u := x + i*cw; u < x+(i+1)*cw; u++ {
					n += int(g.GrayAt(u, v).Y)
				}
			}
			return n
		}
		for tile := range s.Tiles() {
			var got [Tile]byte
			s.Patterns(&got, cell, tile)
			for i := range min(Tile, s.Len()-tile*Tile) {
				g := pictures[tile*Tile+i]
				want := 0
				for _, at := range [][2]int{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}} {
					want *= 2
					if sum(g, at[0], at[1]) >= sum(g, 1, 1) {
						want++
					}
				}
				if int(got[i]) != want {
					t.Fatalf("cell %v, sample %d: %08b, want %08b", cell, tile*Tile+i, got[i], want)
				}
			}
		}
	}
}
