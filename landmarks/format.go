package landmarks

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
)

// magic begins a file, and magicCoarse that of a model with coarse levels. All of
// the model follows, in the order of the fields of Model: counts as unsigned
// varints, numbers as signed ones, floating point numbers as the eight bytes of
// their bits, nodes and leaves as bytes, little-endian. The last four bytes are
// the CRC-32 (IEEE) of everything before.
const (
	magic       = "haarlem points 1\n"
	magicCoarse = "haarlem points 2\n" // as long
)

// maxBytes is the largest size of a file.
const maxBytes = 32 << 20

// ErrFormat is wrapped by errors about files that are no model, or a damaged
// one.
var ErrFormat = errors.New("landmarks: not a file of a landmark model")

// Encode writes the model.
func (m *Model) Encode(w io.Writer) error {
	if err := m.Check(); err != nil {
		return err
	}
	e := encoder{buf: []byte(magic)}
	if len(m.Coarse) > 0 {
		e.buf = []byte(magicCoarse)
	}
	e.text(m.Name)
	e.count(len(m.Notes))
	for _, n := range m.Notes {
		e.text(n)
	}
	e.text(m.Box.Name)
	e.float(m.Box.Right)
	e.float(m.Box.Down)
	e.float(m.Box.Side)
	e.count(len(m.Mean))
	e.count(m.Eyes[0])
	e.count(m.Eyes[1])
	e.count(m.Side)
	e.float(m.Reach)
	for _, v := range m.Mean {
		e.vec(v)
	}
	e.levels(m.Levels)
	if len(m.Coarse) > 0 {
		e.levels(m.Coarse)
	}
	e.buf = binary.LittleEndian.AppendUint32(e.buf, crc32.ChecksumIEEE(e.buf))
	_, err := w.Write(e.buf)
	return err
}

type encoder struct{ buf []byte }

func (e *encoder) count(n int)    { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }
func (e *encoder) number(v int32) { e.buf = binary.AppendVarint(e.buf, int64(v)) }
func (e *encoder) vec(v Vec)      { e.number(v.X); e.number(v.Y) }
func (e *encoder) float(v float64) {
	e.buf = binary.LittleEndian.AppendUint64(e.buf, math.Float64bits(v))
}
func (e *encoder) levels(all []Level) {
	e.count(len(all))
	for i := range all {
		l := &all[i]
		e.count(len(l.Features))
		e.count(l.Depth)
		e.count(l.Components)
		e.count(l.Trees())
		for _, f := range l.Features {
			e.count(f.Point)
			e.vec(f.Offset)
		}
		for _, n := range l.Nodes {
			e.buf = append(e.buf, n.A, n.B, byte(n.Above))
		}
		for _, v := range l.Leaves {
			e.buf = append(e.buf, byte(v))
		}
		for _, v := range l.Basis {
			e.number(v)
		}
	}
}

func (e *encoder) text(s string) {
	e.count(len(s))
	e.buf = append(e.buf, s...)
}

// Read reads a model. Errors name the byte.
func Read(r io.Reader) (*Model, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(len(magic))
	coarse := string(head) == magicCoarse
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case !coarse && string(head) != magic:
		return nil, fmt.Errorf("%w: it does not begin with %q or %q", ErrFormat, magic, magicCoarse)
	}
	buf, err := io.ReadAll(io.LimitReader(b, maxBytes+1))
	switch {
	case err != nil:
		return nil, err
	case len(buf) > maxBytes:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrFormat, maxBytes)
	}
	d := decoder{buf: buf, at: len(magic)}
	end := len(buf) - 4
	if end < d.at {
		return nil, fmt.Errorf("%w: it ends after %d bytes", ErrFormat, len(buf))
	}
	d.buf = buf[:end]
	m := d.model()
	if coarse {
		m.Coarse = d.levels("the number of coarse levels", 1, len(m.Mean))
	}
	switch {
	case d.err != nil:
		return nil, fmt.Errorf("%w: %w", ErrFormat, d.err)
	case d.at != end:
		return nil, fmt.Errorf("%w: %d bytes behind its end, at byte %d", ErrFormat, end-d.at, d.at)
	case binary.LittleEndian.Uint32(buf[end:]) != crc32.ChecksumIEEE(buf[:end]):
		return nil, fmt.Errorf("%w: its checksum is wrong: it was damaged", ErrFormat)
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	return m, nil
}

