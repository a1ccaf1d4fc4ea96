package samples

import (
	"encoding/json"
	"io"
	"maps"
	"path/filepath"
	"slices"
)

type cocoOut struct {
	Images      []cocoOutImage      `json:"images"`
	Annotations []cocoOutAnnotation `json:"annotations"`
	Categories  []cocoOutCategory   `json:"categories"`
}

type cocoOutImage struct {
	ID     int    `json:"id"`
	File   string `json:"file_name"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

type cocoOutAnnotation struct {
	ID       int    `json:"id"`
	Image    int    `json:"image_id"`
	Category int    `json:"category_id"`
	Box      [4]int `json:"bbox"`
	Area     int    `json:"area"`
	Crowd    int    `json:"iscrowd"`

	Points []float64 `json:"keypoints,omitempty"` // x, y and 2, which means visible, of each
	Count  int       `json:"num_keypoints,omitempty"`
}

type cocoOutCategory struct {
	ID   int    `json:"id"`
	Name string `json:"name"`

	Points []string `json:"keypoints,omitempty"`
}

// WriteCOCO writes the object instances of COCO: boxes ([Object.Extent]), Ignore as
// "iscrowd", and the tag class as the category, with names of pictures relative to the
// file. Landmarks become keypoints with these names, of objects that have as many.
func WriteCOCO(path string, photos []Photo, points []string) error {
	classes := classesOf(photos)
	out := cocoOut{Images: []cocoOutImage{}, Annotations: []cocoOutAnnotation{}, Categories: []cocoOutCategory{}}
	for i, name := range classes {
		out.Categories = append(out.Categories, cocoOutCategory{i + 1, name, points})
	}
	for i := range photos {
		p := &photos[i]
		w, h, err := size(p.File)
		if err != nil {
			return err
		}
		out.Images = append(out.Images, cocoOutImage{i + 1, SeenFrom(filepath.Dir(path), p.File), w, h})
		for k := range p.Objects {
			o := &p.Objects[k]
			b := o.Extent()
			if b.Empty() {
				continue
			}
			a := cocoOutAnnotation{
				ID: len(out.Annotations) + 1, Image: i + 1, Category: slices.Index(classes, o.class()) + 1,
				Box: [4]int{b.Min.X, b.Min.Y, b.Dx(), b.Dy()}, Area: b.Dx() * b.Dy(),
			}
			if o.Ignore {
				a.Crowd = 1
			}
			if len(o.Marks) == len(points) {
				for _, m := range o.Marks {
					a.Points = append(a.Points, m.X, m.Y, 2)
				}
				a.Count = len(points)
			}
			out.Annotations = append(out.Annotations, a)
		}
	}
	return WriteAtomically(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(&out) })
}

// classesOf returns the classes of all objects, sorted.
func classesOf(photos []Photo) []string {
	seen := map[string]bool{}
	for i := range photos {
		for k := range photos[i].Objects {
			seen[photos[i].Objects[k].class()] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
