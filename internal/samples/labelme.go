package samples

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"path"
	"path/filepath"
	"strings"
)

// A labelMeFile is what one JSON file of LabelMe says of one photograph.
type labelMeFile struct {
	Path   string         `json:"imagePath"`
	Shapes []labelMeShape `json:"shapes"`
}

type labelMeShape struct {
	Label     string          `json:"label"`
	Points    [][]float64     `json:"points"`
	Group     *int64          `json:"group_id"`
	Type      string          `json:"shape_type"`
	Flags     map[string]bool `json:"flags"`
	Difficult bool            `json:"difficult"` // of X-AnyLabeling
}

// readLabelMe reads one file. Rectangles, polygons, circles and masks are objects
// with the box around them. Points are landmarks of the object of their group.
func readLabelMe(r io.Reader, file string) (*labelled, error) {
	d := json.NewDecoder(bound(r, maxTextBytes)) // imageData is the picture itself
	fail := func(format string, args ...any) (*labelled, error) {
		return nil, at(file, 0, format, args...)
	}
	var f labelMeFile
	if err := d.Decode(&f); err != nil {
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &kind) && kind.Field == "":
			return fail("a JSON %s, want {: this is not LabelMe", kind.Value)
		case errors.As(err, &kind):
			return fail("%q, behind byte %d, is a %s, want a %s", kind.Field, kind.Offset, kind.Value, jsonKind(kind.Type))
		}
		return nil, jsonError(file, d, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fail("something follows the last }")
	}
	switch {
	case f.Shapes == nil:
		return fail("no \"shapes\": this is not LabelMe")
	case len(f.Shapes) > maxObjects:
		return fail("more than %d shapes: %w", maxObjects, ErrLimit)
	}
	var objects []Object
	groups := map[int64]int{} // to the object
	for i, s := range f.Shapes {
		for k, p := range s.Points {
			if len(p) != 2 {
				return fail("shapes[%d].points[%d] has %d numbers, want x and y", i, k, len(p))
			}
			for _, v := range p {
				if err := checkPlace(v); err != nil {
					return fail("shapes[%d].points[%d]: %w", i, k, err)
				}
			}
		}
		box, ok, err := s.box()
		if err == nil {
			err = checkBox(box)
		}
		if err != nil {
			return fail("shapes[%d]: %w", i, err)
		}
		if !ok {
			continue
		}
		o := Object{Box: box, Ignore: s.Difficult}
		o.tag("class", s.Label)
		if len(s.Flags) > maxColumns {
			return fail("shapes[%d] has more than %d flags: %w", i, maxColumns, ErrLimit)
		}
		for name, is := range s.Flags {
			o.tag(name, map[bool]string{false: "0", true: "1"}[is])
			o.Ignore = o.Ignore || is && (name == "ignore" || name == "difficult")
		}
		if s.Group != nil {
			if _, twice := groups[*s.Group]; twice {
				groups[*s.Group] = -1 // nobody knows whose points they are
			} else {
				groups[*s.Group] = len(objects)
			}
		}
		objects = append(objects, o)
	}
	marks := make([]namedMarks, len(objects))
	for i, s := range f.Shapes {
		if s.Type != "point" || s.Group == nil {
			continue
		}
		if o, ok := groups[*s.Group]; ok && o >= 0 {
			if err := marks[o].set(s.Label, Point{s.Points[0][0], s.Points[0][1]}); err != nil {
				return fail("shapes[%d]: %w", i, err)
			}
		}
	}
	return &labelled{f.Path, labelMePicture(file, f.Path), objects, marks}, nil
}

// box returns the box around a shape that is an area.
func (s *labelMeShape) box() (r image.Rectangle, ok bool, err error) {
	smallest := 2
	switch s.Type {
	case "rectangle", "circle", "mask":
	case "polygon", "": // older files have polygons only
		smallest = 3
	case "rotation": // of X-AnyLabeling
	case "point":
		smallest = 1
	case "line", "linestrip", "points":
		return r, false, nil
	default:
		return r, false, fmt.Errorf("\"shape_type\" is %q, want rectangle, polygon, circle, mask, point, line or linestrip", clip(s.Type))
	}
	if len(s.Points) < smallest {
		return r, false, fmt.Errorf("a %s of %d points, want %d at least", cmp.Or(s.Type, "polygon"), len(s.Points), smallest)
	}
	if s.Type == "point" {
		return r, false, nil
	}
	if s.Type == "circle" { // its middle, and a point on it
		x, y := s.Points[0][0], s.Points[0][1]
		radius := math.Hypot(s.Points[1][0]-x, s.Points[1][1]-y)
		return edges(x-radius, y-radius, x+radius, y+radius), true, nil
	}
	return around(s.Points), true, nil
}

// around returns the box around points.
func around(points [][]float64) image.Rectangle {
	x0, y0 := points[0][0], points[0][1]
	x1, y1 := x0, y0
	for _, p := range points[1:] {
		x0, x1 = min(x0, p[0]), max(x1, p[0])
		y0, y1 = min(y0, p[1]), max(y1, p[1])
	}
	return edges(x0, y0, x1, y1)
}

// labelMePicture finds the photograph of a file: where it says, or beside it under
// the last part of that name or under its own. It is empty if there is none.
func labelMePicture(file, name string) string {
	f := newFinder(file)
	if found, ok := f.exists(name); ok {
		return found
	}
	f.roots = f.roots[:1]
	if found, ok := f.exists(path.Base(strings.ReplaceAll(name, `\`, "/"))); ok && name != "" {
		return found
	}
	found, _ := f.picture(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	return found
}
