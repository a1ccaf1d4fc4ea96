package samples

import (
	"errors"
	"image"
	"path/filepath"
	"slices"
)

// A Background is a picture in which the object does not occur except in Exclude.
type Background struct {
	File    string
	Exclude []image.Rectangle
}

// Grey reads the picture as [ReadGrey] does. The pixels belong to the caller.
func (b *Background) Grey() (*image.Gray, error) { return ReadGrey(b.File) }

// Forbids reports whether a window is too close to an excluded object to be a
// negative: if for one of the objects
//   - intersection over union is 0.2 or more, or
//   - the window covers at least two thirds of the object and has at most nine
//     times its area: much larger windows that contain an object are useful
//     negatives, or
//   - the centres are less than a quarter of the object's width and height apart,
//     and the window's width is 0.4 to 2.5 times the object's, so that
//     detections that only frame an object badly are not negatives.
//
// A window on a part of an object, such as an eye, is a negative.
func (b *Background) Forbids(box image.Rectangle) bool {
	return slices.ContainsFunc(b.Exclude, func(e image.Rectangle) bool { return forbids(e, box) })
}

func forbids(object, box image.Rectangle) bool {
	if object.Empty() || box.Empty() {
		return false
	}
	o, b := area(object), area(box)
	if common := object.Intersect(box); !common.Empty() {
		c := area(common)
		if 5*c >= o+b-c {
			return true
		}
		if 3*c >= 2*o && b <= 9*o {
			return true
		}
	}
	dx := abs(object.Min.X + object.Max.X - box.Min.X - box.Max.X) // twice the distance
	dy := abs(object.Min.Y + object.Max.Y - box.Min.Y - box.Max.Y)
	return 2*dx < object.Dx() && 2*dy < object.Dy() &&
		5*box.Dx() >= 2*object.Dx() && 2*box.Dx() <= 5*object.Dx()
}

// area is a number of pixels.
func area(r image.Rectangle) int64 { return int64(r.Dx()) * int64(r.Dy()) }

func abs(v int) int { return max(v, -v) }

// Backgrounds joins folders, lists and pictures of negative images ([ListPictures])
// and labelled photographs, whose objects are excluded, also ignored ones. A
// picture that is in both keeps its position, with the objects excluded. Missing
// files are reported by a [*MissingError] for each list; the existing backgrounds
// are returned too.
//
// [CheckBackgrounds] finds photographs of objects that are in a list under another
// name.
func Backgrounds(paths []string, photos []Photo) ([]Background, error) {
	var (
		all     []Background
		missing []error
		places  = map[string][]int{} // of a file in all
	)
	for _, path := range paths {
		files, err := ListPictures(path)
		if _, ok := errors.AsType[*MissingError](err); ok {
			missing = append(missing, err)
		} else if err != nil {
			return nil, err
		}
		for _, file := range files {
			key := identity(file)
			places[key] = append(places[key], len(all))
			all = append(all, Background{File: file})
		}
	}
	for i := range photos {
		exclude := photos[i].extents()
		key := identity(photos[i].File)
		if places[key] == nil {
			places[key] = []int{len(all)}
			all = append(all, Background{File: photos[i].File})
		}
		for _, at := range places[key] {
			all[at].Exclude = append(all[at].Exclude, exclude...)
		}
	}
	return all, errors.Join(missing...)
}

// identity is the same for two paths to one file, as far as names tell.
func identity(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	return path
}
