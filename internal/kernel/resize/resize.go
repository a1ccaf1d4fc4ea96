// Package resize scales rows of grey pixels bilinearly in fixed point, with
// the arithmetic of OpenCV's INTER_LINEAR_EXACT: no antialiasing, the same
// bits everywhere.
package resize

import "math"

// An Axis says, for every destination pixel of one axis, which two
// neighbouring source pixels it lies between and how much of the second it
// takes, in 1/256.
type Axis struct {
	Src   int // length of the source
	Index []int32
	Part  []uint16 // 0 to 256
}

// NewAxis returns the axis that takes src pixels, at least 2, to dst.
func NewAxis(src, dst int) Axis {
	a := Axis{Src: src, Index: make([]int32, dst), Part: make([]uint16, dst)}
	inv := float64(dst) / float64(src)
	scale := 1 / inv
	for d := range dst {
		// The conversions keep the compiler from fusing multiply and add.
		f := float64(scale*(float64(d)+0.5)) - 0.5
		i := int(math.Floor(f))
		switch {
		case i < 0: // the first pixel alone
			a.Index[d], a.Part[d] = 0, 0
		case i >= src-1: // the last pixel alone
			a.Index[d], a.Part[d] = int32(src-2), 256
		default:
			a.Index[d], a.Part[d] = int32(i), uint16(math.RoundToEven((f-float64(i))*256))
		}
	}
	return a
}

// Row scales one row of pixels horizontally: for every d,
//
//	dst[d] = (256-Part[d])*src[Index[d]] + Part[d]*src[Index[d]+1]
func Row(dst []uint16, src []byte, a *Axis) { row(dst, src, a) }

func rowGo(dst []uint16, src []byte, a *Axis) {
	index := a.Index
	part := a.Part[:len(index)]
	dst = dst[:len(index)]
	for d, i := range index {
		p := src[i : i+2 : i+2]
		l, r := uint32(p[0]), uint32(p[1])
		dst[d] = uint16(l<<8 + uint32(part[d])*(r-l))
	}
}

// Blend mixes two scaled rows and rounds to pixels: for every d,
//
//	dst[d] = ((256-part)*top[d] + part*bottom[d] + 32768) >> 16
func Blend(dst []byte, top, bottom []uint16, part uint16) { blend(dst, top, bottom, part) }

func blendGo(dst []byte, top, bottom []uint16, part uint16) {
	b1 := uint32(part)
	b0 := 256 - b1
	top, bottom = top[:len(dst)], bottom[:len(dst)]
	for d := range dst {
		dst[d] = byte((b0*uint32(top[d]) + b1*uint32(bottom[d]) + 32768) >> 16)
	}
}
