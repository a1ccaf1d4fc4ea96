// Package sixel writes pictures for terminals as sixel graphics: DEC's format of the
// VT240 and VT340, in bands of six rows of pixels (VT330/VT340 Programmer Reference
// Manual, volume 2, chapter 14). Colours are those of a fixed palette, dithered.
package sixel

import (
	"image"
	"strconv"
)

// A palette has so many levels of red, green and blue.
type palette [3]int

// palettes, the largest first. The eye sees most of green.
var palettes = []palette{{6, 7, 6}, {4, 4, 4}, {2, 4, 2}, {2, 2, 2}}

func (p palette) size() int { return p[0] * p[1] * p[2] }

// An Encoder holds memory for one picture at a time, and is used by one goroutine.
type Encoder struct {
	p     palette
	start []byte // all that comes before the size
	// quantised has the level of each channel's value at each place of the dither's
	// matrix, times its weight in a colour's number.
	quantised [3][64][256]uint8

	band []byte // six pixels of each column for each colour
	used []span // of each colour, the columns in which it is in the band
}

// A span is from the first column to the one behind the last; empty if to is 0.
type span struct{ from, to int }

// New returns an encoder for a terminal with so many colour registers: 252 are used if
// there are as many, and 8 at least.
func New(registers int) *Encoder {
	e := &Encoder{p: palettes[len(palettes)-1]}
	for _, p := range palettes {
		if p.size() <= registers {
			e.p = p
			break
		}
	}
	n := e.p
	weights := [3]int{n[1] * n[2], n[2], 1}
	for channel := range 3 {
		for at := range 64 {
			// Thresholds in the middle of each of the matrix' steps.
			threshold := (2*bayer(at%8, at/8) + 1) * 255 / 128
			for v := range 256 {
				level := (v*(n[channel]-1) + threshold) / 255
				e.quantised[channel][at][v] = uint8(min(level, n[channel]-1) * weights[channel])
			}
		}
	}
	// 1: what is not drawn stays as it is, and nothing is cleared, which would flicker.
	e.start = append(e.start, "\x1bP0;1q"...)
	for c := range n.size() {
		e.start = append(e.start, '#')
		e.start = strconv.AppendInt(e.start, int64(c), 10)
		e.start = append(e.start, ";2"...) // RGB, in per cent
		for channel := range 3 {
			level, largest := c/weights[channel]%n[channel], n[channel]-1
			e.start = append(e.start, ';')
			e.start = strconv.AppendInt(e.start, int64((100*level+largest/2)/largest), 10)
		}
	}
	e.used = make([]span, n.size())
	return e
}

// bayer is the matrix of 8x8 for ordered dithering: 0 to 63 (Bayer, "An optimum method
// for two-level rendition of continuous-tone pictures", 1973).
func bayer(x, y int) int {
	v := 0
	for bit := range 3 {
		v = v<<2 | (x>>bit&1^y>>bit&1)<<1 | y>>bit&1
	}
	return v
}

// Append appends the picture to out. Alpha is not looked at.
func (e *Encoder) Append(out []byte, m *image.RGBA) []byte {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	if n := w * e.p.size(); cap(e.band) < n {
		e.band = make([]byte, n)
	}
	// The size, in square pixels, stands before the colours.
	intro := len("\x1bP0;1q")
	out = append(out, e.start[:intro]...)
	out = append(out, "\"1;1;"...)
	out = strconv.AppendInt(out, int64(w), 10)
	out = append(out, ';')
	out = strconv.AppendInt(out, int64(h), 10)
	out = append(out, e.start[intro:]...)
	for y := 0; y < h; y += 6 {
		if y > 0 {
			out = append(out, '-') // the next band
		}
		out = e.appendBand(out, m, y)
	}
	return append(out, "\x1b\\"...)
}

// appendBand appends the six rows from y on.
func (e *Encoder) appendBand(out []byte, m *image.RGBA, y int) []byte {
	w := m.Rect.Dx()
	clear(e.used)
	for row := range min(6, m.Rect.Dy()-y) {
		pix := m.Pix[(y+row)*m.Stride:][:4*w]
		at := (y + row) % 8 * 8
		for x := range w {
			k := at + x%8
			c := int(e.quantised[0][k][pix[4*x]]) + int(e.quantised[1][k][pix[4*x+1]]) + int(e.quantised[2][k][pix[4*x+2]])
			s := &e.used[c]
			column := e.band[c*w : c*w+w]
			if s.to == 0 {
				clear(column)
				s.from, s.to = x, x+1
			}
			s.from, s.to = min(s.from, x), max(s.to, x+1)
			column[x] |= 1 << row
		}
	}
	first := true
	for c, s := range e.used {
		if s.to == 0 {
			continue
		}
		if !first {
			out = append(out, '$') // the same band again, from its left
		}
		first = false
		out = append(out, '#')
		out = strconv.AppendInt(out, int64(c), 10)
		column := e.band[c*w : c*w+w]
		out = appendRun(out, 0, s.from)
		for x := s.from; x < s.to; {
			end := x + 1
			for end < s.to && column[end] == column[x] {
				end++
			}
			out = appendRun(out, column[x], end-x)
			x = end
		}
	}
	return out
}

// appendRun appends n columns of the same six pixels.
func appendRun(out []byte, six byte, n int) []byte {
	if n > 3 {
		out = append(out, '!')
		out = strconv.AppendInt(out, int64(n), 10)
		n = 1
	}
	for range n {
		out = append(out, '?'+six)
	}
	return out
}
