// Package cropresize brings a picture to a square of fixed size, whose pixels are
// weighted means: first rows of the picture to its width, then such rows to a
// row of it.
package cropresize

import "fmt"

const (
	// Side is the number of pixels of the square, each way.
	Side = 40

	// Wide is the largest number of pixels of the picture that one of the
	// square is made of, each way.
	Wide = 8

	// Behind is the number of bytes from the last pixel's first one on.
	Behind = Wide
)

// Parts are the parts of a pixel of the square that places side by side are of,
// each from 0 to 1<<15 - 1.
type Parts [Wide]int32

// Taps says of what each pixel of a row of the square is made.
type Taps struct {
	first [Side]int32
	parts [Wide][Side]int32
	wide  int
	end   int // of what is read
}

// Set makes pixel i be made of so many places from first[i] on, by parts[i],
// whose others are 0.
func (t *Taps) Set(first *[Side]int, parts *[Side]Parts, wide int) {
	if wide < 1 || wide > Wide {
		panic(fmt.Sprintf("cropresize: %d places", wide))
	}
	t.wide, t.end = wide, 0
	for i, at := range first {
		if uint(at) > 1<<30 {
			panic(fmt.Sprintf("cropresize: a pixel from place %d on", at))
		}
		t.first[i] = int32(at)
		t.end = max(t.end, at+Behind)
		for k, part := range parts[i] {
			t.parts[k][i] = part
		}
	}
}

// A Row is a row of the picture, brought to the width of the square.
type Row [Side]int32

// Across makes a row of p, which has Behind bytes from each first place on.
func Across(dst *Row, p []byte, t *Taps) {
	if t.wide == 0 {
		panic("cropresize: taps that are not set")
	}
	across(dst, p[:t.end], t)
}

func acrossGo(dst *Row, p []byte, t *Taps) {
	q := &t.parts
	switch t.wide {
	case 1, 2:
		for i, first := range t.first {
			p := p[first:][:2]
			dst[i] = q[0][i]*int32(p[0]) + q[1][i]*int32(p[1])
		}
	case 3:
		for i, first := range t.first {
			p := p[first:][:3]
			dst[i] = q[0][i]*int32(p[0]) + q[1][i]*int32(p[1]) + q[2][i]*int32(p[2])
		}
	case 4:
		for i, first := range t.first {
			p := p[first:][:4]
			dst[i] = q[0][i]*int32(p[0]) + q[1][i]*int32(p[1]) + q[2][i]*int32(p[2]) + q[3][i]*int32(p[3])
		}
	default:
		for i, first := range t.first {
			p := p[first:][:Wide]
			dst[i] = q[0][i]*int32(p[0]) + q[1][i]*int32(p[1]) + q[2][i]*int32(p[2]) + q[3][i]*int32(p[3]) +
				q[4][i]*int32(p[4]) + q[5][i]*int32(p[5]) + q[6][i]*int32(p[6]) + q[7][i]*int32(p[7])
		}
	}
}

// A Scale multiplies by Factor and shifts to the right by Shift, which is at
// most 63.
type Scale struct {
	Factor uint32
	Shift  uint64
}

// Down makes a row of the square of the rows from first on, where the one after
// the last is the first again: each by its part, in sum, which is from 0 to
// 1<<31 - 1, to scale.
func Down(dst *[Side]int32, rows *[Wide]Row, first int, parts []int32, s Scale) {
	if uint(first) >= Wide || len(parts) < 1 || len(parts) > Wide || s.Shift > 63 {
		panic(fmt.Sprintf("cropresize: %d rows from row %d on, shift %d", len(parts), first, s.Shift))
	}
	down(dst, rows, first, parts, s)
}

func downGo(dst *[Side]int32, rows *[Wide]Row, first int, parts []int32, s Scale) {
	var sums [Side]int32
	for k, part := range parts {
		row := &rows[(first+k)%Wide]
		for i := range sums {
			sums[i] += part * row[i]
		}
	}
	for i, v := range sums {
		dst[i] = int32(uint64(v) * uint64(s.Factor) >> (s.Shift & 63))
	}
}
