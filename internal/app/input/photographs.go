package input

import (
	"errors"
	"fmt"
	"path/filepath"

	"haarlem/internal/app/cli"
	"haarlem/internal/samples"
)

// noTemplate is the value of -template for objects that all have boxes.
const noTemplate = "none"

// Template parses -template.
func Template(text string) (samples.Template, error) {
	if text == noTemplate {
		return samples.Template{}, nil
	}
	t, err := samples.ParseTemplate(text)
	if err != nil {
		return t, cli.Usage(fmt.Errorf("-template: %w", err))
	}
	return t, nil
}

// ReadBoxed reads files of labelled photographs as ReadTruth does, none if there are none,
// and the template that turns landmarks into boxes.
func ReadBoxed(paths []string, format, template string) ([]samples.Photo, samples.Template, error) {
	t, err := Template(template)
	if err != nil || len(paths) == 0 {
		return nil, t, err
	}
	photos, err := ReadTruth(paths, format)
	if err == nil {
		err = CheckBoxed(template, photos)
	}
	return photos, t, err
}

// CheckBoxed reports an object that has landmarks only, if no template turns them into a box.
func CheckBoxed(template string, photos []samples.Photo) error {
	for i := range photos {
		for k := range photos[i].Objects {
			if o := &photos[i].Objects[k]; template == noTemplate && o.Box.Empty() && len(o.Marks) > 0 {
				return fmt.Errorf("%s: object %d has landmarks and no box: give -template, which says where they stand in it", photos[i].File, k+1)
			}
		}
	}
	return nil
}

// ReadTruth reads all files of labelled photographs. A photograph in several of
// them has the objects of all. The error lists what is wrong with all of them; where
// only pictures are missing, there are the other photographs too.
func ReadTruth(paths []string, format string) ([]samples.Photo, error) {
	f := samples.Auto
	if format != "auto" {
		var err error
		if f, err = samples.ParseFormat(format); err != nil {
			return nil, cli.Usage(fmt.Errorf("-format: %w", err))
		}
	}
	var all []samples.Photo
	var bad []error
	index := map[string]int{}
	for _, path := range paths {
		photos, err := samples.ReadTruth(path, f)
		if err != nil {
			bad = append(bad, err)
		}
		for _, p := range photos {
			key := p.File
			if abs, err := filepath.Abs(key); err == nil {
				key = abs
			}
			i, ok := index[key]
			if !ok {
				i = len(all)
				index[key] = i
				all = append(all, samples.Photo{File: p.File})
			}
			all[i].Objects = append(all[i].Objects, p.Objects...)
		}
	}
	if len(bad) > 0 {
		return all, errors.Join(bad...)
	}
	if len(all) == 0 {
		return nil, errors.New("-truth: no photograph in it")
	}
	return all, nil
}

// Labelled reads the labelled photographs of files of one format, and of info, which is
// OpenCV's, if there is one. Errors about the files begin with prefix.
func Labelled(prefix string, files []string, format samples.Format, info string) ([]samples.Photo, error) {
	var photos []samples.Photo
	for _, path := range files {
		more, err := samples.ReadTruth(path, format)
		if err != nil {
			return nil, fmt.Errorf("%s%w", prefix, err)
		}
		photos = append(photos, more...)
	}
	if info == "" {
		return photos, nil
	}
	more, err := samples.ReadTruth(info, samples.InfoDat)
	if err != nil {
		return nil, fmt.Errorf("-info: %w", err)
	}
	return append(photos, more...), nil
}

// Crops reads pictures that are one object each. Errors begin with prefix.
func Crops(prefix string, paths []string) ([]samples.Photo, error) {
	var files []string
	for _, path := range paths {
		more, err := samples.ListPictures(path)
		if err != nil {
			return nil, fmt.Errorf("%s%w", prefix, err)
		}
		files = append(files, more...)
	}
	return samples.Crops(files), nil
}

// ListPictures lists the pictures of folders, lists and files, each once.
func ListPictures(paths []string) ([]string, error) {
	var all []string
	seen := map[string]bool{}
	for _, path := range paths {
		files, err := samples.ListPictures(path)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if !seen[f] {
				seen[f] = true
				all = append(all, f)
			}
		}
	}
	return all, nil
}

func CountObjects(photos []samples.Photo) (n int) {
	for i := range photos {
		n += len(photos[i].Objects)
	}
	return n
}
