// Package xmltree reads the small part of XML in which OpenCV stores models:
// elements, text and comments. Attributes are checked and skipped.
//
// Model files are untrusted, and encoding/xml allocates a token for every few
// bytes. Here a document becomes one flat table of elements, 28 bytes each,
// that points into the bytes it was parsed from. Nothing recurses, and both the
// number of elements and their nesting are limited. Whatever can expand a small
// file is refused: document types, entities, CDATA and processing instructions.
package xmltree

import (
	"bytes"
	"fmt"
	"math"
)

// Limits bound what a document may hold. Both must be positive.
type Limits struct {
	Elements int
	Depth    int // of nested elements; the root has depth 1
}

// A LimitError says which limit a document exceeds, and where.
type LimitError struct{ text string }

func (e *LimitError) Error() string { return e.text }

// A Tree is a parsed document.
type Tree struct {
	data  []byte
	elems []element
}

// An element is offsets into the data and indices into the table. Index 0 is
// the root, which is never a child or sibling, so 0 also means "none".
type element struct {
	name, nameEnd      int32
	inner, innerEnd    int32 // between the start tag and the end tag
	parent, next, kids int32 // kids: the first child
}

// An Elem is one element of a tree.
type Elem struct {
	tree  *Tree
	index int32
}

// Parse reads a document. The tree keeps data, which must not change.
func Parse(data []byte, lim Limits) (*Tree, error) {
	if int64(len(data)) > math.MaxInt32 {
		return nil, &LimitError{fmt.Sprintf("%d bytes, want at most %d", len(data), math.MaxInt32)}
	}
	p := parser{Tree: &Tree{data: data}, lim: lim}
	// Every element has a '<' that begins no end tag: the table is made once.
	limit := bytes.Count(data, []byte("<")) - bytes.Count(data, []byte("</"))
	p.elems = make([]element, 0, min(limit, lim.Elements))
	if err := p.document(); err != nil {
		return nil, err
	}
	return p.Tree, nil
}

type parser struct {
	*Tree
	lim  Limits
	open []opened // the elements that have not ended yet
}

type opened struct {
	index    int32
	lastKid  int32
	textFrom int // where the element's own text begins; 0: none so far
}

func (p *parser) document() error {
	pos, err := p.declaration()
	if err != nil {
		return err
	}
	for {
		lt := bytes.IndexByte(p.data[pos:], '<')
		if lt < 0 {
			lt = len(p.data) - pos
		}
		if err := p.text(pos, pos+lt); err != nil {
			return err
		}
		pos += lt
		rest := p.data[pos:]
		switch {
		case len(rest) == 0:
			if len(p.open) > 0 {
				e := p.elem(p.top().index)
				return p.errorf(pos, "the file ends, but <%s> of line %d does not", clip(e.name()), e.Line())
			}
			if len(p.elems) == 0 {
				return p.errorf(pos, "no element, want <opencv_storage>")
			}
			return nil
		case bytes.HasPrefix(rest, []byte("<!--")):
			end := bytes.Index(rest[4:], []byte("-->"))
			if end < 0 {
				return p.errorf(pos, "the comment does not end")
			}
			pos += 4 + end + 3
		case bytes.HasPrefix(rest, []byte("<!")):
			return p.errorf(pos, "document types, entities and CDATA have no place in a model file")
		case bytes.HasPrefix(rest, []byte("<?")):
			return p.errorf(pos, "a processing instruction, want <?xml ...?> at the start of the file only")
		case bytes.HasPrefix(rest, []byte("</")):
			if pos, err = p.endTag(pos); err != nil {
				return err
			}
		default:
			if pos, err = p.startTag(pos); err != nil {
				return err
			}
		}
	}
}

// declaration skips a byte order mark and <?xml ...?>. Any encoding that
// contains ASCII will do: beyond ASCII there are only comments.
func (p *parser) declaration() (int, error) {
	pos := 0
	if bytes.HasPrefix(p.data, []byte("\xef\xbb\xbf")) {
		pos = 3
	}
	if !bytes.HasPrefix(p.data[pos:], []byte("<?xml")) {
		return pos, nil
	}
	end := bytes.Index(p.data[pos:], []byte("?>"))
	if end < 0 {
		return 0, p.errorf(pos, "<?xml does not end")
	}
	decl := p.data[pos : pos+end]
	if _, enc, ok := bytes.Cut(decl, []byte("encoding")); ok {
		enc = bytes.ToUpper(bytes.Trim(enc, " \t\r\n=\"'"))
		for _, wide := range []string{"UTF-16", "UTF16", "UTF-32", "UTF32", "UCS", "ISO-10646", "EBCDIC", "IBM", "CP037"} {
			if bytes.HasPrefix(enc, []byte(wide)) {
				return 0, p.errorf(pos, "encoding %q, want UTF-8 or another that contains ASCII", clip(enc))
			}
		}
	}
	return pos + end + 2, nil
}

