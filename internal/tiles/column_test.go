package tiles

import (
	"haarlem/haar"
	"image"
	"math/rand/v2"
	"testing"
)

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
