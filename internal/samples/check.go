package samples

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"slices"
	"sync"

	"haarlem/internal/copies"
	"haarlem/internal/par"
)

// CheckOptions are the settings of checks. A nil *CheckOptions and the zero
// value mean the same: every field's default.
//
// The options cache the findings of each file: with one *CheckOptions for
// positives and backgrounds, a photograph in both is read once. Do not change
// the fields or the files in between.
type CheckOptions struct {
	// Width and Height are those of the training window. 0 means 24.
	Width, Height int

	// Workers is how many files are read at once. 0 means GOMAXPROCS. The
	// result is the same for any number.
	Workers int

	// Sketches, if not nil, takes 5 KiB of each picture for [Copies], which takes some
	// milliseconds: an empty file.
	Sketches interface {
		io.ReaderAt
		io.WriterAt
	}

	// Progress, if not nil, is called after each file, by one goroutine at a
	// time.
	Progress func(done, of int)

	mu   sync.Mutex
	seen map[string]*summary // by file
	end  int64               // of what is in Sketches
}

func (o *CheckOptions) window() (w, h int) {
	return cmp.Or(max(o.Width, 0), 24), cmp.Or(max(o.Height, 0), 24)
}

// summaries examines the files that no earlier check has examined.
func (o *CheckOptions) summaries(ctx context.Context, photos []Photo) ([]*summary, error) {
	all := make([]*summary, len(photos))
	o.mu.Lock()
	if o.seen == nil {
		o.seen = map[string]*summary{}
	}
	var todo []int
	for i := range photos {
		l := o.seen[photos[i].File]
		if l != nil && (l.err != nil || l.tiny || len(l.blankBoxes) == len(photos[i].Objects) || len(photos[i].Objects) == 0) {
			all[i] = l
		} else {
			todo = append(todo, i)
		}
	}
	o.mu.Unlock()

	w, h := o.window()
	err := par.Each(ctx, len(todo), o.Workers, func(_ *struct{}, k int) error {
		i := todo[k]
		l, sketch := summarise(photos[i].File, photos[i].Objects, w, h, o.Sketches != nil)
		all[i] = &l
		if sketch == nil {
			return nil
		}
		b := sketch.Append(nil)
		l.sketched = len(b)
		o.mu.Lock()
		l.sketch, o.end = o.end, o.end+int64(len(b))
		o.mu.Unlock()
		_, err := o.Sketches.WriteAt(b, l.sketch)
		return err
	}, func(done, n int) {
		if o.Progress != nil {
			o.Progress(len(photos)-n+done, len(photos))
		}
	})
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	for _, i := range todo {
		o.seen[photos[i].File] = all[i]
	}
	o.mu.Unlock()
	return all, nil
}

// sketch reads the sketch of a picture; nil if there is none.
func (o *CheckOptions) sketch(l *summary) (*copies.Sketch, error) {
	if l.sketched == 0 {
		return nil, nil
	}
	b := make([]byte, l.sketched)
	if _, err := o.Sketches.ReadAt(b, l.sketch); err != nil {
		return nil, err
	}
	return copies.Read(b), nil
}

// usable reports whether a picture can be used, and adds a finding if not.
func (r *Report) usable(file string, l *summary) bool {
	switch {
	case l.err != nil:
		r.add(Unreadable, l.err.Error()) // it names the file
		r.Unread.Add(file, l.err)
	case l.tiny:
		r.add(Tiny, fmt.Sprintf("%s (%dx%d)", file, l.width, l.height))
	case l.blank:
		r.add(Blank, file)
	default:
		return true
	}
	return false
}

