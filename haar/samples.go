package haar

import (
	"fmt"
	"image"
)

// Tile is how many samples stand side by side in [Samples]. The sum tables of
// one tile of 24x24 windows take 320 kB, so that a tile stays in a core's
// second-level cache while thousands of features pass over it.
const Tile = 128

// A Lane is one number for each sample of a tile.
type Lane [Tile]float32

// Samples holds windows for training, all of one size, laid out so that one
// feature is evaluated on many of them with contiguous loads: samples come in
// tiles, and a tile keeps, for each cell of the integral tables, the cells of
// all its samples side by side.
//
// Set may be called for samples of different tiles at once; the evaluations
// may run at once when nothing is set meanwhile.
type Samples struct {
	w, h, n int
	sum     []int32 // tile, then cell, then sample
	tilted  []int32 // likewise; nil without tilted features
	inv     []float32
	sd      []float32
}

// NewSamples makes room for n samples of w x h pixels, with tilted tables only
// if tilted features will be asked for. It panics if a number is negative, or
// if a window has no pixel inside its border: w and h must be at least 3.
func NewSamples(n, w, h int, tilted bool) *Samples {
	if n < 0 || w < 3 || h < 3 {
		panic(fmt.Sprintf("haar: NewSamples(%d, %d, %d)", n, w, h))
	}
	s := &Samples{w: w, h: h, n: n}
	lanes := s.Tiles() * Tile
	s.sum = make([]int32, lanes*s.cells())
	if tilted {
		s.tilted = make([]int32, lanes*s.cells())
	}
	s.inv = make([]float32, lanes)
	s.sd = make([]float32, lanes)
	return s
}

func (s *Samples) cells() int { return (s.w + 1) * (s.h + 1) }

// Len returns the number of samples.
func (s *Samples) Len() int { return s.n }

// Size returns the width and height of a sample.
func (s *Samples) Size() (w, h int) { return s.w, s.h }

// Tiles returns the number of tiles: Len/Tile, rounded up. Lanes of the last
// tile that belong to no sample are flat samples; all their values are zero.
func (s *Samples) Tiles() int { return (s.n + Tile - 1) / Tile }

// Set makes sample i a copy of what g shows, and works out its tables. It
// panics unless g has the size of a sample.
func (s *Samples) Set(i int, g *image.Gray) {
	if g.Rect.Dx() != s.w || g.Rect.Dy() != s.h {
		panic(fmt.Sprintf("haar: a sample of %v pixels, want %dx%d", g.Rect.Size(), s.w, s.h))
	}
	if i < 0 || i >= s.n {
		panic(fmt.Sprintf("haar: sample %d of %d", i, s.n))
	}
	row := s.w + 1
	base := i/Tile*s.cells()*Tile + i%Tile
	sum := s.sum[base:]
	var total, squares int64 // inside the border
	for y := range s.h {
		var left int32
		pix := g.Pix[y*g.Stride:][:s.w]
		for x, p := range pix {
			left += int32(p)
			sum[((y+1)*row+x+1)*Tile] = sum[(y*row+x+1)*Tile] + left
			if y > 0 && y < s.h-1 && x > 0 && x < s.w-1 {
				total += int64(p)
				squares += int64(p) * int64(p)
			}
		}
	}
	area := int64(s.w-2) * int64(s.h-2)
	s.inv[i] = Norm(area, total, squares)
	s.sd[i] = 0
	if s.inv[i] > 0 {
		s.sd[i] = 1 / (float32(area) * s.inv[i])
	}
	if s.tilted != nil {
		s.setTilted(s.tilted[base:], g)
	}
}

// setTilted works out the tilted table by its recurrence, in which cells
// outside of the table hold the triangle's part that is inside the window.
func (s *Samples) setTilted(tilted []int32, g *image.Gray) {
	// The recurrence reaches beyond the window's sides, where triangles still
	// cut into it, so it runs on rows padded by the window's height.
	pad := s.h + 1
	wide := s.w + 1 + 2*pad
	at := func(x, y int) int32 { // the pixel, or zero outside
		if x < 0 || x >= s.w || y < 0 || y >= s.h {
			return 0
		}
		return int32(g.Pix[y*g.Stride+x])
	}
	before, last, this := make([]int32, wide), make([]int32, wide), make([]int32, wide)
	for y := 0; y <= s.h; y++ {
		if y > 0 {
			for i := 1; i < wide-1; i++ {
				x := i - pad
				this[i] = last[i-1] + last[i+1] - before[i] + at(x-1, y-1) + at(x-1, y-2)
			}
		}
		for x := 0; x <= s.w; x++ {
			tilted[(y*(s.w+1)+x)*Tile] = this[x+pad]
		}
		before, last, this = last, this, before
	}
}

// StdDev returns the standard deviation of sample i inside its border.
func (s *Samples) StdDev(i int) float32 { return s.sd[i] }

// Compile returns the offsets of f in the tables of a tile, for [Samples.Values].
// It panics if f is tilted and the samples have no tilted tables.
func (s *Samples) Compile(f *Feature) Offsets {
	if f.Tilted && s.tilted == nil {
		panic("haar: a tilted feature on samples without tilted tables")
	}
	return f.Compile(s.w + 1)
}

// Values sets dst to the values of one compiled feature on one tile of
// samples: Sum times Norm, rounded to float32.
//
// To evaluate many features, let the loop over tiles be the outer one.
func (s *Samples) Values(dst *Lane, o *Offsets, tile int) {
	size := s.cells() * Tile
	table := s.sum
	if o.Tilted {
		table = s.tilted
	}
	table = table[tile*size:][:size]
	weighSums(dst[:], table, &o.Corner, &o.Weight, 0, Tile)
	inv := (*Lane)(s.inv[tile*Tile:])
	for i := range dst {
		dst[i] *= inv[i]
	}
}
