package samples

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
)

// imglabTags are attributes of a box that become tags. Only ignore excludes an
// object, as in dlib.
var imglabTags = []string{"difficult", "truncated", "occluded", "pose", "angle", "gender", "age"}

// readImglab reads the XML of dlib's imglab: images, their boxes, and the parts
// of these.
func readImglab(r io.Reader, file string) ([]Photo, error) {
	var (
		g     partGather
		photo = -1
		o     Object
		marks namedMarks
	)
	v := xmlVisitor{root: "dataset", format: "dlib's imglab", bytes: maxTextBytes, elements: maxImglabElements}
	v.start = func(key string, attributes []xml.Attr, _ int) (err error) {
		switch key {
		case "images/image":
			name, ok := attribute(attributes, "file")
			if !ok || name == "" {
				return errors.New("<image> without a file='...'")
			}
			photo, err = g.photo(name)
		case "images/image/box":
			o, err = imglabBox(attributes)
			marks = nil
		case "images/image/box/part":
			name, ok := attribute(attributes, "name")
			if !ok {
				return errors.New("<part> without a name='...'")
			}
			var at [2]float64
			if at, err = numbersOf[[2]float64](attributes, "part", "x", "y"); err == nil {
				err = marks.set(name, Point{at[0], at[1]})
			}
		}
		return err
	}
	v.end = func(key, text string, _ int) error {
		switch key {
		case "images/image/box/label":
			o.tag("class", text)
		case "images/image/box":
			return g.addMarked(photo, o, marks)
		}
		return nil
	}
	if err := v.read(r, file); err != nil {
		return nil, err
	}
	return g.settled(), nil
}

func imglabBox(attributes []xml.Attr) (Object, error) {
	var o Object
	v, err := numbersOf[[4]float64](attributes, "box", "left", "top", "width", "height")
	if err != nil {
		return o, err
	}
	if o.Box, err = cornered(v[0], v[1], v[2], v[3]); err != nil {
		return o, fmt.Errorf("<box>: %w", err)
	}
	ignore, _ := attribute(attributes, "ignore")
	o.Ignore = ignore == "1" || ignore == "true"
	for _, name := range imglabTags {
		if value, ok := attribute(attributes, name); ok {
			o.tag(name, value)
		}
	}
	return o, nil
}

func attribute(all []xml.Attr, name string) (string, bool) {
	for _, a := range all {
		if a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}

// numbersOf returns numbers that are attributes of an element.
func numbersOf[A [2]float64 | [4]float64](all []xml.Attr, element string, names ...string) (A, error) {
	var v A
	for i, name := range names {
		text, ok := attribute(all, name)
		if !ok {
			return v, fmt.Errorf("<%s> without a %s='...'", element, name)
		}
		n, err := number(text)
		if err != nil {
			return v, fmt.Errorf("<%s>, %s: %w", element, name, err)
		}
		v[i] = n
	}
	return v, nil
}