// CheckPositives checks photographs and their labels before a training, and returns
// those that are left, in their order, with a report. Its arguments do not change.
// The error is ctx's.
//
//   - Unreadable files, pictures smaller than the window and blank ones (standard
//     deviation of grey levels below 2) are dropped.
//   - Of equal pictures (by their bytes, or by a thumbnail of 16x16 grey averages;
//     not by similarity) the first stays, and gets the others' additional labels.
//   - Boxes over the edge are clipped; they are ignored if less than half of them is
//     inside, and dropped if nothing is. Landmarks are dropped if less than half of
//     them are inside.
//   - Boxes without contrast are ignored.
//   - Boxes smaller than the window are counted and stay.
//
// A photograph that loses all its objects stays.
func CheckPositives(ctx context.Context, photos []Photo, o *CheckOptions) ([]Photo, *Report, error) {
	o = cmp.Or(o, &CheckOptions{})
	summaries, err := o.summaries(ctx, photos)
	if err != nil {
		return nil, nil, err
	}
	r := &Report{What: "photographs", Given: len(photos), GivenObjects: Learnable(photos)}
	width, height := o.window()
	var kept []Photo
	first := map[[32]byte]int{} // in kept
	sizes := map[[32]byte]image.Point{}
	for i := range photos {
		p, l := &photos[i], summaries[i]
		if !r.usable(p.File, l) {
			continue
		}
		at := image.Pt(l.width, l.height)
		objects := r.labels(p, l, width, height)
		if k, twice := first[l.print]; twice {
			r.add(Duplicate, fmt.Sprintf("%s (as %s)", p.File, kept[k].File))
			kept[k].Objects = joined(kept[k].Objects, objects, at, sizes[l.print])
			continue
		}
		first[l.print], sizes[l.print] = len(kept), at
		kept = append(kept, Photo{File: p.File, Objects: objects})
	}
	r.Kept, r.KeptObjects = len(kept), Learnable(kept)
	return kept, r, nil
}

// Learnable is the number of objects that are not ignored.
func Learnable(photos []Photo) int {
	n := 0
	for i := range photos {
		for k := range photos[i].Objects {
			if !photos[i].Objects[k].Ignore {
				n++
			}
		}
	}
	return n
}

// labels returns the objects of a photograph that stay.
func (r *Report) labels(p *Photo, l *summary, width, height int) []Object {
	var kept []Object
	whole := image.Rect(0, 0, l.width, l.height)
	for k, o := range p.Objects {
		place := func() string {
			return fmt.Sprintf("%s (object %d: %v %dx%d in %dx%d)", p.File, k+1, o.Box.Min, o.Box.Dx(), o.Box.Dy(), l.width, l.height)
		}
		if o.Box.Empty() && len(o.Marks) == 0 {
			r.add(NoLabel, fmt.Sprintf("%s (object %d)", p.File, k+1))
			continue
		}
		if !o.Box.Empty() {
			inside := o.Box.Intersect(whole)
			switch {
			case inside.Empty():
				r.add(OutsideDropped, place())
				continue
			case inside == o.Box:
			case 2*area(inside) < area(o.Box):
				r.add(OutsideIgnored, place())
				o.Ignore = true
			default:
				r.add(OutsideClipped, place())
			}
			if k < len(l.blankBoxes) && l.blankBoxes[k] && !o.Ignore {
				r.add(BlankObject, place())
				o.Ignore = true
			}
			if !o.Ignore && (inside.Dx() < width || inside.Dy() < height) {
				r.add(SmallObject, place())
			}
			o.Box = inside
		} else {
			inside := 0
			for _, m := range o.Marks {
				if m.X >= 0 && m.Y >= 0 && m.X <= float64(l.width) && m.Y <= float64(l.height) {
					inside++
				}
			}
			if 2*inside < len(o.Marks) {
				r.add(OutsideDropped, fmt.Sprintf("%s (object %d: %d of %d landmarks in %dx%d)", p.File, k+1, inside, len(o.Marks), l.width, l.height))
				continue
			}
		}
		kept = append(kept, o)
	}
	return kept
}

// joined adds to the objects of a picture the additional ones of its copy: those that
// none of its own overlaps by half. Boxes are scaled to the picture's size; where
// that differs, landmarks are not copied.
func joined(objects, others []Object, from, to image.Point) []Object {
	out := slices.Clip(objects)
	for _, o := range others {
		if from != to {
			o = Object{Box: rescaled(o.Extent(), from, to), Ignore: o.Ignore || len(o.Marks) > 0, Tags: o.Tags}
		}
		if !slices.ContainsFunc(objects, func(have Object) bool { return sameBox(have.Extent(), o.Extent()) }) {
			out = append(out, o)
		}
	}
	return out
}

// sameBox reports whether intersection over union is a half or more.
func sameBox(a, b image.Rectangle) bool {
	c := a.Intersect(b)
	return !c.Empty() && 3*area(c) >= area(a)+area(b)
}

// rescaled scales a box to another size of its image.
func rescaled(r image.Rectangle, from, to image.Point) image.Rectangle {
	if from == to || from.X == 0 || from.Y == 0 {
		return r
	}
	return image.Rect(r.Min.X*to.X/from.X, r.Min.Y*to.Y/from.Y, r.Max.X*to.X/from.X, r.Max.Y*to.Y/from.Y)
}

