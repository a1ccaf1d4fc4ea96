// Package tiles evaluates Haar-like features and local binary patterns on the windows of
// a training, many at once.
package tiles

import (
	"fmt"
	"image"
	"sync"

	"haarlem/haar"
	"haarlem/integral"
)

// Tile is the number of samples interleaved in one tile of [Samples]. The
// tables of one tile of 24x24 windows take 320 kB, so a tile stays in a core's
// second-level cache while thousands of features are evaluated on it.
const Tile = 128

// A Lane is one number for each sample of a tile.
type Lane [Tile]float32

// Samples holds training windows of one size, laid out so that a feature is
// evaluated on many of them with contiguous loads. Samples are grouped in
// tiles. For each cell of the integral images, a tile stores the values of all
// its samples next to each other.
//
// Set may run concurrently on samples of different tiles. Evaluations may run
// concurrently with each other, but not with Set.
type Samples struct {
	w, h, n int
	sum     []int32   // tile, then cell, then sample
	tilted  []int32   // likewise; nil without tilted features
	inv     []float32 // the norm of each sample
}

// NewSamples allocates n samples of w x h pixels. Tilted features need tilted.
// It panics if n is negative, or if w or h is below 3: a window must have
// pixels inside its border.
func NewSamples(n, w, h int, tilted bool) *Samples {
	if n < 0 || w < 3 || h < 3 {
		panic(fmt.Sprintf("tiles: NewSamples(%d, %d, %d)", n, w, h))
	}
	s := &Samples{w: w, h: h, n: n}
	lanes := s.Tiles() * Tile
	s.sum = make([]int32, lanes*s.cells())
	if tilted {
		s.tilted = make([]int32, lanes*s.cells())
	}
	s.inv = make([]float32, lanes)
	return s
}

func (s *Samples) cells() int { return (s.w + 1) * (s.h + 1) }

// Len returns the number of samples.
func (s *Samples) Len() int { return s.n }

// Tiles returns the number of tiles: Len/Tile, rounded up. Unused lanes of the
// last tile act as flat samples: all their values are zero.
func (s *Samples) Tiles() int { return (s.n + Tile - 1) / Tile }

// scratch holds the integral images of one sample while Set runs.
var scratch = sync.Pool{New: func() any { return new(integral.Tables) }}

// Set computes the integral images of g and stores them as sample i. It panics
// unless g has the size of a sample.
func (s *Samples) Set(i int, g *image.Gray) {
	if g.Rect.Dx() != s.w || g.Rect.Dy() != s.h {
		panic(fmt.Sprintf("tiles: a sample of %v pixels, want %dx%d", g.Rect.Size(), s.w, s.h))
	}
	if i < 0 || i >= s.n {
		panic(fmt.Sprintf("tiles: sample %d of %d", i, s.n))
	}
	t := scratch.Get().(*integral.Tables)
	defer scratch.Put(t)
	kinds := integral.Squares
	if s.tilted != nil {
		kinds |= integral.Tilted
	}
	if err := t.Make(g, kinds); err != nil {
		panic(err)
	}
	base := i/Tile*s.cells()*Tile + i%Tile
	scatter(s.sum[base:], t.Sums[:s.cells()])
	if s.tilted != nil {
		scatter(s.tilted[base:], t.Tilts[:s.cells()])
	}
	inner := image.Rect(1, 1, s.w-1, s.h-1)
	area := int64(s.w-2) * int64(s.h-2)
	s.inv[i] = norm(area, t.Sum(inner), t.SquareSum(inner))
}

// scatter stores the cells of one sample in its lane of a tile.
func scatter(lane, cells []int32) {
	for k, v := range cells {
		lane[k*Tile] = v
	}
}

// Compile returns the offsets of f in the integral images of a tile, for
// [Samples.Values].
// It panics if f is tilted and the samples have no tilted tables.
func (s *Samples) Compile(f *haar.Feature) Offsets {
	if f.Tilted && s.tilted == nil {
		panic("tiles: a tilted feature on samples without tilted tables")
	}
	return Compile(f, s.w+1)
}

// Values sets dst to the values of one compiled feature on one tile of
// samples: Sum times the norm, rounded to float32.
//
// To evaluate many features, loop over tiles in the outer loop, so that a tile
// stays in the cache.
func (s *Samples) Values(dst *Lane, o *Offsets, tile int) {
	size := s.cells() * Tile
	table := s.sum
	if o.Tilted {
		table = s.tilted
	}
	table = table[tile*size:][:size]
	weighSums(dst, table, &o.Corner, &o.Weight)
	inv := (*Lane)(s.inv[tile*Tile:])
	for i := range dst {
		dst[i] *= inv[i]
	}
}
