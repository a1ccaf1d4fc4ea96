package network

import (
	"fmt"
	"image"
	"math"
	"slices"

	"haarlem/internal/kernel/cropresize"
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
const MaxCrop = 64

const maxTaps = cropresize.MaxTaps

// A Cropper is the memory for one crop at a time. The zero value is ready.
type Cropper struct {
	x, y axis
	line []int32
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
	if p.grey {
		for i := range side * side {
			dst[i*Pixel+1], dst[i*Pixel+2], dst[i*Pixel+3] = 64, 64, 0
		}
		c.set(&p.planes[0], s, side)
		c.fill(dst, &p.planes[0], side)
		return
	}
	for i := range side * side {
		dst[i*Pixel+3] = 0
	}
	for i := range p.planes {
		if i < 2 { // the axes of Cb serve Cr
			c.set(&p.planes[i], s, side)
		}
		c.fill(dst[i:], &p.planes[i], side)
	}
}

// set computes the filters that fill needs.
func (c *Cropper) set(p *plane, s Square, side int) {
	const fine = one / Unit
	// Exact, as a shift is at most 2.
	c.x.set(side, int64(s.X+p.skipX*Unit)*fine>>p.shiftX, int64(s.Side)*fine>>p.shiftX, p.width)
	c.y.set(side, int64(s.Y+p.skipY*Unit)*fine>>p.shiftY, int64(s.Side)*fine>>p.shiftY, p.height)
}

// fill writes every fourth byte of dst. Rows are summed first, as that is what
// vectors are good at.
func (c *Cropper) fill(dst []byte, p *plane, side int) {
	x, y := &c.x, &c.y
	from, n := x.from, x.to-x.from
	// Taps without weight may be read, and are multiplied by 0.
	room := n + max(cropresize.StackSlack, maxTaps)
	if len(c.line) < room {
		c.line = make([]int32, 2*room)
	}
	for j := range side {
		var rows [maxTaps]int
		for k := range rows {
			rows[k] = (y.first[j]+min(k, y.count[j]-1)*y.step)*p.stride + from
		}
		c.stack(p.pix, &rows, &y.weights[j], n)
		row := dst[j*side*Pixel:]
		switch {
		case x.step == 1 && x.taps <= 2:
			for i, first := range x.first[:side] {
				w, v := &x.weights[i], c.line[first-from:][:2]
				row[i*Pixel] = byte((w[0]*v[0] + w[1]*v[1] + round) >> scale)
			}
		case x.step == 1 && x.taps <= 4:
			for i, first := range x.first[:side] {
				w, v := &x.weights[i], c.line[first-from:][:4]
				row[i*Pixel] = byte((w[0]*v[0] + w[1]*v[1] + w[2]*v[2] + w[3]*v[3] + round) >> scale)
			}
		case x.step == 1:
			for i, first := range x.first[:side] {
				w, v := &x.weights[i], c.line[first-from:][:maxTaps]
				row[i*Pixel] = byte((w[0]*v[0] + w[1]*v[1] + w[2]*v[2] + w[3]*v[3] +
					w[4]*v[4] + w[5]*v[5] + w[6]*v[6] + w[7]*v[7] + round) >> scale)
			}
		default:
			for i, first := range x.first[:side] {
				sum := int32(round)
				v := c.line[first-from:]
				for k, weight := range x.weights[i][:x.count[i]] {
					sum += weight * v[k*x.step]
				}
				row[i*Pixel] = byte(sum >> scale)
			}
		}
	}
}

const (
	scale = 17             // two weights of 256 in all, and 255 becomes 127
	round = 1 << scale / 4 // of the value from 0 to 255
)

// stack is cropresize.Stack, also where that would read behind the plane.
func (c *Cropper) stack(pix []byte, rows *[maxTaps]int, weights *cropresize.Weights, n int) {
	if slices.Max(rows[:])+n+cropresize.StackSlack <= len(pix) {
		cropresize.Stack(c.line, pix, rows, weights, n)
		return
	}
	line := c.line[:n]
	clear(line)
	for k, weight := range weights {
		if weight != 0 {
			for i, v := range pix[rows[k]:][:n] {
				line[i] += weight * int32(v)
			}
		}
	}
}

const one = 1 << 16 // a source pixel, for an axis

// An axis is a filter from the rows or columns of a plane to those of a crop.
type axis struct {
	step     int                         // between taps
	taps     int                         // the largest count
	from, to int                         // the taps that have weights
	first    [MaxCrop]int                // tap of each row or column of the crop
	count    [MaxCrop]int                // taps that have weights, the others are 0
	weights  [MaxCrop]cropresize.Weights // 256 in all
}

// set divides the length from start on, both in 1/65536 pixel, of size source
// pixels, among side pixels.
func (a *axis) set(side int, start, length int64, size int) {
	const widest = maxTaps - 1
	parts := 2 * int64(side)
	a.step = int(max((2*length-1)/(widest*one*parts)+1, 1))
	step := int64(a.step)
	middle := step / 2
	start, length = floor(start, step), length/step
	last := max((int64(size)-1-middle)/step, 0)
	width := max(2*length/parts, one)
	a.taps, a.from, a.to = 1, size, 0
	for i := range side {
		begin := start + (2*int64(i)+1)*length/parts - width/2
		end := begin + width
		first := clamp(begin>>16, last)
		weights := &a.weights[i]
		*weights = cropresize.Weights{}
		count, before := 1, int64(0)
		for k := begin >> 16; k<<16 < end; k++ {
			// Rounded sums, so that the weights are 256 in all.
			sum := (min((k+1)<<16, end) - begin) * 256
			sum = (sum + width/2) / width
			tap := int(clamp(k, last) - first)
			weights[tap] += int32(sum - before)
			before, count = sum, max(count, tap+1)
		}
		a.first[i], a.count[i] = min(int(first*step+middle), size-1), count
		a.taps = max(a.taps, count)
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
