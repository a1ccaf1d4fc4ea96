package samples

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// An xmlVisitor takes the elements of one XML file as they come. Errors get the
// file and the line.
type xmlVisitor struct {
	root, format string // the root element, and what a file with it is called
	bytes        int64  // limits
	elements     int

	// start is called with the names of the open elements below the root, joined
	// by slashes, end also with the text inside.
	start func(key string, attributes []xml.Attr, line int) error
	end   func(key, text string, line int) error
}

// read reads a file. It uses encoding/xml instead of internal/xmltree, since
// names of files have spaces and entities here. That expands only the five
// entities of XML itself; document types are refused.
func (v *xmlVisitor) read(r io.Reader, file string) error {
	var (
		d     = xml.NewDecoder(bound(r, v.bytes))
		where []string // names of the open elements
		text  []byte
		n     int
	)
	d.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		if low := strings.ToLower(charset); low == "iso-8859-1" || low == "us-ascii" {
			return latin1(in)
		}
		return nil, fmt.Errorf("encoding %q, want UTF-8", clip(charset))
	}
	line := func() int { n, _ := d.InputPos(); return n }
	bad := func(format string, args ...any) error { return at(file, line(), format, args...) }
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return xmlError(file, d, err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return bad("a document type, want none")
		case xml.StartElement:
			if n++; n > v.elements {
				return bad("more than %d elements: %w", v.elements, ErrLimit)
			}
			if len(where) >= maxDepth {
				return bad("elements nested deeper than %d: %w", maxDepth, ErrLimit)
			}
			if len(where) == 0 && t.Name.Local != v.root {
				return bad("<%s>, want <%s>: this is not %s", clip(t.Name.Local), v.root, v.format)
			}
			if len(where) == 0 && n > 1 {
				return bad("a second <%s>, want one a file", v.root)
			}
			where = append(where, t.Name.Local)
			text = text[:0]
			if err := v.start(strings.Join(where[1:], "/"), t.Attr, line()); err != nil {
				return bad("%w", err)
			}
		case xml.CharData:
			if len(where) > 0 {
				text = append(text, t...)
			}
		case xml.EndElement:
			if len(where) == 0 || where[len(where)-1] != t.Name.Local {
				return bad("</%s> ends nothing", clip(t.Name.Local))
			}
			if err := v.end(strings.Join(where[1:], "/"), string(bytes.TrimSpace(text)), line()); err != nil {
				if _, placed := errors.AsType[*LineError](err); placed { // at an element's begin
					return err
				}
				return bad("%w", err)
			}
			where = where[:len(where)-1]
			text = text[:0]
		}
	}
	switch {
	case n == 0:
		return at(file, 0, "no element, want <%s>", v.root)
	case len(where) > 0:
		return bad("the file ends, but <%s> does not", clip(where[len(where)-1]))
	}
	return nil
}

func xmlError(file string, d *xml.Decoder, err error) error {
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return at(file, syntax.Line, "not XML: %s", syntax.Msg)
	}
	line, _ := d.InputPos()
	return &LineError{file, line, fmt.Errorf("not read: %w", err)}
}

// latin1 reads what says that it is ISO 8859-1. Programs on Linux and macOS
// write so above names in UTF-8, and bytes that are UTF-8 by accident are rare.
func latin1(r io.Reader) (io.Reader, error) {
	data, err := io.ReadAll(r)
	if err != nil || utf8.Valid(data) {
		return bytes.NewReader(data), err
	}
	wide := make([]rune, len(data))
	for i, b := range data {
		wide[i] = rune(b)
	}
	return strings.NewReader(string(wide)), nil
}
