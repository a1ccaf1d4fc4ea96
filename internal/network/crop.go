package network

import (
	"fmt"
	"image"
	"math"

	"haarlem/internal/kernel/area"
)

// Unit is a pixel in the coordinates of a Square.
const Unit = 256

// maxAway and maxSide bound the coordinates and the side of a Square.
const (
	maxAway = 1 << 44
	maxSide = 1 << 30
)

// A Square is a part of a picture, in 1/256 pixel: its left and upper edges, and
// its side. It may be outside the picture.
type Square struct{ X, Y, Side int64 }

// Around returns the square around box's centre whose side is sides times the mean
// of box's width and height.
func Around(box image.Rectangle, sides float64) Square {
	half := int64(math.Round(sides * (Unit / 4) * (float64(box.Dx()) + float64(box.Dy()))))
	return Square{
		(int64(box.Min.X)+int64(box.Max.X))*(Unit/2) - half,
		(int64(box.Min.Y)+int64(box.Max.Y))*(Unit/2) - half,
		2 * half,
	}
}

// Pixel is the number of bytes per pixel of a crop: Y, Cb, Cr and 0.
const Pixel = 4

// Mirror mirrors a crop of that side.
func Mirror(crop []byte, side int) {
	line := side * Pixel
	for y := range side {
		row := crop[y*line:][:line]
		for i, j := 0, line-Pixel; i < j; i, j = i+Pixel, j-Pixel {
			a, b := (*[Pixel]byte)(row[i:]), (*[Pixel]byte)(row[j:])
			*a, *b = *b, *a
		}
	}
}

// MaxCrop is the largest side of a crop.
const MaxCrop = area.MaxRow

// A Cropper is the memory for one crop at a time. The zero value is ready.
type Cropper struct {
	kept   [2][32]axis // used before, of columns and of rows
	edges  [2]axis     // that reach over the plane's edge
	x, y   placed
	lines  []int16
	picked [band][MaxCrop * area.Taps]int16
}

// A placed axis is moved by a number of source pixels.
type placed struct {
	*axis
	by int
}