// A decoder keeps its first error, and gives zeros from then on.
type decoder struct {
	buf []byte
	at  int
	err error
}

func (d *decoder) fail(what string, format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%s, at byte %d: %s", what, d.at, fmt.Sprintf(format, args...))
	}
}

// bytes returns the next n bytes.
func (d *decoder) bytes(what string, n int) []byte {
	if d.err == nil && n > len(d.buf)-d.at {
		d.fail(what, "%d bytes are left, want %d", len(d.buf)-d.at, n)
	}
	if d.err != nil {
		return nil
	}
	d.at += n
	return d.buf[d.at-n : d.at]
}

// count reads a number from low to high; it returns low after an error.
func (d *decoder) count(what string, low, high int) int {
	if d.err != nil {
		return low
	}
	v, n := binary.Uvarint(d.buf[d.at:])
	switch {
	case n <= 0:
		d.fail(what, "no whole number")
		return low
	case v < uint64(low) || v > uint64(high):
		d.fail(what, "%d, want %d to %d", v, low, high)
		return low
	}
	d.at += n
	return int(v)
}

func (d *decoder) number(what string) int32 {
	if d.err != nil {
		return 0
	}
	v, n := binary.Varint(d.buf[d.at:])
	switch {
	case n <= 0:
		d.fail(what, "no whole number")
		return 0
	case v != int64(int32(v)):
		d.fail(what, "%d, want a number of 32 bits", v)
		return 0
	}
	d.at += n
	return int32(v)
}

func (d *decoder) vec(what string) Vec { return Vec{d.number(what), d.number(what)} }

func (d *decoder) float(what string) float64 {
	b := d.bytes(what, 8)
	if b == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

func (d *decoder) text(what string, largest int) string {
	return string(bytes.Clone(d.bytes(what, d.count(what, 0, largest))))
}

func (d *decoder) model() *Model {
	m := &Model{Name: d.text("the name", maxName)}
	for range d.count("the number of notes", 0, maxNotes) {
		m.Notes = append(m.Notes, d.text("a note", maxNote))
	}
	m.Box.Name = d.text("the name of the box", maxName)
	m.Box.Right = d.float("the box")
	m.Box.Down = d.float("the box")
	m.Box.Side = d.float("the box")
	points := d.count("the number of points", 2, maxPoints)
	m.Eyes[0] = d.count("the left eye", 0, points-1)
	m.Eyes[1] = d.count("the right eye", 0, points-1)
	m.Side = d.count("the side of the patch", 8, maxSide)
	m.Reach = d.float("the reach of the patch")
	for range points {
		m.Mean = append(m.Mean, d.vec("the mean shape"))
	}
	m.Levels = d.levels("the number of levels", 0, points)
	return m
}

// levels reads levels, of which there are least or more.
func (d *decoder) levels(what string, smallest, points int) (all []Level) {
	for range d.count(what, smallest, maxLevels) {
		all = append(all, d.level(points))
		if d.err != nil {
			break
		}
	}
	return all
}

func (d *decoder) level(points int) Level {
	var l Level
	features := d.count("the number of features", 1, maxFeatures)
	l.Depth = d.count("the depth of trees", 1, maxDepth)
	l.Components = d.count("the number of components", 1, maxComponents)
	trees := d.count("the number of trees", 0, maxTrees)
	for range features {
		f := Feature{Point: d.count("the point of a feature", 0, points-1), Offset: d.vec("the offset of a feature")}
		l.Features = append(l.Features, f)
	}
	if b := d.bytes("nodes", 3*trees*(1<<l.Depth-1)); len(b) > 0 {
		l.Nodes = make([]Node, len(b)/3)
		for i := range l.Nodes {
			l.Nodes[i] = Node{b[3*i], b[3*i+1], int8(b[3*i+2])}
		}
	}
	if b := d.bytes("leaves", trees<<l.Depth*l.Components); len(b) > 0 {
		l.Leaves = make([]int8, len(b))
		for i, v := range b {
			l.Leaves[i] = int8(v)
		}
	}
	n := 2 * points * l.Components
	if d.err == nil && n > len(d.buf)-d.at { // a number takes at least a byte
		d.fail("basis", "%d bytes are left, want %d or more", len(d.buf)-d.at, n)
	}
	if d.err == nil {
		l.Basis = make([]int32, n)
		for i := range l.Basis {
			l.Basis[i] = d.number("basis")
		}
	}
	return l
}