// text takes the bytes between two tags.
func (p *parser) text(from, to int) error {
	first := -1
	for i, c := range p.data[from:to] {
		if isSpace(c) {
			continue
		}
		if c == '&' {
			return p.errorf(from+i, "an entity reference (&), want none: they have no place in a model file")
		}
		if c < ' ' {
			return p.errorf(from+i, "a control character (byte %d) in text", c)
		}
		if first < 0 {
			first = from + i
		}
	}
	if first < 0 {
		return nil
	}
	if len(p.open) == 0 {
		return p.errorf(first, "text outside the root element")
	}
	t := p.top()
	if p.elems[t.index].kids != 0 {
		return p.errorf(first, "text between elements")
	}
	if t.textFrom == 0 {
		t.textFrom = first
	}
	return nil
}

func (p *parser) startTag(pos int) (int, error) {
	start := pos
	pos++
	nameEnd := p.name(pos)
	if nameEnd == pos {
		return 0, p.errorf(start, "%q, want an element's name behind <", p.data[start:min(start+8, len(p.data))])
	}
	switch {
	case len(p.open) == 0 && len(p.elems) > 0:
		return 0, p.errorf(start, "a second root element")
	case len(p.elems) >= p.lim.Elements:
		return 0, p.limitf(start, "more than %d elements", p.lim.Elements)
	case len(p.open) >= p.lim.Depth:
		return 0, p.limitf(start, "elements nested deeper than %d", p.lim.Depth)
	}
	index := int32(len(p.elems))
	e := element{name: int32(pos), nameEnd: int32(nameEnd)}
	if len(p.open) > 0 {
		t := p.top()
		if t.textFrom != 0 {
			return 0, p.errorf(t.textFrom, "text between elements")
		}
		e.parent = t.index
		if t.lastKid == 0 {
			p.elems[t.index].kids = index
		} else {
			p.elems[t.lastKid].next = index
		}
		t.lastKid = index
	}
	p.elems = append(p.elems, e)
	pos, empty, err := p.attributes(start, nameEnd)
	if err != nil {
		return 0, err
	}
	p.elems[index].inner, p.elems[index].innerEnd = int32(pos), int32(pos)
	if !empty {
		p.open = append(p.open, opened{index: index})
	}
	return pos, nil
}

// attributes checks what follows a name up to the end of the tag, and reports
// the position behind it and whether the tag ends its element.
func (p *parser) attributes(start, pos int) (int, bool, error) {
	for {
		afterName := pos
		pos = p.space(pos)
		rest := p.data[pos:]
		switch {
		case len(rest) == 0:
			return 0, false, p.errorf(start, "the file ends inside a tag")
		case rest[0] == '>':
			return pos + 1, false, nil
		case bytes.HasPrefix(rest, []byte("/>")):
			return pos + 2, true, nil
		case pos == afterName:
			return 0, false, p.errorf(start, "%q inside a tag", rest[:1])
		}
		key := pos
		pos = p.name(pos)
		eq := p.space(pos)
		if pos == key || eq >= len(p.data) || p.data[eq] != '=' {
			return 0, false, p.errorf(start, "want attributes of the form name=\"value\"")
		}
		pos = p.space(eq + 1)
		if pos >= len(p.data) || p.data[pos] != '"' && p.data[pos] != '\'' {
			return 0, false, p.errorf(start, "an attribute's value has no quotes")
		}
		end := bytes.IndexByte(p.data[pos+1:], p.data[pos])
		if end < 0 || bytes.IndexByte(p.data[pos+1:pos+1+end], '<') >= 0 {
			return 0, false, p.errorf(start, "an attribute's value does not end")
		}
		if bytes.IndexByte(p.data[pos+1:pos+1+end], '&') >= 0 {
			return 0, false, p.errorf(start, "an entity reference (&) in an attribute, want none")
		}
		pos += end + 2
	}
}

func (p *parser) endTag(pos int) (int, error) {
	start := pos
	end := p.name(pos + 2)
	name := p.data[pos+2 : end]
	if len(p.open) == 0 {
		return 0, p.errorf(start, "</%s> ends nothing", clip(name))
	}
	t := p.top()
	if e := p.elem(t.index); string(name) != e.Name() {
		return 0, p.errorf(start, "</%s>, want </%s>, which line %d began", clip(name), clip(e.name()), e.Line())
	}
	pos = p.space(end)
	if pos >= len(p.data) || p.data[pos] != '>' {
		return 0, p.errorf(start, "</%s has no >", name)
	}
	p.elems[t.index].innerEnd = int32(start)
	p.open = p.open[:len(p.open)-1]
	return pos + 1, nil
}

func (p *parser) top() *opened { return &p.open[len(p.open)-1] }

