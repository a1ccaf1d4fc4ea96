package tiles

import (
	"fmt"
	"image"

	"haarlem/haar"
	"haarlem/internal/kernel/quantize"
)

// A Column is a feature prepared for quantization to one byte per sample: a
// value v has the code min(max((v-Low)*Scale, 0), bins-1), rounded down, in
// float32.
type Column struct {
	column quantize.Column
	tilted bool
}

// Column prepares f for [Samples.Codes] with 2 to 256 bins. It panics if f is
// tilted and the samples have no tilted tables.
func (s *Samples) Column(f *haar.Feature, low, scale float32, bins int) Column {
	if bins < 2 || bins > 256 {
		panic(fmt.Sprintf("tiles: %d bins, want 2 to 256", bins))
	}
	o := s.Compile(f)
	c := Column{tilted: o.Tilted}
	c.column.Weight = o.Weight
	c.column.Low, c.column.Scale, c.column.Max = low, scale, float32(bins-1)
	for r := range o.Corner {
		for k, v := range o.Corner[r] {
			c.column.Corner[r][k] = v * Tile
		}
	}
	return c
}

// Codes sets dst to the codes of a column for one tile of samples. To compute
// many columns, loop over tiles in the outer loop.
func (s *Samples) Codes(dst *[Tile]byte, c *Column, tile int) {
	size := s.cells() * Tile
	table := s.sum
	if c.tilted {
		table = s.tilted
	}
	quantize.Make(dst, table[tile*size:][:size], (*[Tile]float32)(s.inv[tile*Tile:]), &c.column)
}

// Patterns sets dst to the local binary patterns of 3x3 cells, the first of
// which is cell, for one tile of samples: eight bits, each set if the sum of a
// cell is at least that of the middle one. Clockwise from the first they count
// 128, 64, 32, 16, 8, 4, 2, 1. All cells must be inside the window.
func (s *Samples) Patterns(dst *[Tile]byte, cell image.Rectangle, tile int) {
	size := s.cells() * Tile
	table := s.sum[tile*size:][:size]
	var t [4][4][]int32
	for y := range t {
		for x := range t[y] {
			at := (cell.Min.Y+y*cell.Dy())*(s.w+1) + cell.Min.X + x*cell.Dx()
			t[y][x] = table[at*Tile:][:Tile]
		}
	}
	var middle [Tile]int32
	for i := range middle {
		middle[i] = t[1][1][i] - t[1][2][i] - t[2][1][i] + t[2][2][i]
	}
	*dst = [Tile]byte{}
	for bit, at := range around {
		x, y := at[0], at[1]
		a, b, c, d := t[y][x], t[y][x+1], t[y+1][x], t[y+1][x+1]
		for i := range dst {
			// The sign of the difference, inverted: 1 means "at least".
			less := uint32(a[i]-b[i]-c[i]+d[i]-middle[i]) >> 31
			dst[i] |= byte(1-less) << (7 - bit)
		}
	}
}

// around are the eight cells about the middle one, clockwise from the first.
var around = [8][2]int{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}
