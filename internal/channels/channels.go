// Package channels describes a square of a picture by brightness and gradients:
// eighteen hundred whole numbers that say much more about a place than Haar
// features do, and cost much more. A cascade's verifier looks at them where a
// detection is, which is at few places.
//
// The square is brought to Side by Side pixels first. Then, column by column:
//
//	brightness   of blocks of 2x2 pixels in the middle, and of 4x4 everywhere,
//	             from the mean of the middle and in its standard deviations
//	contrast     that standard deviation
//	gradients    of cells of 4x4 pixels, of blocks of 2x2 such cells that
//	             overlap by half, and of 4x4 cells of the square at half its
//	             size: how strong they are, and how strong in each of six
//	             directions, beside the strength of all gradients around
//
// All of it is whole numbers, so that every machine finds the same.
package channels

import (
	"image"
	"math"

	"haarlem/integral"
	"haarlem/internal/channels/columns"
	"haarlem/internal/kernel/cropresize"
	"haarlem/internal/kernel/gradcells"
)

// Side is the number of pixels that a square is brought to, each way.
const Side = cropresize.Side

const (
	half    = columns.Half
	quarter = columns.Quarter

	inner   = columns.Inner
	margin  = 2               // blocks of 2x2 pixels beside them
	middle  = 8               // pixels beside the part whose contrast counts
	wide    = cropresize.Wide // pixels of the picture that a pixel is made of, each way
	most    = wide / 2        // samples a pixel, each way
	cell    = gradcells.Side
	cells   = columns.Cells
	blocks  = columns.Blocks
	small   = columns.Small
	bins    = gradcells.Bins
	layers  = columns.Layers
	shift   = 6  // a grey level is 1<<shift
	steep   = 12 // a gradient of a grey level counts 1<<steep
	overall = 10 // part of the picture's gradients that counts everywhere

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
	halved  [half*half + half]int32 // gradcells.Make wants some behind the last
	fourth  [quarter * quarter]int32
	sums    gradcells.Sums
	around  [gradcells.Most]int32
	x, y    axis
	taps    cropresize.Taps // of x
	rows    [wide]int       // indices into y.places, of what across holds; i is at i%wide
	across  [wide]cropresize.Row
	picked  [Side*wide + wide]byte
	threes  [gradcells.Most]int32 // sums of three of sums, side by side
	parts   [gradcells.Most]uint32
}

// Extract returns the columns of the square around box's centre whose side is
// that many times the box's. What lies outside g repeats its border. The
// columns are valid until the next extraction.
func (l *Extractor) Extract(g *integral.Grey, box image.Rectangle, sides float64) []int32 {
	l.sample(g, box, sides)
	l.describe()
	return l.columns[:]
}

// sample fills l.pixels. A pixel is the mean of as many samples as it takes to
// miss nothing, but for very large squares.
func (l *Extractor) sample(g *integral.Grey, box image.Rectangle, sides float64) {
	const one = 1 << 16
	side := int64(math.Round(sides * one * float64(box.Dx()+box.Dy()) / 2))
	n := int(min(max((side+Side*one-1)/(Side*one), 1), most))
	l.x.set(n, int64(box.Min.X+box.Max.X)*(one/2)-side/2, side, g.Width)
	l.y.set(n, int64(box.Min.Y+box.Max.Y)*(one/2)-side/2, side, g.Height)
	l.taps.Set(&l.x.first, &l.x.parts, l.x.wide)
	for i := range l.rows {
		l.rows[i] = -1
	}
	for j, first := range l.y.first {
		parts := l.y.parts[j][:min(l.y.wide, l.y.count-first)]
		for k := range parts {
			l.row(g, first+k)
		}
		row := (*[Side]int32)(l.pixels[j*Side:])
		cropresize.Down(row, &l.across, first%wide, parts, means[n])
	}
}

// means divide the sum of n by n samples, of 256 by 256 a grey level, by what
// makes it 1<<shift a grey level.
var means = [most + 1]cropresize.Scale{
	1: {Factor: 1 << (16 + shift), Shift: 32},
	2: {Factor: 1 << (14 + shift), Shift: 32},
	3: {Factor: 0x38E38E39, Shift: 33 + 16 - shift}, // a ninth, to the last bit
	4: {Factor: 1 << (12 + shift), Shift: 32},
}

// row makes the row of g at place i of l.y, each pixel the sum of its samples,
// of 256 a grey level.
func (l *Extractor) row(g *integral.Grey, i int) {
	if l.rows[i%wide] == i {
		return
	}
	l.rows[i%wide] = i
	from := g.Pix[l.y.places[i]*g.Stride:][:g.Width]
	places := l.x.places[:l.x.count]
	picked := l.picked[:len(places)]
	if first, last := places[0], places[len(places)-1]; last-first == len(places)-1 {
		copy(picked, from[first:])
	} else {
		for k, x := range places {
			picked[k] = from[x]
		}
	}
	cropresize.Across(&l.across[i%wide], l.picked[:], &l.taps)
}

// An axis says of which rows, or columns, of the picture the square's are made.
type axis struct {
	count  int // of places, which ascend
	places [Side * wide]int
	wide   int                    // places that a row of the square is made of
	first  [Side]int              // of them, as an index
	parts  [Side]cropresize.Parts // in 1/256
}

// set spreads n samples a pixel over the length from start on, in 1/65536
// pixel, in a row of so many pixels. A sample lies between two of these.
func (a *axis) set(n int, start, length int64, size int) {
	a.count, a.wide = 0, 0
	a.parts = [Side]cropresize.Parts{}
	for i := range a.first {
		for k := range n {
			at := start + int64(2*(i*n+k)+1)*length/int64(2*Side*n) - 1<<15
			at = min(max(at, 0), int64(size-1)<<16)
			place, part := int(at>>16), int32(at>>8&255)
			one := a.index(place)
			if k == 0 {
				a.first[i] = one
			}
			two := a.index(min(place+1, size-1))
			a.parts[i][one-a.first[i]] += 256 - part
			a.parts[i][two-a.first[i]] += part
			a.wide = max(a.wide, two-a.first[i]+1)
		}
	}
}

// index returns where place stands, which is among the last two or a new one.
func (a *axis) index(place int) int {
	for i := max(a.count-2, 0); i < a.count; i++ {
		if a.places[i] == place {
			return i
		}
	}
	a.places[a.count] = place
	a.count++
	return a.count - 1
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

// contrast returns the mean of the middle and its standard deviation, which is
// at least one grey level.
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
	least := uint32(total/int64(m*m*overall)) + cell*cell<<steep/2
	// A cell's neighbours are those on either side, above and below, and it is
	// one of them; at a border there are fewer.
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
			to[i] = int32(uint32(above[i]+row[i]+below[i])/count + least)
		}
	}
}

// none is a row of cells beyond the border.
var none [cells]int32

// put fills the columns from at on with the layers of blocks of so many cells
// each way, out of m by m cells, which overlap but for one cell.
func (l *Extractor) put(at, m, size int) {
	const unit = 1024
	n := m - size + 1
	parts := l.parts[:n*n]
	for k := range parts {
		around := l.around[k]
		if size == 2 {
			at := k/n*m + k%n
			around = l.around[at] + l.around[at+1] + l.around[at+m] + l.around[at+m+1]
		}
		// Rounded down, which the division of floating point numbers does not
		// change: what it rounds is closer than a whole number is.
		parts[k] = uint32(int64(unit << 32 / float64(around)))
	}
	gradcells.Weigh(l.columns[at:], &l.sums, parts, m, size)
}
