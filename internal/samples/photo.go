package samples

import (
	"fmt"
	"image"
	"math"
)

// A Point is a position in pixels. The centre of the top left pixel is (0.5, 0.5)
// for most tools and (0, 0) for some. Files do not say which, and points are taken
// as written.
type Point struct{ X, Y float64 }

// An Object is one labelled object of a photograph.
type Object struct {
	// Box is where it is. Empty if only landmarks are given.
	Box image.Rectangle

	// Marks are its landmarks in the file's order; nil without.
	Marks []Point

	// Ignore excludes the object from training and counting (COCO's iscrowd,
	// VOC's difficult, a column "ignore").
	Ignore bool

	// Tags are further columns by name: a landmarks CSV's "pose", the name of
	// a class as "class". May be nil.
	Tags map[string]string
}

// A Photo is an image file and its objects.
type Photo struct {
	File    string
	Objects []Object
}

// Extent returns the object's box, or, if it has only landmarks, a square around
// them whose side is twice the longer side of their bounds: for eyes, nose and
// mouth it contains the whole face. It is empty without both.
func (o *Object) Extent() image.Rectangle {
	if !o.Box.Empty() || len(o.Marks) == 0 {
		return o.Box
	}
	lo, hi := o.Marks[0], o.Marks[0]
	for _, m := range o.Marks[1:] {
		lo = Point{min(lo.X, m.X), min(lo.Y, m.Y)}
		hi = Point{max(hi.X, m.X), max(hi.Y, m.Y)}
	}
	half := max(hi.X-lo.X, hi.Y-lo.Y, 0.5)
	x, y := (lo.X+hi.X)/2, (lo.Y+hi.Y)/2
	return edges(x-half, y-half, x+half, y+half)
}

// extents are those of all objects that have one.
func (p *Photo) extents() []image.Rectangle {
	var all []image.Rectangle
	for i := range p.Objects {
		if e := p.Objects[i].Extent(); !e.Empty() {
			all = append(all, e)
		}
	}
	return all
}

// edges rounds a box to whole pixels, one at least.
func edges(x0, y0, x1, y1 float64) image.Rectangle {
	r := image.Rect(nearest(x0), nearest(y0), nearest(x1), nearest(y1))
	if r.Dx() == 0 {
		r.Min.X = int(math.Floor(x0))
		r.Max.X = r.Min.X + 1
	}
	if r.Dy() == 0 {
		r.Min.Y = int(math.Floor(y0))
		r.Max.Y = r.Min.Y + 1
	}
	return r
}

func nearest(v float64) int { return int(math.Floor(v + 0.5)) }

// Crops returns a photo for each picture that is one object: its box is the whole
// picture, by the size in its header. A picture that cannot be read has an ignored
// object without a box; [CheckPositives] names and drops it.
func Crops(files []string) []Photo {
	photos := make([]Photo, len(files))
	for i, file := range files {
		photos[i] = Photo{File: file, Objects: []Object{{}}}
		w, h, err := size(file)
		photos[i].Objects[0].Box = image.Rect(0, 0, w, h)
		photos[i].Objects[0].Ignore = err != nil
	}
	return photos
}

// gather collects objects by photograph, in the order in which photographs are
// first named, under the limits of one truth file.
type gather struct {
	photos  []Photo
	index   map[string]int
	objects int
}

// photo returns the index of a photograph in the list.
func (g *gather) photo(file string) (int, error) {
	if i, ok := g.index[file]; ok {
		return i, nil
	}
	if len(g.photos) >= maxPhotos {
		return 0, fmt.Errorf("more than %d photographs: %w", maxPhotos, ErrLimit)
	}
	if g.index == nil {
		g.index = map[string]int{}
	}
	g.index[file] = len(g.photos)
	g.photos = append(g.photos, Photo{File: file})
	return len(g.photos) - 1, nil
}

// add adds the objects of a photograph.
func (g *gather) add(file string, objects []Object) error {
	photo, err := g.photo(file)
	for i := 0; i < len(objects) && err == nil; i++ {
		err = g.object(photo, objects[i])
	}
	return err
}

func (g *gather) object(photo int, o Object) error {
	if g.objects >= maxObjects {
		return fmt.Errorf("more than %d objects: %w", maxObjects, ErrLimit)
	}
	g.objects++
	p := &g.photos[photo]
	p.Objects = append(p.Objects, o)
	return nil
}
