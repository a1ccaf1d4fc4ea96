// Package channels describes a square of an image by brightness and gradients: the
// integer channel features of a verifier. They say more about a detection than
// Haar features do and cost much more, so only detections get them.
//
// The square is resampled to Side by Side pixels. The columns are, in order:
//
//	brightness   of blocks of 2x2 pixels in the middle, and of 4x4 everywhere,
//	             less the mean of the middle, in its standard deviations
//	contrast     that standard deviation
//	gradients    of cells of 4x4 pixels, of blocks of 2x2 such cells that
//	             overlap by half, and of cells of the square at half size:
//	             the magnitude, in total and in each of six orientations,
//	             divided by that of the neighbourhood
//
// All are integers, so that every machine computes the same.
package channels

import (
	"image"
	"math"
	"slices"

	"haarlem/internal/channels/columns"
	"haarlem/internal/kernel/cropresize"
	"haarlem/internal/kernel/gradcells"
	"haarlem/internal/luma"
)

// Side is the width and height of the resampled square.
const Side = cropresize.Side

const (
	half    = columns.Half
	quarter = columns.Quarter

	inner   = columns.Inner
	margin  = 2                  // blocks of 2x2 pixels on each side of these
	middle  = 8                  // pixels on each side of the area whose contrast is measured
	maxTaps = cropresize.MaxTaps // source pixels per pixel, each way
	samples = maxTaps / 2        // samples per pixel, each way, at most
	cell    = gradcells.Side
	cells   = columns.Cells
	blocks  = columns.Blocks
	small   = columns.Small
	bins    = gradcells.Bins
	layers  = columns.Layers
	shift   = 6  // a grey level is 1<<shift
	steep   = 12 // a gradient of one grey level is 1<<steep
	overall = 10 // a neighbourhood's energy gets 1/overall of the mean

	atInner    = 0
	atQuarter  = columns.AtQuarter
	atContrast = columns.AtContrast
	atCells    = columns.AtCells
	atBlocks   = columns.AtBlocks
	atSmall    = columns.AtSmall
)

// Count is the number of columns.
const Count = columns.Count

// An Extractor is the memory for one extraction at a time. The zero value is ready.
type Extractor struct {
	columns [Count]int32
	pixels  [Side * Side]int32
	halved  [half*half + half]int32 // with the padding that gradcells.Make reads
	fourth  [quarter * quarter]int32
	sums    gradcells.Sums
	around  [gradcells.MaxCells]int32
	x, y    axis                      // of the square
	places  cropresize.Places         // across g
	stacked []int32                   // a row of g's columns
	line    [Side]int32               // a row of the square on its way
	threes  [gradcells.MaxCells]int32 // sums of three neighbouring cells of a row
	factors [gradcells.MaxCells]uint32
}

// Extract returns the columns of the square around box's centre whose side is
// sides times that of the box. Pixels outside g repeat its border. The columns
// are valid until the next call.
func (l *Extractor) Extract(g *luma.Plane, box image.Rectangle, sides float64) []int32 {
	return l.ExtractTurned(g, 0, box, sides)
}

// ExtractTurned is Extract from g turned counterclockwise by up to three quarters, where
// an object that is turned clockwise by as many is upright. The box is where it is then.
func (l *Extractor) ExtractTurned(g *luma.Plane, quarters int, box image.Rectangle, sides float64) []int32 {
	l.resample(g, quarters, box, sides)
	l.describe()
	return l.columns[:]
}

