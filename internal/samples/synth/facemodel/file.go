package facemodel

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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
// There is one way to write a model: numbers have no needless signs or zeros,
// fields are divided by one blank, lines end with one line feed.

const magic = "haarlem-facemodel 1"

// ErrFormat is wrapped by errors of Read, except those of its reader.
var ErrFormat = errors.New("no face model that can be read")

const maxLine = maxAbout + 16

// Encode writes m. The same model gives the same bytes.
func (m *Model) Encode(w io.Writer) error {
	var data []byte
	for _, v := range m.mean {
		data = binary.BigEndian.AppendUint16(data, uint16(v))
	}
	for _, c := range m.components {
		for _, q := range c.pix {
			data = append(data, byte(q))
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nabout %s\n", magic, m.about)
	fmt.Fprintf(&b, "size %d %d\n", m.width, m.height)
	fmt.Fprintf(&b, "window %d %d %d\n", m.window.Min.X, m.window.Min.Y, m.window.Dx())
	fmt.Fprintf(&b, "oval %d %d %d %d\n", m.oval.cx, m.oval.cy, m.oval.rx, m.oval.ry)
	marks := func(name string, ms [NumMarks]mark) {
		b.WriteString(name)
		for _, k := range ms {
			fmt.Fprintf(&b, " %d %d", k.x, k.y)
		}
		b.WriteByte('\n')
	}
	marks("marks", m.marks)
	fmt.Fprintf(&b, "shapes %d\n", len(m.shapes))
	for _, s := range m.shapes {
		marks("shape", s)
	}
	fmt.Fprintf(&b, "components %d\n", len(m.components))
	for _, c := range m.components {
		fmt.Fprintf(&b, "%s %d\n", map[bool]string{false: "even", true: "odd"}[c.odd], c.scale)
	}
	fmt.Fprintf(&b, "bytes %d %08x\n", len(data), crc32.ChecksumIEEE(data))
	b.Write(data)
	_, err := w.Write(b.Bytes())
	return err
}

// Read reads a model, to the end of r. Files are not trusted: what they promise
// is bounded before memory is taken, 45 MB at most.
func Read(r io.Reader) (*Model, error) {
	h := &head{r: bufio.NewReaderSize(r, maxLine)}
	m := &Model{}
	h.text(magic)
	m.about = h.about()
	size := h.numbers("size", 2, 1, maxSide)
	window := h.numbers("window", 3, 0, maxSide)
	o := h.numbers("oval", 4, 0, 16*maxSide)
	if h.err == nil {
		m.width, m.height = size[0], size[1]
		m.window = image.Rect(window[0], window[1], window[0]+window[2], window[1]+window[2])
		m.oval = oval{o[0], o[1], o[2], o[3]}
		if err := m.checkFrame(); err != nil {
			h.fail("%v", err)
		}
	}
	m.marks = h.marks("marks")
	for n := h.count("shapes", maxShapes); n > 0 && h.err == nil; n-- {
		m.shapes = append(m.shapes, h.marks("shape"))
	}
	for n := h.count("components", maxComponents); n > 0 && h.err == nil; n-- {
		m.components = append(m.components, h.component())
	}
	if h.err != nil {
		return nil, h.err
	}
	m.setHalf()
	pixels := len(m.half)
	want := (2 + len(m.components)) * pixels
	sum := h.bytes(want)
	if h.err != nil {
		return nil, h.err
	}
	data := make([]byte, want)
	if n, err := io.ReadFull(h.r, data); err != nil {
		return nil, damaged(err, fmt.Sprintf("byte %d of %d behind the head", n, want))
	}
	if got := crc32.ChecksumIEEE(data); got != sum {
		return nil, fmt.Errorf("%w: the bytes behind the head have the checksum %08x, the head says %08x", ErrFormat, got, sum)
	}
	switch _, err := h.r.ReadByte(); {
	case err == nil:
		return nil, fmt.Errorf("%w: there is more behind its last byte", ErrFormat)
	case err != io.EOF:
		return nil, err
	}
	m.mean = make([]int16, pixels)
	for i := range m.mean {
		m.mean[i] = int16(binary.BigEndian.Uint16(data[2*i:]))
	}
	data = data[2*pixels:]
	for k := range m.components {
		c := &m.components[k]
		c.pix = make([]int8, pixels)
		for i := range c.pix {
			c.pix[i] = int8(data[i])
		}
		data = data[pixels:]
	}
	return m, nil
}

// damaged returns an error for a truncated file; other errors are unchanged.
func damaged(err error, where string) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: it is cut off at %s", ErrFormat, where)
	}
	return err
}

