package samples

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

type cocoImage struct {
	ID   *int64 `json:"id"`
	File string `json:"file_name"`
}

type cocoAnnotation struct {
	Image    *int64      `json:"image_id"`
	Category *int64      `json:"category_id"`
	Box      []float64   `json:"bbox"`
	Crowd    json.Number `json:"iscrowd"`
	Points   []float64   `json:"keypoints"` // x, y and visibility of each
}

type cocoCategory struct {
	ID   *int64 `json:"id"`
	Name string `json:"name"`
}

// marks returns the keypoints; none if one of them is not labelled, which COCO says
// by a visibility of 0: [Object.Marks] are told apart by position.
func (a *cocoAnnotation) marks() ([]Point, error) {
	n := len(a.Points) / 3
	switch {
	case len(a.Points)%3 != 0:
		return nil, fmt.Errorf("\"keypoints\" has %d numbers, want x, y and visibility of each", len(a.Points))
	case n > maxColumns:
		return nil, fmt.Errorf("\"keypoints\" has more than %d points: %w", maxColumns, ErrLimit)
	}
	var marks []Point
	for p := range slices.Chunk(a.Points, 3) {
		for _, v := range p[:2] {
			if err := checkPlace(v); err != nil {
				return nil, fmt.Errorf("\"keypoints\": %w", err)
			}
		}
		switch p[2] {
		case 0:
		case 1, 2:
			marks = append(marks, Point{p[0], p[1]})
		default:
			return nil, fmt.Errorf("\"keypoints\": a visibility of %v, want 0, 1 or 2", p[2])
		}
	}
	if len(marks) < n {
		return nil, nil
	}
	return marks, nil
}

// readCOCO reads the object instances and keypoints of COCO: images, annotations and
// categories, in any order. Everything else is skipped.
func readCOCO(r io.Reader, file string) ([]Photo, error) {
	d := json.NewDecoder(bufio.NewReaderSize(bound(r, maxJSONBytes), 1<<16))
	var (
		g           gather
		images      = map[int64]int{} // id to photo
		categories  = map[int64]string{}
		annotations []cocoAnnotation
		seen        = map[string]bool{}
	)
	wrong := func(err error) error { return jsonError(file, d, err) }
	if t, err := d.Token(); err != nil {
		return nil, wrong(err)
	} else if t != json.Delim('{') {
		return nil, at(file, 0, "%v, want {: this is not COCO", t)
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, wrong(err)
		}
		key, _ := t.(string)
		switch key {
		case "images", "annotations", "categories":
			if seen[key] {
				return nil, at(file, 0, "%q stands twice", key)
			}
			seen[key] = true
		}
		switch key {
		case "images":
			err = elements(d, file, key, maxPhotos, func(m cocoImage) error {
				switch {
				case m.ID == nil:
					return errors.New("no \"id\"")
				case m.File == "":
					return errors.New("no \"file_name\"")
				}
				if _, twice := images[*m.ID]; twice {
					return fmt.Errorf("id %d is given to two images", *m.ID)
				}
				images[*m.ID], err = g.photo(m.File)
				return err
			})
		case "categories":
			err = elements(d, file, key, maxColumns*100, func(c cocoCategory) error {
				if c.ID == nil {
					return errors.New("no \"id\"")
				}
				categories[*c.ID] = c.Name
				return nil
			})
		case "annotations":
			err = elements(d, file, key, maxObjects, func(a cocoAnnotation) error {
				if a.Image == nil {
					return errors.New("no \"image_id\"")
				}
				if len(a.Box) != 4 {
					return fmt.Errorf("\"bbox\" has %d numbers, want x, y, width, height", len(a.Box))
				}
				for _, v := range a.Box {
					if err := checkPlace(v); err != nil {
						return fmt.Errorf("\"bbox\": %w", err)
					}
				}
				if a.Box[2] < 0 || a.Box[3] < 0 {
					return fmt.Errorf("\"bbox\" is %vx%v large, want no less than 0", a.Box[2], a.Box[3])
				}
				if _, err := a.marks(); err != nil {
					return err
				}
				annotations = append(annotations, a)
				return nil
			})
		default:
			err = skip(d)
			if err != nil {
				err = wrong(err)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil { // the last }
		return nil, wrong(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, at(file, 0, "something follows the last }")
	}
	for _, key := range []string{"images", "annotations"} {
		if !seen[key] {
			return nil, at(file, 0, "no %q: this is not COCO", key)
		}
	}
	for i, a := range annotations {
		photo, ok := images[*a.Image]
		if !ok {
			return nil, at(file, 0, "annotations[%d]: no image has the id %d", i, *a.Image)
		}
		marks, _ := a.marks()
		o := Object{
			Marks:  marks,
			Box:    edges(a.Box[0], a.Box[1], a.Box[0]+a.Box[2], a.Box[1]+a.Box[3]),
			Ignore: a.Crowd != "" && a.Crowd != "0",
		}
		if a.Category != nil && seen["categories"] {
			name, ok := categories[*a.Category]
			if !ok {
				return nil, at(file, 0, "annotations[%d]: no category has the id %d", i, *a.Category)
			}
			o.Tags = map[string]string{"class": name}
		}
		if err := g.object(photo, o); err != nil {
			return nil, &LineError{file, 0, err}
		}
	}
	return g.photos, nil
}

// elements decodes those of an array one by one.
func elements[T any](d *json.Decoder, file, key string, largest int, take func(T) error) error {
	t, err := d.Token()
	if err != nil {
		return jsonError(file, d, err)
	}
	if t != json.Delim('[') {
		return at(file, 0, "%q is %v, want an array", key, t)
	}
	for i := 0; d.More(); i++ {
		if i == largest {
			return at(file, 0, "more than %d %s: %w", largest, key, ErrLimit)
		}
		var v T
		if err := d.Decode(&v); err != nil {
			if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
				return at(file, 0, "%s[%d]: %q is a %s, want a %s", key, i, kind.Field, kind.Value, jsonKind(kind.Type))
			}
			return jsonError(file, d, err)
		}
		if err := take(v); err != nil {
			return at(file, 0, "%s[%d]: %w", key, i, err)
		}
	}
	if _, err := d.Token(); err != nil { // the ]
		return jsonError(file, d, err)
	}
	return nil
}

// skip walks over one value without keeping it.
func skip(d *json.Decoder) error {
	for depth := 0; ; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > maxDepth {
				return fmt.Errorf("nested deeper than %d: %w", maxDepth, ErrLimit)
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

func jsonError(file string, d *json.Decoder, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return at(file, 0, "the file ends too early, behind byte %d", d.InputOffset())
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return at(file, 0, "not JSON: %v (near byte %d)", err, d.InputOffset())
	}
	return named(file, err)
}

// cocoRoots are the folders to search for the pictures of a COCO file: beside
// it, and where COCO itself and its tools keep them.
func cocoRoots(file string) []string {
	dir := filepath.Dir(file)
	roots := []string{dir, filepath.Join(dir, "images"), filepath.Join(dir, "..", "images")}
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if _, split, ok := strings.Cut(stem, "_"); ok { // annotations/instances_val2017.json
		roots = append(roots, filepath.Join(dir, "..", split))
	}
	return append(roots, "")
}