// resample fills l.pixels. A pixel is the mean of enough samples to touch every
// source pixel, except in very large squares.
func (l *Extractor) resample(g *luma.Plane, quarters int, box image.Rectangle, sides float64) {
	const one = 1 << 16
	side := int64(math.Round(sides * one * float64(box.Dx()+box.Dy()) / 2))
	n := int(min(max((side+Side*one-1)/(Side*one), 1), samples))
	width, height := g.Width, g.Height
	if quarters%2 != 0 {
		width, height = height, width
	}
	l.x.set(n, int64(box.Min.X+box.Max.X)*(one/2)-side/2, side, width)
	l.y.set(n, int64(box.Min.Y+box.Max.Y)*(one/2)-side/2, side, height)
	// Sums are exact, so either axis may be the first.
	across, down := &l.x, &l.y
	to := target{next: Side, step: 1}
	switch quarters {
	case 1:
		across, down = down, across
		across.reverse(g.Width)
		to = target{first: (Side - 1) * Side, next: 1, step: -Side}
	case 2:
		across.reverse(g.Width)
		down.flip(g.Height)
		to = target{first: Side - 1, next: Side, step: -1}
	case 3:
		across, down = down, across
		down.flip(g.Height)
		to = target{next: 1, step: Side}
	}
	x, y := across.positions[:across.count], down.positions[:down.count]
	length := x[len(x)-1] - x[0] + 1
	l.places.Set(x, &across.first, &across.weights, across.taps)
	l.stacked = slices.Grow(l.stacked[:0], length+cropresize.Slack)[:length+cropresize.Slack]
	for j, first := range down.first {
		var rows [maxTaps]int
		for k := range rows {
			rows[k] = y[min(first+k, len(y)-1)]*g.Stride + x[0]
		}
		cropresize.Stack(l.stacked, g.Pix, &rows, &down.weights[j], length)
		cropresize.Pick(l.made(to, j), l.stacked, &l.places, means[n])
		l.place(to, j)
	}
}

// A target is where rows of the square go in l.pixels: the first pixel of the first row,
// and the steps to the next row and to the next pixel of a row.
type target struct{ first, next, step int }

// made returns where row j is made.
func (l *Extractor) made(to target, j int) *[Side]int32 {
	if to.step == 1 {
		return (*[Side]int32)(l.pixels[to.first+j*to.next:])
	}
	return &l.line
}

// place moves row j from where it is made to where it belongs.
func (l *Extractor) place(to target, j int) {
	if to.step == 1 {
		return
	}
	at := to.first + j*to.next
	for _, v := range l.line {
		l.pixels[at] = v
		at += to.step
	}
}

// means[n] turns the sum of n by n samples, at 1<<16 per grey level, into their
// mean at 1<<shift per grey level.
var means = [samples + 1]cropresize.Scale{
	1: {Factor: 1 << (16 + shift), Shift: 32},
	2: {Factor: 1 << (14 + shift), Shift: 32},
	3: {Factor: 0x38E38E39, Shift: 33 + 16 - shift}, // exactly a ninth
	4: {Factor: 1 << (12 + shift), Shift: 32},
}

// An axis is a filter from the rows or columns of the image to the square's.
type axis struct {
	count     int                      // of positions
	positions [Side * maxTaps]int      // source rows or columns in use, ascending
	taps      int                      // the most that one pixel has
	first     [Side]int                // index into positions of the first tap
	weights   [Side]cropresize.Weights // in 1/256
}

// set spreads n samples per pixel over the length from start on, both in 1/65536
// pixel, of size source pixels. A sample interpolates between two of these.
func (a *axis) set(n int, start, length int64, size int) {
	a.taps = 0
	a.weights = [Side]cropresize.Weights{}
	count, last, before := 0, -1, -1 // the last two positions
	index := func(position int) int {
		switch position {
		case before:
			return count - 2
		case last:
			return count - 1
		}
		a.positions[count] = position
		before, last = last, position
		count++
		return count - 1
	}
	// Sample m is at (2m+1)*length/parts, rounded down, without a division for each.
	parts := int64(2 * Side * n)
	whole, rest := length/parts, length%parts
	step, more := 2*length/parts, 2*length%parts
	for i := range a.first {
		weights := &a.weights[i]
		first := 0
		for k := range n {
			at := min(max(start+whole-1<<15, 0), int64(size-1)<<16)
			if whole, rest = whole+step, rest+more; rest >= parts {
				whole, rest = whole+1, rest-parts
			}
			position, weight := int(at>>16), int32(at>>8&255)
			one := index(position)
			if k == 0 {
				first = one
			}
			two := index(min(position+1, size-1))
			weights[one-first] += 256 - weight
			weights[two-first] += weight
			a.taps = max(a.taps, two-first+1)
		}
		a.first[i] = first
	}
	a.count = count
}

// flip turns the positions round in size source pixels, so that they descend.
func (a *axis) flip(size int) {
	for i := range a.positions[:a.count] {
		a.positions[i] = size - 1 - a.positions[i]
	}
}

