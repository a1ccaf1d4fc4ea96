// Package resize scales rows of grey pixels bilinearly in fixed point, with the
// arithmetic of OpenCV's INTER_LINEAR_EXACT: the same bits everywhere, and no
// antialiasing. To reduce aliasing at small scales, halve the image first.
package resize

import (
	"math"

	"haarlem/internal/cpu"
)

// Slack is the number of elements that a destination must have beyond those
// asked for: kernels write whole registers.
const Slack = 64

// block is the number of pixels that AVX-512 computes at a time; AVX2 computes
// half as many.
const block = 32

// A load is the number of source pixels that AVX2 reads at a time.
const load = 16

// An Axis holds, for every destination pixel of one axis, the two neighbouring
// source pixels to interpolate and the weight of the second, in 1/256.
type Axis struct {
	Index []int32
	Part  []uint16 // 0 to 256

	src int // source pixels

	// The same for AVX-512, padded to whole blocks.
	base []int32 // first source pixel of each block
	perm []byte  // Index less base, of every pixel, twice
	span int     // the most source pixels that a block needs

	// The same for AVX2, also padded: either so many loads for each part of a
	// register, where each begins, and which of their bytes are pairs of
	// neighbours; or gathers, where pixels are too far apart for that.
	loads   int // 0: gathers
	starts  []int32
	shuffle []byte
	pair    []uint32 // 256-Part, and Part in the upper half
}

// NewAxis returns the axis that takes src pixels, at least 2, to dst.
func NewAxis(src, dst int) Axis { return NewScale(src, dst).Axis(dst) }

// Axis returns the axis of the first dst pixels of the scale.
func (s Scale) Axis(dst int) Axis {
	blocks := (dst + block - 1) / block
	a := Axis{
		Index: make([]int32, dst, blocks*block),
		Part:  make([]uint16, dst, blocks*block),
		src:   s.src,
		base:  make([]int32, blocks),
		perm:  make([]byte, blocks*block*2),
	}
	for d := range dst {
		i, part := s.At(d)
		a.Index[d], a.Part[d] = int32(i), part
		b := d / block
		if d%block == 0 {
			a.base[b] = a.Index[d]
		}
		rel := a.Index[d] - a.base[b]
		a.perm[2*d], a.perm[2*d+1] = byte(rel), byte(rel)
		a.span = max(a.span, int(rel)+2)
	}
	a.makeShuffles()
	if a.loads == 0 {
		a.pair = make([]uint32, blocks*block)
		for d, p := range a.Part {
			a.pair[d] = uint32(256-p) | uint32(p)<<16
		}
	}
	return a
}

// parts is the number of parts of a register that AVX2 shuffles independently.
const parts = 2

// makeShuffles sets loads, starts and shuffle.
func (a *Axis) makeShuffles() {
	const inPart = block / 2 / parts // pixels
	if a.src < load {
		return
	}
	loads := 1
	for !a.near(inPart / loads) {
		if loads *= 2; loads == inPart {
			return
		}
	}
	run := inPart / loads // pixels that one load serves
	all := cap(a.Index)
	a.loads, a.starts, a.shuffle = loads, make([]int32, all/run), make([]byte, 2*all*loads)
	for i := range a.shuffle {
		a.shuffle[i] = 0x80 // no byte
	}
	for d, index := range a.Index {
		half, in := d/(block/2), d%(block/2)
		part, in := in/inPart, in%inPart
		register := half*loads + in/run
		start := &a.starts[register*parts+part]
		if in%run == 0 {
			*start = min(index, int32(a.src-load))
		}
		at := (register*parts+part)*load + 2*in
		a.shuffle[at], a.shuffle[at+1] = byte(index-*start), byte(index+1-*start)
	}
}

// near reports whether runs of so many pixels each lie within one load.
func (a *Axis) near(run int) bool {
	for d := 0; d < len(a.Index); d += run {
		last := min(d+run, len(a.Index)) - 1
		if a.Index[last]+2-a.Index[d] > load {
			return false
		}
	}
	return true
}

