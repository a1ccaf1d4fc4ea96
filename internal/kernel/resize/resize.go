// Package resize scales rows of grey pixels bilinearly in fixed point, with
// the arithmetic of OpenCV's INTER_LINEAR_EXACT: no antialiasing, the same
// bits everywhere.
package resize

import "math"

// Slack is the number of elements by which a destination must be longer than
// what is asked for: kernels write whole registers.
const Slack = 64

// block is the number of pixels that AVX-512 makes at a time.
const block = 32

// An Axis says, for every destination pixel of one axis, which two
// neighbouring source pixels it lies between and how much of the second it
// takes, in 1/256.
type Axis struct {
	Index []int32
	Part  []uint16 // 0 to 256

	// The same for the kernels, padded to whole blocks.
	pair []uint32 // 256-Part, and Part in the upper half
	base []int32  // first source pixel of each block
	perm []byte   // Index less base, of every pixel, twice
	span int      // the most source pixels that a block needs
}

// NewAxis returns the axis that takes src pixels, at least 2, to dst.
func NewAxis(src, dst int) Axis {
	blocks := (dst + block - 1) / block
	a := Axis{
		Index: make([]int32, dst, blocks*block),
		Part:  make([]uint16, dst, blocks*block),
		pair:  make([]uint32, blocks*block),
		base:  make([]int32, blocks),
		perm:  make([]byte, blocks*block*2),
	}
	scale := NewScale(src, dst)
	for d := range dst {
		i, part := scale.At(d)
		a.Index[d], a.Part[d] = int32(i), part
		b := d / block
		if d%block == 0 {
			a.base[b] = a.Index[d]
		}
		rel := a.Index[d] - a.base[b]
		a.perm[2*d], a.perm[2*d+1] = byte(rel), byte(rel)
		a.pair[d] = uint32(256-a.Part[d]) | uint32(a.Part[d])<<16
		a.span = max(a.span, int(rel)+2)
	}
	return a
}

// Cut returns the axis of the destination pixels from from to to-1, and of some
// before and behind them; skip says how many come before.
func (a *Axis) Cut(from, to int) (c Axis, skip int) {
	first, end := from/block, (to+block-1)/block
	// Whole blocks, since kernels read all of Index and Part of a block.
	pixels := min(end*block, len(a.Index))
	return Axis{
		Index: a.Index[first*block : pixels],
		Part:  a.Part[first*block : pixels],
		pair:  a.pair[first*block : end*block],
		base:  a.base[first:end],
		perm:  a.perm[2*first*block : 2*end*block],
		span:  a.span,
	}, from - first*block
}

// A Scale is one axis, worked out pixel by pixel.
type Scale struct {
	src   int
	scale float64
}

// NewScale returns the scale that takes src pixels, at least 2, to dst.
func NewScale(src, dst int) Scale {
	inv := float64(dst) / float64(src)
	return Scale{src, 1 / inv}
}

// At returns Index and Part of destination pixel d; see [Axis].
func (s Scale) At(d int) (index int, part uint16) {
	// The conversions keep the compiler from fusing multiply and add.
	f := float64(s.scale*(float64(d)+0.5)) - 0.5
	i := int(math.Floor(f))
	switch {
	case i < 0: // the first pixel alone
		return 0, 0
	case i >= s.src-1: // the last pixel alone
		return s.src - 2, 256
	}
	return i, uint16(math.RoundToEven((f - float64(i)) * 256))
}

// Pixel is what Row and Blend make of four neighbouring pixels: top left, top
// right, bottom left and bottom right, of which right ones count px/256 and
// bottom ones py/256.
func Pixel(tl, tr, bl, br byte, px, py uint16) byte {
	x, y := uint32(px), uint32(py)
	t := (256-x)*uint32(tl) + x*uint32(tr)
	b := (256-x)*uint32(bl) + x*uint32(br)
	return byte(((256-y)*t + y*b + 32768) >> 16)
}

// Row scales one row of pixels horizontally: for every d,
//
//	dst[d] = (256-Part[d])*src[Index[d]] + Part[d]*src[Index[d]+1]
//
// dst has room for Slack more elements, which may be overwritten.
func Row(dst []uint16, src []byte, a *Axis) {
	_ = dst[:len(a.Index)+Slack]
	done := row(dst, src, a)
	rowGo(dst, src, a, done)
}

func rowGo(dst []uint16, src []byte, a *Axis, from int) {
	index := a.Index[from:]
	part := a.Part[from:][:len(index)]
	dst = dst[from:][:len(index)]
	for d, i := range index {
		p := src[i : i+2 : i+2]
		l, r := uint32(p[0]), uint32(p[1])
		dst[d] = uint16(l<<8 + uint32(part[d])*(r-l))
	}
}

// Blend mixes two scaled rows and rounds to pixels: for every d below n,
//
//	dst[d] = ((256-part)*top[d] + part*bottom[d] + 32768) >> 16
//
// All three have room for Slack more elements.
func Blend(dst []byte, top, bottom []uint16, n int, part uint16) {
	_, _, _ = dst[:n+Slack], top[:n+Slack], bottom[:n+Slack]
	blend(dst, top, bottom, n, part)
}

func blendGo(dst []byte, top, bottom []uint16, n int, part uint16) {
	b1 := uint32(part)
	b0 := 256 - b1
	dst, top, bottom = dst[:n], top[:n], bottom[:n]
	for d := range dst {
		dst[d] = byte((b0*uint32(top[d]) + b1*uint32(bottom[d]) + 32768) >> 16)
	}
}
