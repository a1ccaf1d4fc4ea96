package samples

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"
)

// A vocFile is the content of one XML file of Pascal VOC.
type vocFile struct {
	filename, folder, path string
	objects                []Object
}

// readVOC reads one photograph's XML.
func readVOC(r io.Reader, file string) (*labelled, error) {
	var (
		f vocFile
		o *vocObject
	)
	v := xmlVisitor{root: "annotation", format: "Pascal VOC", bytes: maxXMLBytes, elements: maxElements}
	v.start = func(key string, _ []xml.Attr, line int) error {
		if key != "object" {
			return nil
		}
		if len(f.objects) >= maxObjects {
			return fmt.Errorf("more than %d objects: %w", maxObjects, ErrLimit)
		}
		o = &vocObject{line: line}
		return nil
	}
	v.end = func(key, value string, _ int) error {
		switch {
		case key == "filename":
			f.filename = value
		case key == "folder":
			f.folder = value
		case key == "path":
			f.path = value
		case key == "object":
			object, err := o.object()
			if err != nil {
				return at(file, o.line, "object %d: %w", len(f.objects)+1, err)
			}
			f.objects = append(f.objects, object)
			o = nil
		case o != nil:
			if err := o.set(strings.TrimPrefix(key, "object/"), value); err != nil {
				return fmt.Errorf("object %d: %w", len(f.objects)+1, err)
			}
		}
		return nil
	}
	if err := v.read(r, file); err != nil {
		return nil, err
	}
	return &labelled{f.filename, f.picture(file), f.objects, nil}, nil
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
// where VOC and its tools keep pictures, in the working directory. It is empty if there is none.
func (v *vocFile) picture(file string) string {
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
			return p
		}
	}
	// Some tools write the name without extension, or none at all.
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	for _, n := range []string{v.filename, stem} {
		if p, ok := f.picture(n); ok {
			return p
		}
	}
	return ""
}
