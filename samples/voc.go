package samples

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A vocFile is the content of one XML file of Pascal VOC.
type vocFile struct {
	filename, folder, path string
	objects                []Object
}

// readVOC reads one photograph's XML. It uses encoding/xml instead of
// internal/xmltree, since names of files have spaces and entities here. That
// expands only the five entities of XML itself; document types are refused.
func readVOC(r io.Reader, file string) (*vocFile, error) {
	var (
		v     vocFile
		d     = xml.NewDecoder(bound(r, maxXMLBytes))
		where []string // names of the open elements
		text  []byte
		o     *vocObject
		n     int
	)
	d.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("encoding %q, want UTF-8", clip(charset))
	}
	bad := func(format string, args ...any) error {
		line, _ := d.InputPos()
		return at(file, line, format, args...)
	}
	for {
		token, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, xmlError(file, d, err)
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, bad("a document type, want none")
		case xml.StartElement:
			if n++; n > maxElements {
				return nil, bad("more than %d elements: %w", maxElements, ErrLimit)
			}
			if len(where) >= maxDepth {
				return nil, bad("elements nested deeper than %d: %w", maxDepth, ErrLimit)
			}
			if len(where) == 0 && t.Name.Local != "annotation" {
				return nil, bad("<%s>, want <annotation>: this is not Pascal VOC", clip(t.Name.Local))
			}
			if len(where) == 0 && n > 1 {
				return nil, bad("a second <annotation>, want one a file")
			}
			where = append(where, t.Name.Local)
			text = text[:0]
			if len(where) == 2 && t.Name.Local == "object" {
				if len(v.objects) >= maxObjects {
					return nil, bad("more than %d objects: %w", maxObjects, ErrLimit)
				}
				line, _ := d.InputPos()
				o = &vocObject{line: line}
			}
		case xml.CharData:
			if len(where) > 0 {
				text = append(text, t...)
			}
		case xml.EndElement:
			if len(where) == 0 || where[len(where)-1] != t.Name.Local {
				return nil, bad("</%s> ends nothing", clip(t.Name.Local))
			}
			value := string(bytes.TrimSpace(text))
			switch key := strings.Join(where[1:], "/"); {
			case key == "filename":
				v.filename = value
			case key == "folder":
				v.folder = value
			case key == "path":
				v.path = value
			case key == "object":
				object, err := o.object()
				if err != nil {
					return nil, at(file, o.line, "object %d: %w", len(v.objects)+1, err)
				}
				v.objects = append(v.objects, object)
				o = nil
			case o != nil:
				if err := o.set(strings.TrimPrefix(key, "object/"), value); err != nil {
					return nil, bad("object %d: %w", len(v.objects)+1, err)
				}
			}
			where = where[:len(where)-1]
			text = text[:0]
		}
	}
	switch {
	case n == 0:
		return nil, at(file, 0, "no element, want <annotation>")
	case len(where) > 0:
		return nil, bad("the file ends, but <%s> does not", clip(where[len(where)-1]))
	}
	return &v, nil
}

func xmlError(file string, d *xml.Decoder, err error) error {
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return at(file, syntax.Line, "not XML: %s", syntax.Msg)
	}
	line, _ := d.InputPos()
	return &LineError{file, line, fmt.Errorf("not read: %w", err)}
}

// A vocObject is an unfinished <object>.
type vocObject struct {
	line int
	box  [4]float64
	have [4]bool
	Object
}

var vocEdges = [4]string{"xmin", "ymin", "xmax", "ymax"}

// set sets a field from an element inside an <object>. The box of a <part> is
// ignored.
func (o *vocObject) set(key, value string) error {
	for i, edge := range vocEdges {
		if key == "bndbox/"+edge {
			v, err := number(value)
			if err != nil {
				return fmt.Errorf("<%s>: %w", edge, err)
			}
			o.box[i], o.have[i] = v, true
			return nil
		}
	}
	switch key {
	case "difficult":
		o.Ignore = value == "1"
	case "name":
		o.tag("class", value)
	case "pose", "truncated", "occluded":
		o.tag(key, value)
	}
	return nil
}

func (o *Object) tag(key, value string) {
	if o.Tags == nil {
		o.Tags = map[string]string{}
	}
	o.Tags[key] = value
}

// object makes a box of the edges, which are pixels counted from 1, the last
// one included.
func (o *vocObject) object() (Object, error) {
	for i, edge := range vocEdges {
		if !o.have[i] {
			return Object{}, fmt.Errorf("no <%s> in a <bndbox>", edge)
		}
	}
	x0, y0, x1, y1 := o.box[0], o.box[1], o.box[2], o.box[3]
	switch {
	case x1 < x0:
		return Object{}, fmt.Errorf("<xmax> %v is less than <xmin> %v", x1, x0)
	case y1 < y0:
		return Object{}, fmt.Errorf("<ymax> %v is less than <ymin> %v", y1, y0)
	}
	o.Box = edges(x0-1, y0-1, x1, y1)
	return o.Object, nil
}

// picture finds the photograph of a VOC file: beside the file, in the folders
// where VOC and its tools keep pictures, in the working directory.
func (v *vocFile) picture(file string) (string, bool) {
	dir := filepath.Dir(file)
	f := finder{roots: []string{dir, filepath.Join(dir, "..", "JPEGImages"), filepath.Join(dir, "..", "images"), ""}}
	if v.folder != "" && filepath.IsLocal(filepath.FromSlash(v.folder)) {
		f.roots = append(f.roots, filepath.Join(dir, "..", v.folder))
	}
	names := []string{v.filename}
	if v.path != "" {
		// Often of another machine: try its last part.
		names = append(names, v.path, path.Base(strings.ReplaceAll(v.path, `\`, "/")))
	}
	for _, n := range names {
		if p, ok := f.exists(n); ok {
			return p, true
		}
	}
	// Some tools write the name without extension, or none at all.
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	for _, n := range []string{v.filename, stem} {
		for _, ext := range endings() {
			if n == "" {
				continue
			}
			if p, ok := f.exists(n + ext); ok {
				return p, true
			}
		}
	}
	return "", false
}

// readVOCs reads one file, or all of a folder.
func readVOCs(root string, files []string) ([]Photo, error) {
	var g gather
	missing := finder{err: MissingError{List: root}}
	for _, file := range files {
		in, err := os.Open(file)
		if err != nil {
			return nil, named(file, err)
		}
		v, err := readVOC(in, file)
		in.Close()
		if err != nil {
			return nil, err
		}
		missing.err.Of++
		path, ok := v.picture(file)
		if !ok {
			name := v.filename
			if name == "" {
				name = "the picture of " + file
			}
			missing.miss(name)
			continue
		}
		photo, err := g.photo(path)
		for i := 0; i < len(v.objects) && err == nil; i++ {
			err = g.object(photo, v.objects[i])
		}
		if err != nil {
			return nil, &LineError{file, 0, err}
		}
	}
	return g.photos, missing.missing()
}
