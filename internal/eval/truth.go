package eval

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"maps"
	"slices"

	"haarlem/internal/samples"
)

// An Object is one labelled object of a [Photo].
type Object struct {
	Box    image.Rectangle // never empty
	Ignore bool            // not counted, and no error
	Tags   map[string]string
}

// A Photo is a photograph and its objects.
type Photo struct {
	File    string
	Objects []Object // empty for a negative image
}

// counts reports whether an object is not ignored.
func counts(o *Object) bool { return !o.Ignore }

// count counts objects.
func count(photos []Photo, f func(*Object) bool) (n int) {
	for i := range photos {
		for k := range photos[i].Objects {
			if f(&photos[i].Objects[k]) {
				n++
			}
		}
	}
	return n
}

// TruthOptions select the objects that count. The zero value, and nil, take all
// that the truth does not ignore ([samples.Object.Ignore]).
type TruthOptions struct {
	// Template turns landmarks into boxes ([samples.Template.Box]). The zero
	// value means [samples.FrontalFace].
	Template samples.Template

	// Ignore selects ignored objects by tag: {"pose": {"1", "5"}} ignores those
	// whose tag "pose" is 1 or 5.
	Ignore map[string][]string

	// MinSize ignores objects whose shorter side is smaller. 0 means none.
	MinSize int
}

// Truth returns the objects of labelled photographs.
func Truth(photos []samples.Photo, o *TruthOptions) ([]Photo, error) {
	v := *cmp.Or(o, &TruthOptions{})
	if len(v.Template.Marks) == 0 {
		v.Template = samples.FrontalFace
	}
	known := map[string]bool{}
	all := make([]Photo, len(photos))
	for i := range photos {
		all[i].File = photos[i].File
		for k := range photos[i].Objects {
			s := &photos[i].Objects[k]
			box := s.Box
			if box.Empty() {
				if len(s.Marks) == 0 {
					return nil, fmt.Errorf("eval: %s: object %d has neither a box nor landmarks", photos[i].File, k+1)
				}
				var err error
				if box, err = v.Template.Box(s.Marks); err != nil {
					return nil, fmt.Errorf("%s: object %d: %w", photos[i].File, k+1, err)
				}
			}
			ignore := s.Ignore || min(box.Dx(), box.Dy()) < v.MinSize
			for tag, values := range v.Ignore {
				t, ok := s.Tags[tag]
				known[tag] = known[tag] || ok
				ignore = ignore || ok && slices.Contains(values, t)
			}
			all[i].Objects = append(all[i].Objects, Object{Box: box, Ignore: ignore, Tags: s.Tags})
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(v.Ignore)) {
		if !known[tag] {
			return nil, fmt.Errorf("eval: objects are to be ignored by %q, but none of them has such a column", tag)
		}
	}
	return all, nil
}

// ErrNothing is the error of measuring without photographs.
var ErrNothing = errors.New("eval: no photograph to measure on")
