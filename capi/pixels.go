package main

import (
	"fmt"
	"image"
	"math/bits"
	"slices"

	"haarlem/cascade/detector"
	"haarlem/internal/kernel/colour"
)

// A format is one of enum haarlem_format.
type format int

const (
	grey format = iota + 1
	bgr
	rgb
	bgra
	rgba
)

// bytes returns the size of a pixel, or 0 for a format that there is not.
func (f format) bytes() int {
	switch f {
	case grey:
		return 1
	case bgr, rgb:
		return 3
	case bgra, rgba:
		return 4
	}
	return 0
}

func (f format) blueFirst() bool { return f == bgr || f == bgra }

// pixels are a picture in the caller's memory.
type pixels struct {
	format        format
	width, height int
	stride        int

	// pix begins with the row that is first in memory: with a negative stride, the
	// picture's last.
	pix []byte
}

// checkLayout returns the number of bytes from the first pixel in memory to the end of
// the last one.
func checkLayout(f format, width, height, stride int) (int, error) {
	switch {
	case f.bytes() == 0:
		return 0, argument("image.format is %d, want one of enum haarlem_format, 1 to 5", f)
	case width < 0 || height < 0:
		return 0, argument("an image of %d x %d pixels", width, height)
	case width == 0 || height == 0:
		return 0, nil
	case width > detector.MaxPixels/height:
		return 0, fmt.Errorf("%w: %d x %d pixels; the maximum is %d", detector.ErrImageTooLarge, width, height, detector.MaxPixels)
	}
	row := width * f.bytes()
	// No machine has rows so far apart. Then nothing below overflows.
	const far = 1<<(bits.UintSize-2) - 1
	if height > 1 && (stride < -(far/height) || stride > far/height || max(stride, -stride) > far-row) {
		return 0, argument("image.stride is %d, which cannot be with %d rows", stride, height)
	}
	n := (height-1)*max(stride, -stride) + row
	if n > far {
		return 0, argument("image.stride is %d, which cannot be with %d rows", stride, height)
	}
	return n, nil
}

// grey returns the grey levels of p, without a copy where p has them in rows that
// follow one another. buf is memory for them.
func (p *pixels) grey(buf *[]byte) *image.Gray {
	return p.greyPart(buf, image.Rect(0, 0, p.width, p.height))
}

// greyPart is grey where only part of the result is set.
func (p *pixels) greyPart(buf *[]byte, part image.Rectangle) *image.Gray {
	r := image.Rect(0, 0, p.width, p.height)
	if p.format == grey && (p.stride >= p.width || p.height == 1) {
		return &image.Gray{Pix: p.pix, Stride: max(p.stride, p.width), Rect: r}
	}
	n := p.width * p.height
	if cap(*buf) < n {
		*buf = make([]byte, n)
	}
	g := &image.Gray{Pix: (*buf)[:n], Stride: p.width, Rect: r}
	p.fill(g, part)
	return g
}

// fill sets part of g, which is of the size of p, to the grey levels of p. Where p has them
// itself, there is nothing to do.
func (p *pixels) fill(g *image.Gray, part image.Rectangle) {
	if len(p.pix) > 0 && &g.Pix[0] == &p.pix[0] {
		return
	}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		convert(g.Pix[y*g.Stride+part.Min.X:][:part.Dx()], p.row(y)[part.Min.X*p.format.bytes():part.Max.X*p.format.bytes()], p.format)
	}
}

// colour returns p with its colours. The brightness is that of grey. s has memory for
// both, of which the brightness was made already.
func (p *pixels) colour(s *scratch) *image.YCbCr {
	n := p.width * p.height
	s.chroma = slices.Grow(s.chroma[:0], 2*n)[:2*n]
	m := &image.YCbCr{
		Y: s.grey[:n], Cb: s.chroma[:n], Cr: s.chroma[n:], YStride: p.width, CStride: p.width,
		SubsampleRatio: image.YCbCrSubsampleRatio444, Rect: image.Rect(0, 0, p.width, p.height),
	}
	for y := range p.height {
		colour.Chroma(m.Cb[y*p.width:][:p.width], m.Cr[y*p.width:][:p.width], p.row(y), p.format.bytes(), p.format.blueFirst())
	}
	return m
}

// row returns the pixels of row y.
func (p *pixels) row(y int) []byte {
	at := y * p.stride
	if p.stride < 0 {
		at = (p.height - 1 - y) * -p.stride
	}
	return p.pix[at:][:p.width*p.format.bytes()]
}

// convert sets dst to the grey levels of a row of pixels, as OpenCV's cvtColor does.
func convert(dst, row []byte, f format) {
	if f == grey {
		copy(dst, row)
		return
	}
	colour.OpenCV(dst, row, f.bytes(), f.blueFirst())
}
