package samples

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// readYOLO reads the boxes of one photograph: class, centre and size as
// fractions of the image's width and height, or the corners of a polygon, whose
// box is taken.
func readYOLO(r io.Reader, file string, classes []string, width, height int) ([]Object, error) {
	var objects []Object
	fields := [...]string{"class", "centre x", "centre y", "width", "height"}
	err := lines(r, file, maxYOLOBytes, func(_ int, text string) error {
		words := strings.Fields(text)
		polygon := len(words) >= 7 && len(words)%2 == 1
		if len(words) != len(fields) && !polygon {
			return fmt.Errorf("%d numbers, want 5: class, centre x, centre y, width, height", len(words))
		}
		class, err := strconv.Atoi(words[0])
		if err != nil || class < 0 {
			return fmt.Errorf("class %q, want a number from 0", clip(words[0]))
		}
		name := strconv.Itoa(class)
		if classes != nil {
			if class >= len(classes) {
				return fmt.Errorf("class %d, but there are %d names of classes", class, len(classes))
			}
			name = classes[class]
		}
		v := make([]float64, len(words))
		for i := 1; i < len(v); i++ {
			field := fmt.Sprintf("number %d", i+1)
			if !polygon {
				field = fields[i]
			}
			if v[i], err = number(words[i]); err != nil {
				return fmt.Errorf("%s: %w", field, err)
			}
			// Tools round, sometimes slightly over the edge.
			if v[i] < 0 || v[i] > 1.001 {
				return fmt.Errorf("%s: %s, want a part of the picture, from 0 to 1", field, words[i])
			}
			if !polygon && i >= 3 && v[i] == 0 {
				return fmt.Errorf("%s: 0, want more than 0", field)
			}
		}
		if len(objects) >= maxObjects {
			return fmt.Errorf("more than %d objects: %w", maxObjects, ErrLimit)
		}
		w, h := float64(width), float64(height)
		o := Object{Tags: map[string]string{"class": name}}
		if polygon {
			var corners [][]float64
			for i := 1; i < len(v); i += 2 {
				corners = append(corners, []float64{float64(v[i] * w), float64(v[i+1] * h)})
			}
			o.Box = around(corners)
		} else {
			x, y := float64(v[1]*w), float64(v[2]*h)
			dx, dy := float64(v[3]*w)/2, float64(v[4]*h)/2
			o.Box = edges(x-dx, y-dy, x+dx, y+dy)
		}
		objects = append(objects, o)
		return nil
	})
	return objects, err
}

// readYOLOs reads a folder of labels beside pictures (or in a folder "labels"
// beside one "images"), or one file of labels. As with YOLO itself, a picture
// of the folder without labels has no objects. If a picture's size cannot be
// read, its labels are unknown: it gets one ignored object, and CheckPositives
// names it.
func readYOLOs(root string, labels, pictures []string) ([]Photo, error) {
	classes := map[string][]string{} // by folder of labels
	for _, file := range labels {
		dir := filepath.Dir(file)
		if _, known := classes[dir]; known {
			continue
		}
		classes[dir] = nil
		for _, d := range []string{dir, filepath.Dir(dir), filepath.Dir(filepath.Dir(dir)), root} {
			names, err := readClasses(d)
			if err != nil {
				return nil, err
			}
			if names != nil {
				classes[dir] = names
				break
			}
		}
	}
	photos, err := readEach(root, labels, func(in io.Reader, file string) (*labelled, error) {
		path, ok := yoloPicture(file)
		if !ok {
			return &labelled{}, nil
		}
		w, h, err := size(path)
		if err != nil {
			return &labelled{picture: path, objects: []Object{{Ignore: true}}}, nil
		}
		objects, err := readYOLO(in, file, classes[filepath.Dir(file)], w, h)
		return &labelled{picture: path, objects: objects}, err
	})
	if _, missing := errors.AsType[*MissingError](err); err != nil && !missing {
		return nil, err
	}
	has := map[string]bool{}
	for _, p := range photos {
		has[p.File] = true
	}
	for _, path := range pictures {
		if !has[path] {
			photos = append(photos, Photo{File: path})
		}
	}
	slices.SortFunc(photos, func(a, b Photo) int { return strings.Compare(filepath.ToSlash(a.File), filepath.ToSlash(b.File)) })
	return photos, err
}

// yoloPicture finds the picture of a file of labels.
func yoloPicture(file string) (string, bool) {
	stem := strings.TrimSuffix(file, filepath.Ext(file))
	stems := []string{stem}
	parts := strings.Split(filepath.ToSlash(stem), "/")
	for i := len(parts) - 2; i >= 0; i-- { // the last folder called labels
		if parts[i] == "labels" {
			parts[i] = "images"
			stems = append(stems, filepath.FromSlash(strings.Join(parts, "/")))
			break
		}
	}
	for _, s := range stems {
		for _, ext := range endings() {
			if info, err := os.Stat(s + ext); err == nil && !info.IsDir() {
				return s + ext, true
			}
		}
	}
	return "", false
}
