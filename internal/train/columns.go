package train

import (
	"context"
	"image"
	"math"
	"math/rand/v2"
	"slices"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/par"
	"haarlem/internal/tiles"
)

// columns are the features that a step searches, quantized to one byte per
// sample. They are a boost.Columns over codes: a value there is a code, and
// threshold turns a cut between codes into a threshold on feature values.
type columns struct {
	features []haar.Feature
	cells    []image.Rectangle
	bins     int
	low      []float32
	scale    []float32
	rows     int
	stride   int
	codes    []byte
	cuts     []float64
}

// Rows, Len, Cuts and Codes implement boost.Columns.
func (c *columns) Rows() int                    { return c.rows }
func (c *columns) Len() int                     { return max(len(c.features), len(c.cells)) }
func (c *columns) Cuts(int) []float64           { return c.cuts }
func (c *columns) Codes(j int, _ []byte) []byte { return c.codes[j*c.stride:][:c.rows] }

// sampleFeatures returns n distinct features of the set, or all of them if n is
// 0 or at least their number, in the set's order.
func sampleFeatures(set haar.Set, w, h, n int, rng *rand.Rand) []haar.Feature {
	total := set.Count(w, h)
	if n == 0 || n >= total {
		return slices.Collect(set.Features(w, h))
	}
	index := haar.NewIndex(set, w, h)
	drawn := make([]haar.Feature, 0, n)
	for i := range total { // selection sampling: all subsets are equally likely
		if rng.IntN(total-i) < n-len(drawn) {
			drawn = append(drawn, index.At(i))
		}
	}
	return drawn
}

// allCells returns the 3x3 cells of every LBP feature.
func allCells(w, h int) []image.Rectangle {
	var all []image.Rectangle
	for x := range w {
		for y := range h {
			for cw := 1; x+3*cw <= w; cw++ {
				for ch := 1; y+3*ch <= h; ch++ {
					all = append(all, image.Rect(x, y, x+cw, y+ch))
				}
			}
		}
	}
	return all
}

// cutBins is the number of bins of a feature where learners choose a cut
// between two of them. A search visits each bin, and a few thousand samples
// need no more.
func cutBins(samples int) int {
	if samples < 8192 {
		return 64
	}
	return 256
}

// newColumns prepares columns over the features of s, and memory for rows.
// samples is the number in a step while there are enough hard negatives.
func newColumns(s *Settings, features, rows, samples int, rng *rand.Rand) *columns {
	c := &columns{bins: 256}
	if s.Kind == cascade.LBP {
		c.cells = allCells(s.Width, s.Height)
	} else {
		c.features = sampleFeatures(s.Set, s.Width, s.Height, features, rng)
		c.bins = cutBins(samples)
		if s.Weak == Histograms {
			c.bins = s.Bins
		}
		c.low = make([]float32, len(c.features))
		c.scale = make([]float32, len(c.features))
	}
	for b := 1; b < c.bins; b++ {
		c.cuts = append(c.cuts, float64(b)-0.5)
	}
	c.reserve(rows)
	return c
}

// reserve makes room for rows; codes are lost.
func (c *columns) reserve(rows int) {
	c.rows = rows
	// Whole tiles are written, so the last one extends beyond the rows.
	c.stride = (rows + 2*tiles.Tile - 1) / tiles.Tile * tiles.Tile
	if n := c.stride * c.Len(); cap(c.codes) < n {
		c.codes = nil // before the new one is made
		c.codes = make([]byte, n)
	} else {
		c.codes = c.codes[:n]
	}
}

// spread is the extent of the bins on each side of the mean, in standard
// deviations: nearly all values for many bins, and most of them for few.
func (c *columns) spread() float32 {
	if c.bins <= 16 {
		return 2
	}
	return 3.5
}

// setRanges spreads the bins of every column over its values on some windows of
// both classes: the first of them, a few tiles.
func (c *columns) setRanges(ctx context.Context, s *Settings, classes [2][]*image.Gray) error {
	const tileCount = 3
	var first [2]*tiles.Samples
	for k, windows := range classes {
		first[k] = s.samples(windows[:min(len(windows), tileCount*tiles.Tile)])
	}
	return par.Chunks(ctx, len(c.features), 64, s.Workers, func(lo, hi int) {
		var lane tiles.Lane
		for j := lo; j < hi; j++ {
			var mean, square float64
			n := 0
			for _, s := range first {
				o := s.Compile(&c.features[j])
				for t := range s.Tiles() {
					s.Values(&lane, &o, t)
					var sum, sq float32
					k := min(tiles.Tile, s.Len()-t*tiles.Tile)
					for _, v := range lane[:k] {
						sum += v
						sq += float32(v * v)
					}
					mean += float64(sum)
					square += float64(sq)
					n += k
				}
			}
			mean /= float64(n)
			sd := math.Sqrt(max(0, square/float64(n)-float64(mean*mean)))
			c.low[j], c.scale[j] = 0, 1
			if reach := float64(float64(c.spread()) * sd); reach > 0 {
				c.low[j] = float32(mean - reach)
				c.scale[j] = float32(float64(c.bins) / (2 * reach))
			}
		}
	})
}

// fill quantizes windows as rows from number at on. What follows them, up to a
// tile, is overwritten.
//
// The integral images of a window take more memory than its codes where few
// features are searched, so there are only those of a tile for each worker.
func (c *columns) fill(ctx context.Context, s *Settings, windows []*image.Gray, at int) error {
	none := s.samples(nil)
	compiled := make([]tiles.Column, len(c.features))
	for j := range compiled {
		compiled[j] = none.Column(&c.features[j], c.low[j], c.scale[j], c.bins)
	}
	tileCount := (len(windows) + tiles.Tile - 1) / tiles.Tile
	each := min(max(tileCount/(4*s.Workers), 1), 16)
	return par.Chunks(ctx, tileCount, each, s.Workers, func(lo, hi int) {
		var tile *tiles.Samples
		for t := lo; t < hi; t++ {
			part := windows[t*tiles.Tile : min((t+1)*tiles.Tile, len(windows))]
			if tile == nil || tile.Len() != len(part) {
				tile = s.samples(part)
			} else {
				set(tile, part)
			}
			for j := range c.Len() {
				dst := (*[tiles.Tile]byte)(c.codes[j*c.stride+at+t*tiles.Tile:])
				if c.features != nil {
					tile.Codes(dst, &compiled[j], 0)
				} else {
					tile.Patterns(dst, c.cells[j], 0)
				}
			}
		}
	})
}

// samples returns windows in the layout of features.
func (s *Settings) samples(windows []*image.Gray) *tiles.Samples {
	all := tiles.NewSamples(len(windows), s.Width, s.Height, s.Set == haar.All && s.Kind == cascade.Haar)
	set(all, windows)
	return all
}

func set(all *tiles.Samples, windows []*image.Gray) {
	for i, w := range windows {
		all.Set(i, w)
	}
}

// threshold returns the smallest value of column j whose code is more than cut.
func (c *columns) threshold(j, cut int) float32 {
	low, scale := c.low[j], c.scale[j]
	above := func(v float32) bool { return float32((v-low)*scale) >= float32(cut+1) }
	v := low + float32(cut+1)/scale
	for !above(v) {
		v = math.Nextafter32(v, float32(math.Inf(1)))
	}
	for {
		u := math.Nextafter32(v, float32(math.Inf(-1)))
		if !above(u) {
			return v
		}
		v = u
	}
}