// Cut returns the axis of destination pixels from to to-1, and of some before
// and behind them; skip is the number before.
func (a *Axis) Cut(from, to int) (c Axis, skip int) {
	first, end := from/block, (to+block-1)/block
	// Whole blocks, since kernels read Index and Part by the block.
	pixels := min(end*block, len(a.Index))
	c = Axis{
		Index: a.Index[first*block : pixels],
		Part:  a.Part[first*block : pixels],
		src:   a.src,
		base:  a.base[first:end],
		perm:  a.perm[2*first*block : 2*end*block],
		span:  a.span,
		loads: a.loads,
	}
	if n := a.loads; n > 0 {
		perBlock := 2 * parts * n
		c.starts = a.starts[first*perBlock : end*perBlock]
		c.shuffle = a.shuffle[2*n*first*block : 2*n*end*block]
	} else {
		c.pair = a.pair[first*block : end*block]
	}
	return c, from - first*block
}

// A Scale is one axis, computed pixel by pixel.
type Scale struct {
	src   int
	scale float64
}

// NewScale returns the scale that takes src pixels, at least 2, to dst.
func NewScale(src, dst int) Scale {
	inv := float64(dst) / float64(src)
	return Scale{src, 1 / inv}
}

// Halved returns the scale from source pixels that Halve has halved so many
// times to the same destination. At least 2 must be left.
func (s Scale) Halved(times int) Scale {
	for range times {
		s.src, s.scale = (s.src+1)/2, s.scale/2
	}
	return s
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

// Pixel computes what Row and Blend make of four neighbouring pixels: top left,
// top right, bottom left and bottom right. Right ones have weight px/256 and
// bottom ones py/256.
func Pixel(tl, tr, bl, br byte, px, py uint16) byte {
	x, y := uint32(px), uint32(py)
	t := (256-x)*uint32(tl) + x*uint32(tr)
	b := (256-x)*uint32(bl) + x*uint32(br)
	return byte(((256-y)*t + y*b + 32768) >> 16)
}

// Halve makes a row of half as many pixels of two rows of equal length. If that
// is odd, the last pixel counts twice. For every x,
//
//	dst[x] = (top[2*x] + top[2*x+1] + bottom[2*x] + bottom[2*x+1] + 2) >> 2
func Halve(dst, top, bottom []byte) {
	n := (len(top) + 1) / 2
	halve(dst[:n], top, bottom[:len(top)])
}

// halveGo computes the pixels from index from on.
func halveGo(dst, top, bottom []byte, from int) {
	for x := from; x < len(dst); x++ {
		l, r := 2*x, min(2*x+1, len(top)-1)
		dst[x] = byte((uint(top[l]) + uint(top[r]) + uint(bottom[l]) + uint(bottom[r]) + 2) >> 2)
	}
}

// Row scales a row of pixels horizontally: for every d,
//
//	dst[d] = (256-Part[d])*src[Index[d]] + Part[d]*src[Index[d]+1]
//
// dst has room for Slack more elements, which may be overwritten. src has at
// least as many pixels as the axis takes.
func Row(dst []uint16, src []byte, a *Axis) {
	_, _ = dst[:len(a.Index)+Slack], src[:a.src]
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

// Blend interpolates two scaled rows and rounds to pixels: for every d below n,
//
//	dst[d] = ((256-part)*top[d] + part*bottom[d] + 32768) >> 16
//
// All three have room for Slack more elements.
func Blend(dst []byte, top, bottom []uint16, n int, part uint16) {
	_, _, _ = dst[:n+Slack], top[:n+Slack], bottom[:n+Slack]
	if n == 0 || cpu.Current() == cpu.PureGo {
		blendGo(dst, top, bottom, n, part)
		return
	}
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
