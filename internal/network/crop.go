package network

import (
	"fmt"
	"image"
	"math"

	"haarlem/internal/kernel/area"
)

// Unit is a pixel in the coordinates of a Square.
const Unit = 256

// maxSquare bounds the coordinates and the side of a Square.
const maxSquare = 1 << 30

// A Square is a part of a picture, in 1/256 pixel: its left and upper edges, and
// its side. It may be outside the picture.
type Square struct{ X, Y, Side int }

// Around returns the square around box's centre whose side is sides times the mean
// of box's width and height.
func Around(box image.Rectangle, sides float64) Square {
	side := int(math.Round(sides * Unit * float64(box.Dx()+box.Dy()) / 2))
	return Square{
		(box.Min.X+box.Max.X)*(Unit/2) - side/2,
		(box.Min.Y+box.Max.Y)*(Unit/2) - side/2,
		side,
	}
}

// Pixel is the number of bytes per pixel of a crop: Y, Cb, Cr and 0.
const Pixel = 4

// MaxCrop is the largest side of a crop.
const MaxCrop = area.Most

// A Cropper is the memory for one crop at a time. The zero value is ready.
type Cropper struct {
	x, y   axis
	across area.Filter
	lines  []int16
}

// Crop resamples the square s of p to side by side pixels and writes them to dst,
// row by row, [Pixel] bytes each: Y, Cb, Cr and 0, where values from 0 to 255 have
// become 0 to 127. Outside the picture its border is repeated. Colours have the
// resolution that they have in p. All machines and instructions give the same bytes.
//
// A pixel is the mean of the area that it covers, or, where that is smaller than a
// source pixel, of the area of a source pixel around the same centre, which is
// bilinear interpolation. If it is more than seven source pixels wide or high, only
// every second counts, or every third and so on, so that no more than eight have an
// influence.
//
// Crop panics unless side is 1 to [MaxCrop], s.Side is 1 to 1<<30, s.X and s.Y are
// at most 1<<30 away from 0, and dst has room.
func (c *Cropper) Crop(dst []byte, p *Planes, s Square, side int) {
	if side < 1 || side > MaxCrop {
		panic(fmt.Sprintf("network: a crop of %d pixels a side, want 1 to %d", side, MaxCrop))
	}
	if s.Side < 1 || max(s.Side, s.X, -s.X, s.Y, -s.Y) > maxSquare {
		panic(fmt.Sprintf("network: square %+v, want a side of 1 to %d at most %[2]d away", s, maxSquare))
	}
	dst = dst[:side*side*Pixel]
	clear(dst)
	for i := range p.planes {
		if p.grey && i > 0 {
			for k := range side * side {
				dst[k*Pixel+1], dst[k*Pixel+2] = grey, grey
			}
			return
		}
		if i < 2 { // the axes of Cb serve Cr
			c.set(&p.planes[i], s, side)
		}
		c.fill(dst, &p.planes[i], side, i)
	}
}

// grey is what a colour of 128 becomes.
const grey = 64

// set computes the filters that fill needs.
func (c *Cropper) set(p *plane, s Square, side int) {
	const fine = one / Unit
	// Exact, as a shift is at most 2.
	c.x.set(side, int64(s.X+p.skipX*Unit)*fine>>p.shiftX, int64(s.Side)*fine>>p.shiftX, p.width)
	c.y.set(side, int64(s.Y+p.skipY*Unit)*fine>>p.shiftY, int64(s.Side)*fine>>p.shiftY, p.height)
}

// band is the number of rows that Down makes before Across reads them: a processor cannot
// read at once, across two stores, what it has just stored.
const band = 8

// fill writes one byte of each pixel of dst, where it is 0. Rows are combined first, as
// that is what vectors are best at.
func (c *Cropper) fill(dst []byte, p *plane, side, which int) {
	x, y := &c.x, &c.y
	n := x.to - x.from
	room := n + area.Taps // elements behind the last have no weight
	if len(c.lines) < band*room {
		c.lines = make([]int16, 2*band*room)
	}
	c.across.Reset()
	for i, first := range x.first[:side] {
		c.across.Add((first-x.from)/x.step, &x.weights[i])
	}
	for j := 0; j < side; j += band {
		end := min(j+band, side)
		for j := j; j < end; j++ {
			line := c.lines[j%band*room:][:n]
			var rows [area.Taps]int
			count := y.count[j]
			for k := range count {
				rows[k] = (y.first[j]+k*y.step)*p.stride + x.from
			}
			area.Down(line, p.pix, rows[:count], &y.weights[j])
			if x.step > 1 {
				for to, from := 1, x.step; from < n; to, from = to+1, from+x.step {
					line[to] = line[from]
				}
			}
		}
		for j := j; j < end; j++ {
			c.across.Across(dst[j*side*Pixel:][:side*Pixel], c.lines[j%band*room:][:room], which)
		}
	}
}

const (
	one      = 1 << 16 // a source pixel, for an axis
	fraction = 20      // bits of a fraction of 1/one
)

// An axis is a filter from the rows or columns of a plane to those of a crop.
type axis struct {
	step     int                       // between taps
	from, to int                       // the taps that have weights
	first    [MaxCrop]int              // tap of each row or column of the crop
	count    [MaxCrop]int              // taps that have weights, the others are 0
	weights  [MaxCrop][area.Taps]int16 // area.One in all
}

// set divides the length from start on, both in 1/65536 pixel, of size source
// pixels, among side pixels.
func (a *axis) set(side int, start, length int64, size int) {
	const widest = area.Taps - 1
	parts := 2 * int64(side)
	a.step = int(max((2*length-1)/(widest*one*parts)+1, 1))
	step := int64(a.step)
	middle := step / 2
	start, length = floor(start, step), length/step
	last := max((int64(size)-1-middle)/step, 0)
	width := max(2*length/parts, one)
	a.from, a.to = size, 0
	// Divisions take longer than all else here, so there is one for all pixels.
	apart := length << fraction / parts
	share := area.One<<32/width + 1
	for i := range side {
		begin := start + (2*int64(i)+1)*apart>>fraction - width/2
		end := begin + width
		first := clamp(begin>>16, last)
		weights := &a.weights[i]
		*weights = [area.Taps]int16{}
		count, before := 1, int64(0)
		for k := begin >> 16; k<<16 < end; k++ {
			// Rounded sums, so that the weights are One in all.
			sum := ((min((k+1)<<16, end)-begin)*share + 1<<31) >> 32
			tap := int(clamp(k, last) - first)
			weights[tap] += int16(sum - before)
			before, count = sum, max(count, tap+1)
		}
		a.first[i], a.count[i] = min(int(first*step+middle), size-1), count
		a.from, a.to = min(a.from, a.first[i]), max(a.to, a.first[i]+(count-1)*a.step+1)
	}
}

func clamp(k, last int64) int64 { return min(max(k, 0), last) }

// floor divides, rounding down.
func floor(n, by int64) int64 {
	q := n / by
	if q*by > n {
		q--
	}
	return q
}