// checkAbout reports an error in a text for the file.
func checkAbout(s string) error {
	switch {
	case len(s) > maxAbout:
		return fmt.Errorf("%d bytes, want at most %d", len(s), maxAbout)
	case !utf8.ValidString(s):
		return errors.New("no UTF-8")
	case strings.ContainsFunc(s, unicode.IsControl):
		return errors.New("a control character, want one line of text")
	}
	return nil
}

// A head reads the lines of text. After the first error it does nothing.
type head struct {
	r    *bufio.Reader
	line int
	err  error
}

func (h *head) fail(format string, args ...any) {
	if h.err == nil {
		h.err = fmt.Errorf("%w: line %d: %s", ErrFormat, h.line, fmt.Sprintf(format, args...))
	}
}

// next returns the next line without its end.
func (h *head) next() string {
	if h.err != nil {
		return ""
	}
	h.line++
	b, err := h.r.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		h.fail("longer than %d bytes", maxLine-1)
		return ""
	case err != nil:
		h.err = damaged(err, "line "+strconv.Itoa(h.line))
		return ""
	}
	return string(b[:len(b)-1])
}

func (h *head) text(want string) {
	if got := h.next(); got != want {
		h.fail("%q, want %q", cut(got), want)
	}
}

func (h *head) about() string {
	s, ok := strings.CutPrefix(h.next(), "about ")
	if !ok {
		h.fail("want \"about\" and a text")
		return ""
	}
	if err := checkAbout(s); err != nil {
		h.fail("about: %v", err)
	}
	return s
}

// cut shortens text that errors quote.
func cut(s string) string {
	if len(s) > 60 {
		return s[:60] + "..."
	}
	return s
}

// numbers reads a line of a name and n numbers from lo to hi.
func (h *head) numbers(name string, n, lo, hi int) []int {
	line := h.next()
	fields := strings.Split(line, " ")
	if fields[0] != name || len(fields) != n+1 {
		h.fail("%q, want %q and %d numbers", cut(line), name, n)
	}
	if h.err != nil {
		return make([]int, n)
	}
	out := make([]int, n)
	for i, f := range fields[1:] {
		out[i] = h.number(name, f, lo, hi)
	}
	return out
}

func (h *head) number(name, field string, lo, hi int) int {
	v, err := strconv.Atoi(field)
	if err != nil || v < lo || v > hi || strconv.Itoa(v) != field {
		h.fail("%s: %q, want a number from %d to %d", name, cut(field), lo, hi)
		return lo
	}
	return v
}

func (h *head) count(name string, largest int) int { return h.numbers(name, 1, 0, largest)[0] }

func (h *head) marks(name string) (out [NumMarks]mark) {
	for i, v := range h.numbers(name, 2*NumMarks, -maxMark, maxMark) {
		if i%2 == 0 {
			out[i/2].x = int32(v)
		} else {
			out[i/2].y = int32(v)
		}
	}
	return out
}

func (h *head) component() component {
	line := h.next()
	kind, field, _ := strings.Cut(line, " ")
	if kind != "even" && kind != "odd" {
		h.fail("%q, want \"even\" or \"odd\" and a number", cut(line))
	}
	if h.err != nil {
		return component{}
	}
	return component{odd: kind == "odd", scale: int32(h.number(kind, field, 1, maxScale))}
}

// bytes reads the last line of the head and returns the checksum.
func (h *head) bytes(want int) uint32 {
	line := h.next()
	fields := strings.Split(line, " ")
	if h.err != nil {
		return 0
	}
	if len(fields) != 3 || fields[0] != "bytes" {
		h.fail("%q, want \"bytes\", their number and their checksum", cut(line))
		return 0
	}
	if n := h.number("bytes", fields[1], 0, 1<<30); h.err == nil && n != want {
		h.fail("bytes: %d, want %d for such textures", n, want)
	}
	sum, err := strconv.ParseUint(fields[2], 16, 32)
	if err != nil || fmt.Sprintf("%08x", sum) != fields[2] {
		h.fail("bytes: the checksum %q, want eight digits", cut(fields[2]))
	}
	return uint32(sum)
}
