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
)

// Side is the number of pixels that a square is brought to, each way.
const Side = 40

const (
	half    = Side / 2
	quarter = Side / 4

	inner   = half - 2*2 // blocks of 2x2 pixels in a row of the middle
	margin  = 2          // blocks of 2x2 pixels beside them
	middle  = 8          // pixels beside the part whose contrast counts
	most    = 4          // samples a pixel, each way
	cell    = 4
	cells   = Side / cell
	blocks  = cells - 1
	small   = half / cell
	bins    = 6
	layers  = bins + 1 // the last is the strength in any direction
	shift   = 6        // a grey level is 1<<shift
	steep   = 12       // a grey level's difference is 1<<steep
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
	sums    [cells * cells][8]int32 // by direction, and then in any
	around  [cells * cells]int32
	x, y    [Side * most]position
	rows    [2]int // of the picture, which across holds; even and odd ones
	across  [2][Side]int32
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
	const one = 1 << 16
	side := int64(math.Round(sides * one * float64(box.Dx()+box.Dy()) / 2))
	n := int(min(max((side+Side*one-1)/(Side*one), 1), most))
	setPositions(l.x[:Side*n], int64(box.Min.X+box.Max.X)*(one/2)-side/2, side, g.Width)
	setPositions(l.y[:Side*n], int64(box.Min.Y+box.Max.Y)*(one/2)-side/2, side, g.Height)
	l.rows = [2]int{-1, -1}
	for j := range Side {
		var sums [Side]int32
		for _, v := range l.y[j*n:][:n] {
			top, bottom := l.row(g, v.first, n), l.row(g, v.second, n)
			part := int32(v.part)
			for i := range sums {
				sums[i] += (256-part)*top[i] + part*bottom[i]
			}
		}
		row := l.pixels[j*Side:][:Side]
		for i := range row {
			row[i] = sums[i] / int32(n*n) >> (16 - shift)
		}
	}
}

// row returns row y of g, each pixel the sum of its samples, of 256 a grey
// level. It is valid until the row after the next is asked for.
func (l *Looker) row(g *integral.Grey, y, n int) *[Side]int32 {
	k := y & 1
	if l.rows[k] != y {
		l.rows[k] = y
		from := g.Pix[y*g.Stride:][:g.Width]
		for i := range l.across[k] {
			sum := 0
			for _, u := range l.x[i*n:][:n] {
				sum += (256-u.part)*int(from[u.first]) + u.part*int(from[u.second])
			}
			l.across[k][i] = int32(sum)
		}
	}
	return &l.across[k]
}

// setPositions spreads samples over the length from start on, in 1/65536 pixel,
// in a row of so many pixels.
func setPositions(p []position, start, length int64, size int) {
	for i := range p {
		at := start + int64(2*i+1)*length/int64(2*len(p)) - 1<<15
		at = min(max(at, 0), int64(size-1)<<16)
		first := int(at >> 16)
		p[i] = position{first, min(first+1, size-1), int(at >> 8 & 255)}
	}
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

// gradients fills l.sums and l.around from p, n by n pixels.
//
// A gradient counts for the two directions next to its own: at an angle d to
// one of them, up to 30 degrees, as cos d - sin d / tan 30, and so only for this
// one if it is its own. For a gradient (x, y) between 0 and 90 degrees that comes
// to, at 0, 30, 60 and 90 degrees, where it is not negative,
//
//	x - y sqrt 3, min(2y, x sqrt 3 - y), min(2x, y sqrt 3 - x), y - x sqrt 3
//
// What it counts for both is its strength, but for 4 per cent.
func (l *Looker) gradients(p []int32, n int) {
	const one, root3 = 1 << (steep - shift), 111 // sqrt 3 of one
	m := n / cell
	clear(l.sums[:m*m])
	for y := 1; y < n-1; y++ {
		above, row, below := p[(y-1)*n:][:n], p[y*n:][:n], p[(y+1)*n:][:n]
		sums := l.sums[y/cell*m:][:m]
		for x := 1; x < n-1; x++ {
			dx, dy := row[x+1]-row[x-1], below[x]-above[x]
			s := &sums[x/cell]
			// Without branches: which way a gradient points is anybody's guess.
			across, down := max(dx, -dx), max(dy, -dy)
			v0 := max(across*one-down*root3, 0)
			v30 := max(min(2*down*one, across*root3-down*one), 0)
			v60 := max(min(2*across*one, down*root3-across*one), 0)
			v90 := max(down*one-across*root3, 0)
			at := int(dx^dy) >> 31 & (bins - 2) // 0, or 4 from 90 degrees on
			s[0] += v0
			s[(1^at)&7] += v30
			s[2+at/2] += v60
			s[3] += v90
			s[bins] += v0 + v30 + v60 + v90
		}
	}
	total := int64(0)
	for k := range m * m {
		total += int64(l.sums[k][bins])
	}
	least := int32(total/int64(m*m*overall)) + cell*cell<<steep/2
	for j := range m {
		for i := range m {
			sum, count := int32(0), int32(0)
			for y := max(j-1, 0); y < min(j+2, m); y++ {
				for x := max(i-1, 0); x < min(i+2, m); x++ {
					sum += l.sums[y*m+x][bins]
					count++
				}
			}
			l.around[j*m+i] = sum/count + least
		}
	}
}

// put fills the columns from at on with the layers of blocks of so many cells
// each way, out of m by m cells, which overlap but for one cell.
func (l *Looker) put(at, m, size int) {
	const unit = 1024
	n := m - size + 1
	for j := range n {
		for i := range n {
			var sums [layers]int32
			var around int32
			for y := j; y < j+size; y++ {
				for x := i; x < i+size; x++ {
					s := &l.sums[y*m+x]
					for b := range sums {
						sums[b] += s[b]
					}
					around += l.around[y*m+x]
				}
			}
			part := int64(unit) << 32 / int64(around)
			for b, v := range sums {
				l.columns[at+b*n*n+j*n+i] = int32(int64(v) * part >> 32)
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
