// Package channels describes a square of a picture by brightness and gradients:
// a few thousand whole numbers that say much more about a place than Haar
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
)

// Side is the number of pixels that a square is brought to, each way.
const Side = 56

const (
	half    = Side / 2
	quarter = Side / 4

	inner   = half - 2*2 // blocks of 2x2 pixels in a row of the middle
	margin  = 2          // blocks of 2x2 pixels beside them
	middle  = 12         // pixels beside the part whose contrast counts
	cell    = 4
	cells   = Side / cell
	blocks  = cells - 1
	small   = half / cell
	bins    = 6
	layers  = bins + 1 // the last is the strength in any direction
	shift   = 4        // a grey level is 1<<shift
	steep   = 10       // a grey level's difference is 1<<steep
	overall = 10       // part of the picture's gradients that counts everywhere

	atInner    = 0
	atQuarter  = atInner + inner*inner
	atContrast = atQuarter + quarter*quarter
	atCells    = atContrast + 1
	atBlocks   = atCells + layers*cells*cells
	atSmall    = atBlocks + layers*blocks*blocks
)

// Count is the number of columns.
const Count = atSmall + layers*small*small

// A Looker is the memory for one look at a time. The zero value is ready.
type Looker struct {
	columns [Count]int32
	pixels  [Side * Side]int32
	halved  [half * half]int32
	fourth  [quarter * quarter]int32
	sums    [layers][cells * cells]int32
	around  [cells * cells]int32
	x, y    []position
}

// A position is where a sample lies: between which two pixels, and how far
// from the first, in 1/256.
type position struct{ first, second, part int }

// Look returns the columns of the square around box's centre whose side is
// that many times the box's. What lies outside g repeats its border. The
// columns are valid until the next look.
func (l *Looker) Look(g *integral.Grey, box image.Rectangle, sides float64) []int32 {
	l.sample(g, box, sides)
	l.describe()
	return l.columns[:]
}

// sample fills l.pixels. A pixel is the mean of as many samples as it takes to
// miss nothing, but for very large squares.
func (l *Looker) sample(g *integral.Grey, box image.Rectangle, sides float64) {
	const one, most = 1 << 16, 4
	side := int64(math.Round(sides * one * float64(box.Dx()+box.Dy()) / 2))
	n := int(min(max((side+Side*one-1)/(Side*one), 1), most))
	l.x = positions(l.x[:0], int64(box.Min.X+box.Max.X)*(one/2)-side/2, side, Side*n, g.Width)
	l.y = positions(l.y[:0], int64(box.Min.Y+box.Max.Y)*(one/2)-side/2, side, Side*n, g.Height)
	for j := range Side {
		row := l.pixels[j*Side:][:Side]
		for i := range row {
			sum := 0
			for _, v := range l.y[j*n:][:n] {
				top, bottom := g.Pix[v.first*g.Stride:], g.Pix[v.second*g.Stride:]
				for _, u := range l.x[i*n:][:n] {
					t := (256-u.part)*int(top[u.first]) + u.part*int(top[u.second])
					b := (256-u.part)*int(bottom[u.first]) + u.part*int(bottom[u.second])
					sum += (256-v.part)*t + v.part*b
				}
			}
			row[i] = int32(sum / (n * n) >> (16 - shift))
		}
	}
}

// positions appends n samples of the length from start on, in 1/65536 pixel, in
// a row of so many pixels.
func positions(p []position, start, length int64, n, size int) []position {
	for i := range int64(n) {
		at := start + (2*i+1)*length/int64(2*n) - 1<<15
		at = min(max(at, 0), int64(size-1)<<16)
		first := int(at >> 16)
		p = append(p, position{first, min(first+1, size-1), int(at >> 8 & 255)})
	}
	return p
}

// describe fills l.columns.
func (l *Looker) describe() {
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
func (l *Looker) contrast() (mean, deviation int32) {
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

// gradients fills l.sums and l.around from p, n by n pixels. A gradient counts
// for the two directions next to its own: at an angle d to one of them, which is
// up to 30 degrees, as cos d - sin d / tan 30, and so only for this one if it is
// its own. That leaves little to work out; see directions.
func (l *Looker) gradients(p []int32, n int) {
	m := n / cell
	for b := range l.sums {
		clear(l.sums[b][:m*m])
	}
	for y := 1; y < n-1; y++ {
		above, row, below := p[(y-1)*n:][:n], p[y*n:][:n], p[(y+1)*n:][:n]
		for x := 1; x < n-1; x++ {
			dx, dy := row[x+1]-row[x-1], below[x]-above[x]
			if dx == 0 && dy == 0 {
				continue
			}
			k := y/cell*m + x/cell
			first, second, a, b := directions(dx, dy)
			l.sums[first][k] += a
			l.sums[second][k] += b
			l.sums[bins][k] += int32(math.Sqrt(float64(dx*dx+dy*dy)) * (1 << (steep - shift)))
		}
	}
	strength := l.sums[bins][:m*m]
	total := int64(0)
	for _, v := range strength {
		total += int64(v)
	}
	least := int32(total/int64(m*m*overall)) + cell*cell<<steep/2
	for j := range m {
		for i := range m {
			sum, count := int32(0), int32(0)
			for y := max(j-1, 0); y < min(j+2, m); y++ {
				for x := max(i-1, 0); x < min(i+2, m); x++ {
					sum += strength[y*m+x]
					count++
				}
			}
			l.around[j*m+i] = sum/count + least
		}
	}
}

// directions returns the directions on both sides of a gradient's, in steps of
// 30 degrees, and how much it counts for each. For the angle d to the first and
// its gradient (x, y), in units of length, cos d - sin d / tan 30 comes to
// x - y sqrt 3 between 0 and 30 degrees, to x sqrt 3 - y between 30 and 60, and
// to 2x between 60 and 90; for the second it is the same from the other side.
func directions(dx, dy int32) (first, second int, a, b int32) {
	const one, root3 = 1 << (steep - shift), 111 // sqrt 3 of one
	x, y := max(dx, -dx), max(dy, -dy)
	switch {
	case x*one >= y*root3:
		first, second, a, b = 0, 1, x*one-y*root3, 2*y*one
	case x*root3 >= y*one:
		first, second, a, b = 1, 2, x*root3-y*one, y*root3-x*one
	default:
		first, second, a, b = 2, 3, 2*x*one, y*one-x*root3
	}
	if dx > 0 != (dy > 0) {
		first, second = (bins-first)%bins, bins-second
	}
	return first, second, a, b
}

// put fills the columns from at on with the layers of blocks of so many cells
// each way, out of m by m cells, which overlap but for one cell.
func (l *Looker) put(at, m, size int) {
	const unit = 1024
	for b := range l.sums {
		for j := range m - size + 1 {
			for i := range m - size + 1 {
				var sum, around int32
				for y := j; y < j+size; y++ {
					for x := i; x < i+size; x++ {
						sum += l.sums[b][y*m+x]
						around += l.around[y*m+x]
					}
				}
				l.columns[at] = int32(int64(sum) * unit / int64(around))
				at++
			}
		}
	}
}

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
	case i < atQuarter:
		return i - i%inner + inner - 1 - i%inner
	case i < atContrast:
		k := i - atQuarter
		return atQuarter + k - k%quarter + quarter - 1 - k%quarter
	case i < atCells:
		return i
	case i < atBlocks:
		return within(atCells, cells)
	case i < atSmall:
		return within(atBlocks, blocks)
	}
	return within(atSmall, small)
}