// Crop resamples the square s of p to side by side pixels and writes them to dst,
// row by row, [Pixel] bytes each: Y, Cb, Cr and 0, where values from 0 to 255 have
// become 0 to 127. Outside the picture its border is repeated. Colours have the
// resolution that they have in p. All machines and instructions give the same bytes.
//
// A pixel is the mean of the area that it covers, or, where that is smaller than a
// source pixel, of the area of a source pixel around the same centre, which is
// bilinear interpolation. If it is more than seven source pixels wide or high, only
// eight of them count, each way, at equal distances.
//
// Crops of mirror images and of pictures that are rotated by quarters are those of the
// picture, mirrored or rotated, unless its colours have a lower resolution and begin or
// end within one of their pixels.
//
// Crop panics unless side is 1 to [MaxCrop], s.Side is 1 to 1<<30, s.X and s.Y are
// at most 1<<44 away from 0, and dst has room. Boxes in the largest pictures are within
// that.
func (c *Cropper) Crop(dst []byte, p *Planes, s Square, side int) {
	if side < 1 || side > MaxCrop {
		panic(fmt.Sprintf("network: a crop of %d pixels a side, want 1 to %d", side, MaxCrop))
	}
	if s.Side < 1 || s.Side > maxSide || max(s.X, -s.X, s.Y, -s.Y) > maxAway {
		panic(fmt.Sprintf("network: square %+v, want a side of 1 to %d at most %d away", s, maxSide, int64(maxAway)))
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

// set finds the axes that fill needs.
func (c *Cropper) set(p *plane, s Square, side int) {
	const fine = one / Unit
	// Exact, as a shift is at most 2.
	c.x = c.place(0, side, (s.X+int64(p.skipX*Unit))*fine>>p.shiftX, s.Side*fine>>p.shiftX, p.width)
	c.y = c.place(1, side, (s.Y+int64(p.skipY*Unit))*fine>>p.shiftY, s.Side*fine>>p.shiftY, p.height)
}

// place returns the axis that [axis.set] makes. Away from the plane's edges it depends on
// the length and on where in a pixel it begins, of which most squares have a few.
func (c *Cropper) place(way, side int, start, length int64, size int) placed {
	const room = 8 // pixels before the first one, for what an axis covers there
	begin, by := room*one+start&(one-1), start>>pixel-room
	a := &c.kept[way][uint64(begin+length)*0x9e3779b97f4a7c15>>59]
	if a.side != side || a.start != begin || a.length != length {
		a.set(side, begin, length, math.MaxInt32, way == 0)
	}
	if by+int64(a.from) >= 0 && by+int64(a.to) <= int64(size) {
		return placed{a, int(by)}
	}
	a = &c.edges[way]
	a.set(side, start, length, size, way == 0)
	return placed{a, 0}
}

// band is the number of rows that Down makes before Across reads them: a processor cannot
// read at once, across two stores, what it has just stored.
const band = 8

// fill writes one byte of each pixel of dst, where it is 0. Rows are combined first, as
// that is what vectors are best at.
func (c *Cropper) fill(dst []byte, p *plane, side, which int) {
	x, y := c.x, c.y
	n := x.to - x.from
	if !x.apart && x.across.Near(dst, p.pix, y.by*p.stride+x.from+x.by, p.stride, n, &y.Rows, which) {
		return
	}
	room := n + area.Taps // elements behind the last have no weight
	if len(c.lines) < band*room {
		c.lines = make([]int16, 2*band*room)
	}
	for j := 0; j < side; j += band {
		end := min(j+band, side)
		for j := j; j < end; j++ {
			line := c.lines[j%band*room:][:n]
			var rows [area.Taps]int
			for k, tap := range y.Taps[j][:y.Count[j]] {
				rows[k] = (int(tap)+y.by)*p.stride + x.from + x.by
			}
			area.Down(line, p.pix, rows[:y.Count[j]], &y.Weights[j])
			if x.apart {
				picked := &c.picked[j%band]
				for i := range side {
					for k, tap := range x.Taps[i] {
						picked[i*area.Taps+k] = line[int(tap)-x.from]
					}
				}
			}
		}
		for j := j; j < end; j++ {
			line := c.lines[j%band*room:][:room]
			if x.apart {
				line = c.picked[j%band][:]
			}
			x.across.Across(dst[j*side*Pixel:][:side*Pixel], line, which)
		}
	}
}

const (
	pixel  = 16 // logarithm of a source pixel, for an axis
	one    = 1 << pixel
	widest = (area.Taps - 1) * one
	half   = area.One / 2
)

// An axis is a filter from the rows or columns of a plane to those of a crop.
type axis struct {
	side          int // with the next two, what it was made of
	start, length int64

	apart     bool        // taps may not be neighbours, and all have weights
	from, to  int         // the taps of all
	area.Rows             // or columns; weights are area.One in all
	across    area.Filter // of columns: of taps from from on; of eight each, if apart
}

// set divides the length from start on, both in 1/65536 pixel and even, of size source
// pixels, among side pixels. Everything is symmetric: what is rounded is counted from a
// centre.
func (a *axis) set(side int, start, length int64, size int, columns bool) {
	a.side, a.start, a.length = side, start, length
	width := max(length/int64(side), one)
	a.apart = width > widest
	// Divisions take longer than all else here, so there are two for all pixels.
	const fraction = 20
	step := length << fraction / int64(2*side)
	share := area.One<<32/width + 1
	for i := range side {
		odd := int64(2*i + 1 - side)
		centre := start + length/2
		if odd < 0 {
			centre -= -odd * step >> fraction
		} else {
			centre += odd * step >> fraction
		}
		if a.apart {
			a.sample(i, centre, width|1, size)
		} else {
			a.cover(i, centre, width, share, size)
		}
	}
	a.from, a.to = int(a.Taps[0][0]), int(a.Taps[side-1][a.Count[side-1]-1])+1
	if !columns {
		return
	}
	a.across.Reset()
	for i := range side {
		first := int(a.Taps[i][0]) - a.from
		if a.apart {
			first = i * area.Taps
		}
		a.across.Add(first, &a.Weights[i])
	}
}

// cover gives pixel i the source pixels that this width around a centre touches, with
// weights of what it covers of them.
func (a *axis) cover(i int, centre, width, share int64, size int) {
	begin, end := 2*centre-width, 2*centre+width // twice, as the width may be odd
	first, last := begin>>(pixel+1), (end-1)>>(pixel+1)
	weights, taps := &a.Weights[i], &a.Taps[i]
	*weights = [area.Taps]int16{}
	// What is covered up to the end of a source pixel, counted from the centre. It is
	// rounded, away from 0, so that the weights are One in all. Pixels of an axis differ by
	// one in how many they touch, so all take the larger number: no branch is mispredicted.
	covered, before := ((first+1)<<(pixel+1)-2*centre)*share, int64(-half)
	touched := min(width>>pixel+2, area.Taps)
	if first >= 0 && last < int64(size) {
		for k := range touched {
			sum := min((covered+1<<32+covered>>63)>>33, half)
			weights[k], taps[k] = int16(sum-before), int32(first+k)
			covered, before = covered+share<<(pixel+1), sum
		}
		a.Count[i] = int(last-first) + 1
		return
	}
	from := clamp(first, size)
	for k := range touched {
		sum := min((covered+1<<32+covered>>63)>>33, half)
		n := clamp(first+k, size) - from
		weights[n] += int16(sum - before)
		taps[n] = int32(from + n)
		covered, before = covered+share<<(pixel+1), sum
	}
	a.Count[i] = clamp(last, size) - from + 1
}

// sample gives pixel i source pixels at equal distances in this width, which is odd so
// that no place is between two pixels.
func (a *axis) sample(i int, centre, width int64, size int) {
	const parts = 4 // logarithm of twice the number of taps
	for k := range area.Taps {
		at := centre<<parts + int64(2*k+1-area.Taps)*width
		a.Taps[i][k] = int32(clamp(at>>(pixel+parts), size))
		a.Weights[i][k] = area.One / area.Taps
	}
	a.Count[i] = area.Taps
}

// clamp returns the source pixel that stands for k.
func clamp(k int64, size int) int { return int(min(max(k, 0), int64(size)-1)) }