// reverse is flip with the pixels of the square in reverse order too, so that positions
// ascend.
func (a *axis) reverse(size int) {
	a.flip(size)
	slices.Reverse(a.positions[:a.count])
	for i, j := 0, Side-1; i < j; i, j = i+1, j-1 {
		a.first[i], a.first[j] = a.first[j], a.first[i]
		a.weights[i], a.weights[j] = a.weights[j], a.weights[i]
	}
	for i := range a.first {
		n := min(a.taps, a.count-a.first[i])
		a.first[i] = a.count - a.first[i] - n
		slices.Reverse(a.weights[i][:n])
	}
}

// describe fills l.columns.
func (l *Extractor) describe() {
	shrink(l.halved[:], l.pixels[:], Side)
	shrink(l.fourth[:], l.halved[:], half)
	mean, deviation := l.contrast()
	level := func(v int32) int32 { return (v - mean) * 256 / deviation }
	for j := range inner {
		for i := range inner {
			l.columns[atInner+j*inner+i] = level(l.halved[(j+margin)*half+i+margin])
		}
	}
	for i, v := range l.fourth {
		l.columns[atQuarter+i] = level(v)
	}
	l.columns[atContrast] = deviation
	l.gradients(l.pixels[:], Side)
	l.put(atCells, cells, 1)
	l.put(atBlocks, cells, 2)
	l.gradients(l.halved[:], half)
	l.put(atSmall, small, 1)
}

// shrink fills dst with the means of blocks of 2x2 of src, n by n.
func shrink(dst, src []int32, n int) {
	for j := range n / 2 {
		a, b := src[2*j*n:][:n], src[(2*j+1)*n:][:n]
		for i := range n / 2 {
			dst[j*n/2+i] = (a[2*i] + a[2*i+1] + b[2*i] + b[2*i+1]) / 4
		}
	}
}

// contrast returns the mean of the middle and its standard deviation, at least one
// grey level.
func (l *Extractor) contrast() (mean, deviation int32) {
	const n = (Side - 2*middle) * (Side - 2*middle)
	var sum, squares int64
	for j := middle; j < Side-middle; j++ {
		for _, v := range l.pixels[j*Side+middle : (j+1)*Side-middle] {
			sum += int64(v)
			squares += int64(v) * int64(v)
		}
	}
	variance := (squares*n - sum*sum) / (n * n)
	return int32(sum / n), int32(max(math.Sqrt(float64(variance)), 1<<shift))
}

// gradients fills l.sums and l.around from p, n by n pixels.
func (l *Extractor) gradients(p []int32, n int) {
	gradcells.Make(&l.sums, p, n)
	m := n / cell
	all := l.sums[bins][:m*m]
	total := int64(0)
	for _, v := range all {
		total += int64(v)
	}
	lowest := uint32(total/int64(m*m*overall)) + cell*cell<<steep/2
	// A neighbourhood is 3x3 cells, clipped at the border.
	for j := range m {
		from, to := all[j*m:][:m], l.threes[j*m:][:m]
		to[0] = from[0] + from[1]
		for i := 1; i < m-1; i++ {
			to[i] = from[i-1] + from[i] + from[i+1]
		}
		to[m-1] = from[m-2] + from[m-1]
	}
	for j := range m {
		rows, above, row, below := uint32(3), none[:m], l.threes[j*m:][:m], none[:m]
		if j > 0 {
			above = l.threes[(j-1)*m:][:m]
		} else {
			rows--
		}
		if j < m-1 {
			below = l.threes[(j+1)*m:][:m]
		} else {
			rows--
		}
		to := l.around[j*m:][:m]
		for i := range to {
			count := 3 * rows
			if i == 0 || i == m-1 {
				count = 2 * rows
			}
			to[i] = int32(uint32(above[i]+row[i]+below[i])/count + lowest)
		}
	}
}

// none is a row of cells beyond the border.
var none [cells]int32

// put fills the columns from at on with the normalised layers of all blocks of
// size by size cells, out of m by m.
func (l *Extractor) put(at, m, size int) {
	const unit = 1024
	n := m - size + 1
	factors := l.factors[:n*n]
	for k := range factors {
		around := l.around[k]
		if size == 2 {
			at := k/n*m + k%n
			around = l.around[at] + l.around[at+1] + l.around[at+m] + l.around[at+m+1]
		}
		// Floating point is exact here: a quotient cannot round up to an integer.
		factors[k] = uint32(int64(unit << 32 / float64(around)))
	}
	gradcells.Weigh(l.columns[at:], &l.sums, factors, m, size)
}
