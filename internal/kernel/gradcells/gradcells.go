// Package gradcells computes histograms of oriented gradients over cells of 4x4
// pixels, and normalises them. It is the inner loop of package channels.
package gradcells

import (
	"fmt"

	"haarlem/internal/cpu"
)

const (
	// Side is the width and height of a cell in pixels.
	Side = 4

	// MaxSide is the largest width and height of an image.
	MaxSide = 40

	// MaxCells is the largest number of cells.
	MaxCells = MaxSide * MaxSide / Side / Side

	// Bins is the number of orientations.
	Bins = 6

	// Layers is the number of sums per cell.
	Layers = Bins + 1

	one   = 64
	root3 = 111 // sqrt 3 in 1/64
)

// Sums holds the gradient energy of each cell, row by row: in each of six
// orientations 30 degrees apart, and in total.
type Sums [Layers][MaxCells]int32

// Need returns the length of Make's image, with the padding that kernels read
// behind the last row.
func Need(n int) int { return n*(n-1) + (n+7)&^7 }

// Make fills dst from p, n by n pixels below 1<<15. Pixels at the border have
// no gradient.
//
// A gradient (x, y) is the difference of the neighbours on either side. It
// votes for the two nearest orientations: for one at an angle d below 30
// degrees with cos d - sin d / tan 30. Between 0 and 90 degrees the votes for
// 0, 30, 60 and 90 degrees are the following, where not negative, with 64 for 1
// and 111 for sqrt 3:
//
//	x - y sqrt 3, min(2y, x sqrt 3 - y), min(2x, y sqrt 3 - x), y - x sqrt 3
//
// Both votes together are the magnitude, within 4 per cent.
func Make(dst *Sums, p []int32, n int) {
	if n%Side != 0 || n < 2*Side || n > MaxSide {
		panic(fmt.Sprintf("gradcells: a picture of %d pixels a side", n))
	}
	p = p[:Need(n)]
	m := n / Side
	var counts [MaxSide]int32 // -1, or 0 at the border and behind it
	for x := 1; x < n-1; x++ {
		counts[x] = -1
	}
	for j := range m {
		first, last := max(j*Side, 1), min(j*Side+Side, n-1)
		var raw [MaxSide / Side][8]int32
		if p := p[first*n-n:]; cpu.Current() == cpu.PureGo {
			rowGo(&raw, p, &counts, n, last-first)
		} else {
			makeRow(&raw, p, &counts, n, last-first)
		}
		for i, s := range raw[:m] {
			all := s[0] + s[1] + s[2] + s[3]
			k := j*m + i
			dst[0][k], dst[3][k], dst[Bins][k] = s[0], s[3], all
			dst[1][k], dst[5][k] = s[1]-s[4], s[4]
			dst[2][k], dst[4][k] = s[2]-s[5], s[5]
		}
	}
}

// rowGo computes one row of cells from the given number of pixel rows, which
// follow a first row of p that is only a neighbour. A cell gets its sums at 0,
// 30, 60 and 90 degrees, where those at 30 and 60 include their mirror images
// beyond 90 degrees, and then the mirror images alone, twice.
func rowGo(dst *[MaxSide / Side][8]int32, p []int32, counts *[MaxSide]int32, n, rows int) {
	for i := range n / Side {
		x0, x1 := i*Side, i*Side+Side
		for counts[x0] == 0 {
			x0++
		}
		for counts[x1-1] == 0 {
			x1--
		}
		var s0, s30, s60, s90, over30, over60 int32
		for y := 1; y <= rows; y++ {
			above := p[(y-1)*n+x0 : (y-1)*n+x1]
			row := p[y*n+x0-1:][:len(above)+2]
			below := p[(y+1)*n+x0:][:len(above)]
			for x := range above {
				dx, dy := row[x+2]-row[x], below[x]-above[x]
				// Without branches, since orientations cannot be predicted.
				across, down := max(dx, -dx), max(dy, -dy)
				v30 := max(min(2*down*one, across*root3-down*one), 0)
				v60 := max(min(2*across*one, down*root3-across*one), 0)
				s0 += max(across*one-down*root3, 0)
				s30 += v30
				s60 += v60
				s90 += max(down*one-across*root3, 0)
				beyond := (dx ^ dy) >> 31 // all ones from 90 degrees on
				over30 += v30 & beyond
				over60 += v60 & beyond
			}
		}
		dst[i] = [8]int32{s0, s30, s60, s90, over30, over60, over30, over60}
	}
}

// Weigh fills dst, layer by layer, with the sums of blocks of size by size
// cells, size 1 or 2, at every position in m by m cells, each multiplied by its
// element of parts in 1<<-32. Sums of blocks must be below 1<<31.
func Weigh(dst []int32, sums *Sums, parts []uint32, m, size int) {
	n := m - size + 1
	if m < 5 || m*m > MaxCells || size < 1 || size > 2 || size == 2 && n < 8 {
		panic(fmt.Sprintf("gradcells: blocks of %d of %d cells", size, m))
	}
	dst, parts = dst[:Layers*n*n], parts[:n*n]
	if cpu.Current() == cpu.PureGo {
		weighGo(dst, sums, parts, m, size)
		return
	}
	weigh(dst, sums, parts, m, size)
}

func weighGo(dst []int32, sums *Sums, parts []uint32, m, size int) {
	n := m - size + 1
	for b := range sums {
		layer := dst[b*n*n:][:n*n]
		if size == 1 {
			for k, v := range sums[b][:n*n] {
				layer[k] = int32(uint64(v) * uint64(parts[k]) >> 32)
			}
			continue
		}
		for j := range n {
			dst, parts := layer[j*n:][:n], parts[j*n:][:n]
			p, q := sums[b][j*m:][:n+1], sums[b][j*m+m:][:n+1]
			for i := range n {
				dst[i] = int32(uint64(p[i]+p[i+1]+q[i]+q[i+1]) * uint64(parts[i]) >> 32)
			}
		}
	}
}
