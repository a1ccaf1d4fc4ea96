package input

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/samples"
)

// classColumns are the tags that hold a class: class in the formats that have classes,
// label in other tables.
var classColumns = []string{"class", "label"}

// Class returns an object's class, if it has one.
func Class(o *samples.Object) string {
	return cmp.Or(o.Tags[classColumns[0]], o.Tags[classColumns[1]])
}

// CheckClasses refuses objects of several classes, unless the conditions of -where
// name those to take: a cascade finds one kind of object.
func CheckClasses(photos []samples.Photo, where []string) error {
	for _, column := range classColumns {
		if err := checkClasses(photos, where, column); err != nil {
			return err
		}
	}
	return nil
}

func checkClasses(photos []samples.Photo, where []string, column string) error {
	names, counts := classes(photos, where, column)
	if len(names) < 2 {
		return nil
	}
	var each []string
	for _, n := range names[:min(len(names), 20)] {
		each = append(each, fmt.Sprintf("%s (%d)", n, counts[n]))
	}
	if more := len(names) - len(each); more > 0 {
		each = append(each, fmt.Sprintf("and %d more", more))
	}
	return cli.Usagef("-truth has objects of %d classes: %s. A cascade finds one kind: choose it with -where %s=%s and train one for each, as auto -out FOLDER does, or take all as one kind with -where %s=%s",
		len(names), strings.Join(each, ", "), column, names[0], column, strings.Join(names, ","))
}

// Classes returns the classes of objects, if there are several and -where does not choose,
// and the column that holds them.
func Classes(photos []samples.Photo, where []string) (column string, names []string) {
	for _, column := range classColumns {
		if names, _ := classes(photos, where, column); len(names) > 1 {
			return column, names
		}
	}
	return "", nil
}

// classes counts the objects of each class in a column that -where does not choose from.
func classes(photos []samples.Photo, where []string, column string) ([]string, map[string]int) {
	counts := map[string]int{}
	if slices.ContainsFunc(where, func(w string) bool { return strings.HasPrefix(w, column+"=") }) {
		return nil, counts
	}
	for i := range photos {
		for _, o := range photos[i].Objects {
			if class := o.Tags[column]; class != "" && !o.Ignore {
				counts[class]++
			}
		}
	}
	return slices.Sorted(maps.Keys(counts)), counts
}

// Boxes outside these limits are doubtful.
const (
	minSide    = 8    // pixels of a side
	wholeShare = 0.95 // of the picture
	maxAspect  = 2.5  // times the median's, or its inverse
)

// Distinct drops further copies of an object's box in its photograph, and returns how
// many there were, with an example.
func Distinct(photos []samples.Photo) (copies int, example string) {
	for i := range photos {
		p := &photos[i]
		seen := map[image.Rectangle]bool{}
		p.Objects = slices.DeleteFunc(slices.Clone(p.Objects), func(o samples.Object) bool {
			if o.Box.Empty() || !seen[o.Box] {
				seen[o.Box] = true
				return false
			}
			copies++
			example = fmt.Sprintf("%s: %v %dx%d", p.File, o.Box.Min, o.Box.Dx(), o.Box.Dy())
			return true
		})
	}
	return copies, example
}

// A Doubt is one kind of boxes that are probably mistakes.
type Doubt struct {
	Count, Of     int // boxes
	What, Example string
	Do            string // what to do
	Mend          bool   // that must be done: the boxes are wrong for sure
}

// String is a sentence.
func (d Doubt) String() string {
	if d.Count == 0 {
		return d.What + ": " + d.Do
	}
	return fmt.Sprintf("%d of %d boxes: %s, such as %s: %s", d.Count, d.Of, d.What, d.Example, d.Do)
}

// Doubts drops copies of boxes, and names these and other boxes that are probably
// mistakes. Objects are otherwise as they were. size returns that of a picture;
// pictures that it cannot tell of have no doubts about their share.
func Doubts(photos []samples.Photo, size func(file string) (image.Point, error)) []Doubt {
	tiny := Doubt{What: fmt.Sprintf("boxes with a side of less than %d pixels", minSide), Do: "nothing can be learned from so few; draw them anew, or leave them out with -min-size"}
	whole := Doubt{What: "boxes of the whole picture", Do: "draw the box around the object; pictures that are one object each are for train -pos, or for auto with -bg"}
	odd := Doubt{Do: "all boxes must frame the object in the same way; check these, in train-cascade ui"}
	copied := Doubt{What: "copies of a box in the same picture", Do: "they count once; remove the lines", Mend: true}
	copied.Count, copied.Example = Distinct(photos)
	var aspects []float64
	each := func(do func(p *samples.Photo, o *samples.Object, aspect float64)) {
		for i := range photos {
			for k := range photos[i].Objects {
				if o := &photos[i].Objects[k]; !o.Box.Empty() && !o.Ignore {
					do(&photos[i], o, float64(o.Box.Dx())/float64(o.Box.Dy()))
				}
			}
		}
	}
	each(func(_ *samples.Photo, _ *samples.Object, aspect float64) { aspects = append(aspects, aspect) })
	if len(aspects) == 0 {
		return nil
	}
	slices.Sort(aspects)
	median := aspects[len(aspects)/2]
	odd.What = fmt.Sprintf("boxes whose shape is far from the others' (width %.2f times the height)", median)
	var last string // picture whose size is known
	var at image.Point
	var err error
	each(func(p *samples.Photo, o *samples.Object, aspect float64) {
		count := func(d *Doubt) {
			d.Count++
			d.Example = fmt.Sprintf("%s: %v %dx%d", p.File, o.Box.Min, o.Box.Dx(), o.Box.Dy())
		}
		if min(o.Box.Dx(), o.Box.Dy()) < minSide {
			count(&tiny)
			return
		}
		if aspect > maxAspect*median || aspect*maxAspect < median {
			count(&odd)
		}
		if p.File != last {
			last = p.File
			at, err = size(last)
		}
		if err == nil && float64(o.Box.Dx())*float64(o.Box.Dy()) >= wholeShare*float64(at.X)*float64(at.Y) {
			count(&whole)
		}
	})
	var all []Doubt
	for _, d := range []Doubt{copied, tiny, odd, whole} {
		if d.Count > 0 {
			d.Of = len(aspects) + copied.Count
			all = append(all, d)
		}
	}
	if median > 4 || median < 0.25 {
		all = append(all, Doubt{What: fmt.Sprintf("boxes are %.1f times as wide as high", median), Do: "if the object is not, they frame too much"})
	}
	return all
}
