package landmarks

import (
	"bufio"
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
	c := codec{buf: []byte(magic), writes: true}
	if len(m.Coarse) > 0 {
		c.buf = []byte(magicCoarse)
	}
	c.model(m, len(m.Coarse) > 0)
	_, err := w.Write(binary.LittleEndian.AppendUint32(c.buf, crc32.ChecksumIEEE(c.buf)))
	return err
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
	end := len(buf) - 4
	if end < len(magic) {
		return nil, fmt.Errorf("%w: it ends after %d bytes", ErrFormat, len(buf))
	}
	d, m := codec{buf: buf[:end], at: len(magic)}, &Model{}
	if err := d.read(m, coarse); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	switch {
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

// A codec reads or writes a model field by field. Reading, it sets what it is given
// pointers to, and panics with a bailout where that is not possible.
type codec struct {
	buf    []byte
	at     int // what is read next
	writes bool
}

type bailout struct{ err error }

// read reads a model.
func (c *codec) read(m *Model, coarse bool) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case bailout:
			err = p.err
		default:
			panic(p)
		}
	}()
	c.model(m, coarse)
	return nil
}

func (c *codec) fail(what string, format string, args ...any) {
	panic(bailout{fmt.Errorf("%s, at byte %d: %s", what, c.at, fmt.Sprintf(format, args...))})
}

// left fails unless as many bytes are left to read.
func (c *codec) left(what string, n int, more string) {
	if n > len(c.buf)-c.at {
		c.fail(what, "%d bytes are left, want %d%s", len(c.buf)-c.at, n, more)
	}
}

// bytes returns the next n bytes, to be read or written.
func (c *codec) bytes(what string, n int) []byte {
	if c.writes {
		c.buf = append(c.buf, make([]byte, n)...)
		return c.buf[len(c.buf)-n:]
	}
	c.left(what, n, "")
	c.at += n
	return c.buf[c.at-n : c.at]
}

// count is a number from low to high.
func (c *codec) count(what string, p *int, low, high int) {
	if c.writes {
		c.buf = binary.AppendUvarint(c.buf, uint64(*p))
		return
	}
	v, n := binary.Uvarint(c.buf[c.at:])
	switch {
	case n <= 0:
		c.fail(what, "no whole number")
	case v < uint64(low) || v > uint64(high):
		c.fail(what, "%d, want %d to %d", v, low, high)
	}
	*p, c.at = int(v), c.at+n
}

func (c *codec) number(what string, p *int32) {
	if c.writes {
		c.buf = binary.AppendVarint(c.buf, int64(*p))
		return
	}
	v, n := binary.Varint(c.buf[c.at:])
	switch {
	case n <= 0:
		c.fail(what, "no whole number")
	case v != int64(int32(v)):
		c.fail(what, "%d, want a number of 32 bits", v)
	}
	*p, c.at = int32(v), c.at+n
}

func (c *codec) vec(what string, p *Vec) {
	c.number(what, &p.X)
	c.number(what, &p.Y)
}

func (c *codec) float(what string, p *float64) {
	if b := c.bytes(what, 8); c.writes {
		binary.LittleEndian.PutUint64(b, math.Float64bits(*p))
	} else {
		*p = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
}

func (c *codec) text(what string, p *string, largest int) {
	n := len(*p)
	c.count(what, &n, 0, largest)
	if b := c.bytes(what, n); c.writes {
		copy(b, *p)
	} else {
		*p = string(b)
	}
}

// list is the number of elements of a list, which is made when it is read.
func list[T any](c *codec, what string, p *[]T, low, high int) {
	n := len(*p)
	if c.count(what, &n, low, high); n != len(*p) {
		*p = make([]T, n)
	}
}

func (c *codec) model(m *Model, coarse bool) {
	c.text("the name", &m.Name, maxName)
	list(c, "the number of notes", &m.Notes, 0, maxNotes)
	for i := range m.Notes {
		c.text("a note", &m.Notes[i], maxNote)
	}
	c.text("the name of the box", &m.Box.Name, maxName)
	for _, p := range []*float64{&m.Box.Right, &m.Box.Down, &m.Box.Side} {
		c.float("the box", p)
	}
	list(c, "the number of points", &m.Mean, 2, maxPoints)
	points := len(m.Mean)
	c.count("the left eye", &m.Eyes[0], 0, points-1)
	c.count("the right eye", &m.Eyes[1], 0, points-1)
	c.count("the side of the patch", &m.Side, 8, maxSide)
	c.float("the reach of the patch", &m.Reach)
	for i := range m.Mean {
		c.vec("the mean shape", &m.Mean[i])
	}
	list(c, "the number of levels", &m.Levels, 0, maxLevels)
	for i := range m.Levels {
		c.level(&m.Levels[i], points)
	}
	if coarse {
		list(c, "the number of coarse levels", &m.Coarse, 1, maxLevels)
	}
	for i := range m.Coarse {
		c.level(&m.Coarse[i], points)
	}
}

func (c *codec) level(l *Level, points int) {
	features, trees := len(l.Features), 0
	if c.writes {
		trees = l.Trees()
	}
	c.count("the number of features", &features, 1, maxFeatures)
	c.count("the depth of trees", &l.Depth, 1, maxDepth)
	c.count("the number of components", &l.Components, 1, maxComponents)
	c.count("the number of trees", &trees, 0, maxTrees)
	if !c.writes {
		l.Features = make([]Feature, features)
	}
	for i := range l.Features {
		c.count("the point of a feature", &l.Features[i].Point, 0, points-1)
		c.vec("the offset of a feature", &l.Features[i].Offset)
	}
	nodes := c.bytes("nodes", 3*trees*(1<<l.Depth-1))
	if c.writes {
		for i, n := range l.Nodes {
			nodes[3*i], nodes[3*i+1], nodes[3*i+2] = n.A, n.B, byte(n.Above)
		}
	} else if trees > 0 {
		l.Nodes = make([]Node, len(nodes)/3)
		for i := range l.Nodes {
			l.Nodes[i] = Node{nodes[3*i], nodes[3*i+1], int8(nodes[3*i+2])}
		}
	}
	leaves := c.bytes("leaves", trees<<l.Depth*l.Components)
	if !c.writes && trees > 0 {
		l.Leaves = make([]int8, len(leaves))
	}
	for i := range l.Leaves {
		if c.writes {
			leaves[i] = byte(l.Leaves[i])
		} else {
			l.Leaves[i] = int8(leaves[i])
		}
	}
	if n := 2 * points * l.Components; !c.writes {
		c.left("basis", n, " or more") // a number takes at least a byte
		l.Basis = make([]int32, n)
	}
	for i := range l.Basis {
		c.number("basis", &l.Basis[i])
	}
}