// CheckBackgrounds checks backgrounds before they are mined, and returns those that
// are left, in their order, with a report. photos are the positives, which may be
// background only outside their objects; nil if there are none. Its arguments do
// not change. The error is ctx's.
//
// Unreadable, too small and blank files are dropped, and duplicates are found, as in
// [CheckPositives]; the first of them gets what the others exclude. In a background
// that is one of the photographs, under any name, the photograph's objects are
// excluded; it is dropped if an object is nine tenths of it.
func CheckBackgrounds(ctx context.Context, backgrounds []Background, photos []Photo, o *CheckOptions) ([]Background, *Report, error) {
	o = cmp.Or(o, &CheckOptions{})
	known, err := o.summaries(ctx, photos)
	if err != nil {
		return nil, nil, err
	}
	files := make([]Photo, len(backgrounds))
	for i := range backgrounds {
		files[i].File = backgrounds[i].File
	}
	summaries, err := o.summaries(ctx, files)
	if err != nil {
		return nil, nil, err
	}

	type positive struct{ photo, width, height int }
	positives := map[[32]byte][]positive{}
	for i, l := range known {
		if l.comparable() && len(photos[i].Objects) > 0 {
			positives[l.print] = append(positives[l.print], positive{i, l.width, l.height})
		}
	}
	r := &Report{What: "backgrounds", Given: len(backgrounds)}
	var kept []Background
	first := map[[32]byte]int{} // in kept; -1: left out
	sizes := map[[32]byte]image.Point{}
	for i := range backgrounds {
		b, l := &backgrounds[i], summaries[i]
		if !r.usable(b.File, l) {
			continue
		}
		at := image.Pt(l.width, l.height)
		if k, twice := first[l.print]; twice && k >= 0 {
			r.add(Duplicate, fmt.Sprintf("%s (as %s)", b.File, kept[k].File))
			kept[k].Exclude, _ = excluding(kept[k].Exclude, b.Exclude, at, sizes[l.print])
			continue
		}
		exclude, more := slices.Clone(b.Exclude), false
		shows := ""
		for _, p := range positives[l.print] {
			boxes := photos[p.photo].extents()
			var added bool
			if exclude, added = excluding(exclude, boxes, image.Pt(p.width, p.height), at); added {
				more, shows = true, photos[p.photo].File
			}
		}
		first[l.print], sizes[l.print] = len(kept), at
		if slices.ContainsFunc(exclude, func(e image.Rectangle) bool {
			e = e.Intersect(image.Rect(0, 0, l.width, l.height))
			return 10*area(e) >= 9*int64(l.width)*int64(l.height)
		}) {
			first[l.print] = -1
			r.add(SharedWhole, b.File)
			continue
		}
		if more {
			r.add(Shared, fmt.Sprintf("%s (as %s)", b.File, shows))
		}
		kept = append(kept, Background{File: b.File, Exclude: exclude})
	}
	r.Kept = len(kept)
	return kept, r, nil
}

// excluding adds the boxes that are new to have, scaled from the size of one
// image to that of its copy.
func excluding(have, boxes []image.Rectangle, from, to image.Point) ([]image.Rectangle, bool) {
	added := false
	for _, b := range boxes {
		b = rescaled(b, from, to)
		if !slices.ContainsFunc(have, func(h image.Rectangle) bool { return sameBox(h, b) }) {
			have = append(slices.Clip(have), b)
			added = true
		}
	}
	return have, added
}

// CheckCrops checks finished windows, such as those of a .vec file, and drops blank
// ones and exact copies of earlier ones.
func CheckCrops(crops []*image.Gray) ([]*image.Gray, *Report) {
	r := &Report{What: "windows", Given: len(crops)}
	var kept []*image.Gray
	first := map[[32]byte]int{}
	for i, m := range crops {
		if isBlank(m, m.Rect) {
			r.add(Blank, fmt.Sprintf("window %d", i))
			continue
		}
		key := pixelHash(m)
		if k, twice := first[key]; twice {
			r.add(Duplicate, fmt.Sprintf("window %d (as %d)", i, k))
			continue
		}
		first[key] = i
		kept = append(kept, m)
	}
	r.Kept = len(kept)
	return kept, r
}
