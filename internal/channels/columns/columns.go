// Package columns numbers the columns of package channels, which trees of a
// verifier refer to: how many there are, where each kind begins, and which
// says of a mirror image what another says of the image. It sees no pixels.
package columns

import (
	"haarlem/internal/kernel/cropresize"
	"haarlem/internal/kernel/gradcells"
)

// How many there are of what columns describe, in a row.
const (
	Half    = cropresize.Side / 2              // blocks of 2x2 pixels
	Quarter = cropresize.Side / 4              // blocks of 4x4 pixels
	Inner   = Half - 2*2                       // blocks of 2x2 pixels in the middle
	Cells   = cropresize.Side / gradcells.Side // cells of gradients
	Blocks  = Cells - 1                        // blocks of 2x2 cells that overlap by half
	Small   = Half / gradcells.Side            // cells of the square at half its size
	Layers  = gradcells.Layers                 // directions of a cell, and last the strength in any
	bins    = gradcells.Bins
)

// The first column of each kind. The first of all are the blocks in the middle.
const (
	AtQuarter  = Inner * Inner
	AtContrast = AtQuarter + Quarter*Quarter
	AtCells    = AtContrast + 1
	AtBlocks   = AtCells + Layers*Cells*Cells
	AtSmall    = AtBlocks + Layers*Blocks*Blocks
)

// Count is the number of columns.
const Count = AtSmall + Layers*Small*Small

// Mirror returns the column that says of the mirror image what column i says
// of a picture.
func Mirror(i int) int {
	within := func(at, n int) int {
		k := i - at
		layer, y, x := k/(n*n), k/n%n, k%n
		if layer < bins {
			layer = (bins - layer) % bins
		}
		return at + layer*n*n + y*n + n - 1 - x
	}
	switch {
	case i < AtQuarter:
		return i - i%Inner + Inner - 1 - i%Inner
	case i < AtContrast:
		k := i - AtQuarter
		return AtQuarter + k - k%Quarter + Quarter - 1 - k%Quarter
	case i < AtCells:
		return i
	case i < AtBlocks:
		return within(AtCells, Cells)
	case i < AtSmall:
		return within(AtBlocks, Blocks)
	}
	return within(AtSmall, Small)
}
