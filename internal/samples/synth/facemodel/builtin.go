package facemodel

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"sync"
)

// The file is a head of lines of text, and bytes:
//
//	haarlem-facemodel 1
//	about LFW and web faces of MTFL
//	size 56 64
//	window 8 16 40
//	oval 448 505 422 505
//	marks 1229 1556 2867 1556 2048 2519 1339 3289 2757 3289
//	shapes 2
//	shape 0 0 0 0 400 -20 0 0 0 0
//	shape 0 0 0 0 0 130 0 0 0 0
//	components 2
//	even 1710
//	odd 1600
//	bytes 5176 92d1a1a4
//
// Size, window (left, top, side) are in pixels of the texture, the oval (its
// centre and half axes) in sixteenths, marks and shapes in 1/4096 of a window.
// A component's number is its scale: one standard deviation of it is pixel
// times scale / 256, in 1/4096 of the standard deviation of a face. The bytes,
// whose number and CRC-32 (IEEE) the last line gives, are the mean, 16 bits a
// pixel with the higher byte first, and then each component, 8 bits a pixel,
// all signed: the pixels of the left half whose centre lies inside the oval,
// row by row.
//
//go:embed frontal.facemodel
var frontalFile []byte

// Builtin returns the built-in model of frontal faces. samples/README.md says
// what it was made from.
var Builtin = sync.OnceValue(func() *Model {
	m, err := read(frontalFile)
	if err != nil {
		panic("facemodel: the built-in model: " + err.Error())
	}
	return m
})

// read reads a model. It trusts the file, which is a part of the program.
func read(file []byte) (*Model, error) {
	h := &head{r: bufio.NewReader(bytes.NewReader(file))}
	h.line("haarlem-facemodel 1\n")
	if _, err := h.r.ReadString('\n'); err != nil { // what it was made from
		return nil, err
	}
	m := &Model{}
	h.line("size %d %d\n", &m.width, &m.height)
	var left, top, side int
	h.line("window %d %d %d\n", &left, &top, &side)
	m.window = image.Rect(left, top, left+side, top+side)
	h.line("oval %d %d %d %d\n", &m.oval.cx, &m.oval.cy, &m.oval.rx, &m.oval.ry)
	m.marks = h.marks("marks")
	m.shapes = make([][NumMarks]mark, h.count("shapes"))
	for i := range m.shapes {
		m.shapes[i] = h.marks("shape")
	}
	m.components = make([]component, h.count("components"))
	for i := range m.components {
		var kind string
		h.line("%s %d\n", &kind, &m.components[i].scale)
		m.components[i].odd = kind == "odd"
	}
	h.line("bytes %d %x\n", new(int), new(uint32)) // whoever copied the file checked them
	if h.err != nil {
		return nil, h.err
	}
	m.setHalf()
	m.mean = make([]int16, len(m.half))
	if err := binary.Read(h.r, binary.BigEndian, m.mean); err != nil {
		return nil, err
	}
	for i := range m.components {
		m.components[i].pix = make([]int8, len(m.half))
		if err := binary.Read(h.r, binary.BigEndian, m.components[i].pix); err != nil {
			return nil, err
		}
	}
	if n, err := io.Copy(io.Discard, h.r); n > 0 || err != nil {
		return nil, fmt.Errorf("%d bytes behind its end (%v)", n, err)
	}
	return m, nil
}

// A head reads lines of text. After the first error it does nothing.
type head struct {
	r   *bufio.Reader
	err error
}

// line reads a line of a form for [fmt.Sscanf].
func (h *head) line(form string, values ...any) {
	if h.err != nil {
		return
	}
	if _, err := fmt.Fscanf(h.r, form, values...); err != nil {
		h.err = fmt.Errorf("%q: %w", form, err)
	}
}

func (h *head) count(name string) (n int) {
	h.line(name+" %d\n", &n)
	return n
}

func (h *head) marks(name string) (m [NumMarks]mark) {
	h.line(name+" %d %d %d %d %d %d %d %d %d %d\n",
		&m[0].x, &m[0].y, &m[1].x, &m[1].y, &m[2].x, &m[2].y, &m[3].x, &m[3].y, &m[4].x, &m[4].y)
	return m
}