// name returns where the name at pos ends. OpenCV uses no other characters.
func (p *parser) name(pos int) int {
	for i := pos; i < len(p.data); i++ {
		switch c := p.data[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_':
		case i > pos && ('0' <= c && c <= '9' || c == '-'):
		default:
			return i
		}
	}
	return len(p.data)
}

func (p *parser) space(pos int) int {
	for pos < len(p.data) && isSpace(p.data[pos]) {
		pos++
	}
	return pos
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func (p *parser) place(pos int) string {
	s := fmt.Sprintf("line %d", p.line(pos))
	if len(p.open) > 0 {
		s += ", in " + p.elem(p.top().index).Path()
	}
	return s
}

func (p *parser) errorf(pos int, format string, args ...any) error {
	return fmt.Errorf("%s: %s", p.place(pos), fmt.Sprintf(format, args...))
}

func (p *parser) limitf(pos int, format string, args ...any) error {
	return &LimitError{fmt.Sprintf("%s: %s", p.place(pos), fmt.Sprintf(format, args...))}
}

func (t *Tree) line(pos int) int { return 1 + bytes.Count(t.data[:pos], []byte("\n")) }

func (t *Tree) elem(i int32) Elem { return Elem{t, i} }

// Root returns the root element.
func (t *Tree) Root() Elem { return t.elem(0) }

func (e Elem) rec() *element { return &e.tree.elems[e.index] }

// Name returns the element's name.
func (e Elem) Name() string { return string(e.name()) }

// Is reports whether the element has that name.
func (e Elem) Is(name string) bool { return string(e.name()) == name }

func (e Elem) name() []byte { return e.tree.data[e.rec().name:e.rec().nameEnd] }

// Line returns the line on which the element begins, counted from 1.
func (e Elem) Line() int { return e.tree.line(int(e.rec().name)) }

// Path returns the element's path from the root, such as
// /opencv_storage/cascade/stages/_[3]. List elements, which OpenCV calls _,
// have their index, counted from 0. Long names are cut.
func (e Elem) Path() string {
	path := ""
	for {
		part := clip(e.name())
		if part == "_" && e.index != 0 {
			n := 0
			for i := e.tree.elems[e.rec().parent].kids; i != e.index; i = e.tree.elems[i].next {
				n++
			}
			part = fmt.Sprintf("_[%d]", n)
		}
		if path = "/" + part + path; e.index == 0 {
			return path
		}
		e.index = e.rec().parent
	}
}

// First returns the first child.
func (e Elem) First() (Elem, bool) { return e.tree.elem(e.rec().kids), e.rec().kids != 0 }

// Next returns the sibling after e.
func (e Elem) Next() (Elem, bool) { return e.tree.elem(e.rec().next), e.rec().next != 0 }

// Len returns the number of children.
func (e Elem) Len() int {
	n := 0
	for k, ok := e.First(); ok; k, ok = k.Next() {
		n++
	}
	return n
}

// Errorf returns an error that names the element's line and path.
func (e Elem) Errorf(format string, args ...any) error {
	return e.at(e.Line(), format, args...)
}

func (e Elem) at(line int, format string, args ...any) error {
	return fmt.Errorf("line %d, %s: %w", line, e.Path(), fmt.Errorf(format, args...))
}

// Fields returns the words of the element's text. An element with children
// has none.
func (e Elem) Fields() Fields {
	if e.rec().kids != 0 {
		return Fields{elem: e}
	}
	return Fields{elem: e, pos: e.rec().inner, end: e.rec().innerEnd}
}

// Fields iterates over words between white space and comments.
type Fields struct {
	elem     Elem
	pos, end int32
	last     int32
}

// Next returns the next word, or nil after the last.
func (f *Fields) Next() []byte {
	data := f.elem.tree.data[:f.end]
	for f.pos < f.end {
		switch c := data[f.pos]; {
		case isSpace(c):
			f.pos++
		case c == '<': // a comment, which Parse has checked
			f.pos += 4 + int32(bytes.Index(data[f.pos+4:], []byte("-->"))) + 3
		default:
			f.last = f.pos
			for f.pos < f.end && !isSpace(data[f.pos]) && data[f.pos] != '<' {
				f.pos++
			}
			return data[f.last:f.pos]
		}
	}
	f.last = f.end
	return nil
}

// Errorf returns an error that names the line of the last word that Next
// returned, and the element's path.
func (f *Fields) Errorf(format string, args ...any) error {
	line := f.elem.Line()
	if f.last != 0 {
		line = f.elem.tree.line(int(f.last))
	}
	return f.elem.at(line, format, args...)
}

// clip shortens what a hostile file could make long.
func clip(b []byte) string {
	if len(b) > 60 {
		return string(b[:60]) + "..."
	}
	return string(b)
}
