package network

import (
	"fmt"
	"slices"

	"haarlem/internal/numeric"
	"haarlem/internal/splitmix"
)

// An example is a candidate, or an object.
type example struct {
	photo  int32
	index  int32 // of the candidate, or of the object
	object int32 // of a candidate: the most similar one, -1 for the background
}

// examples are what samples are drawn from.
type examples struct {
	photos     []Photo
	s          *Settings
	objects    []example
	crowds     [][2]int  // of each photograph with objects, the first one's index and their number
	near       [][]int32 // of each object, the candidates that are examples of it
	similar    []example // candidates that are examples of objects
	between    []example
	background []example
	hardness   []float64 // running sums, of the background; empty if not yet known
}

func gather(photos []Photo, s *Settings) (*examples, error) {
	e := &examples{photos: photos, s: s}
	for p, photo := range photos {
		first := len(e.objects)
		number := make([]int, len(photo.Objects)) // in e.objects
		for i, o := range photo.Objects {
			if !o.Box.usable() {
				return nil, fmt.Errorf("%w: photograph %d, object %d: box %+v", ErrData, p, i, o.Box)
			}
			number[i] = len(e.objects)
			if !o.Ignore {
				e.objects = append(e.objects, example{int32(p), int32(i), int32(i)})
			}
		}
		if n := len(e.objects) - first; n > 0 {
			e.crowds = append(e.crowds, [2]int{first, n})
			e.near = append(e.near, make([][]int32, n)...)
		}
		for i, c := range photo.Candidates {
			if !c.Box.usable() {
				return nil, fmt.Errorf("%w: photograph %d, candidate %d: box %+v", ErrData, p, i, c.Box)
			}
			label, k := judge(c.Box, photo.Objects)
			switch x := (example{int32(p), int32(i), int32(k)}); {
			case label == background:
				e.background = append(e.background, x)
			case k < 0: // near something to ignore
			case label == neither:
				e.between = append(e.between, x)
			default:
				e.similar = append(e.similar, x)
				e.near[number[k]] = append(e.near[number[k]], int32(i))
			}
		}
	}
	if len(e.objects) == 0 || len(e.background) == 0 {
		return nil, fmt.Errorf("%w: %d objects, and %d candidates in the background", ErrData, len(e.objects), len(e.background))
	}
	return e, nil
}

// ofPhotos returns the index of each photograph's first example of the background, and
// their number.
func (e *examples) ofPhotos() []int {
	first := make([]int, len(e.photos)+1)
	for _, x := range e.background {
		first[x.photo+1]++
	}
	for p := range e.photos {
		first[p+1] += first[p]
	}
	return first
}

// judge says what a box shows: the object, which is that with the largest
// intersection over union; neither, with the object or -1 if it is to be ignored;
// or the background, and -1.
func judge(b Box, objects []Object) (label int8, number int) {
	best, ignored := 0., 0.
	number = -1
	for i, o := range objects {
		intersection, union := b.overlap(o.Box)
		switch iou := intersection / union; {
		case o.Ignore: // parts of a crowd are to be ignored too
			ignored = max(ignored, iou, intersection/(b.Width*b.Height))
		case iou > best:
			best, number = iou, i
		}
	}
	switch {
	case best >= similar:
		return object, number
	case best >= different:
		return neither, number
	case ignored >= different:
		return neither, -1
	}
	return background, -1
}

// A sample is a square to crop, and its target.
type sample struct {
	photo int32
	box   Box
	target
}

// draw draws a sample.
func (e *examples) draw(r *splitmix.Source) sample {
	u := r.Float64()
	switch {
	case u < e.s.Objects:
		return e.drawObject(r)
	case u < e.s.Objects+e.s.Between && len(e.between) > 0:
		return e.candidate(e.between[r.IntN(len(e.between))])
	case len(e.hardness) > 0 && r.Chance(e.s.Hard):
		at := r.Float64() * e.hardness[len(e.hardness)-1]
		i, _ := slices.BinarySearch(e.hardness, at)
		return e.candidate(e.background[min(i, len(e.background)-1)])
	}
	return e.candidate(e.background[r.IntN(len(e.background))])
}

// candidate returns the sample of a candidate.
func (e *examples) candidate(x example) sample {
	photo := &e.photos[x.photo]
	v := sample{photo: x.photo, box: photo.Candidates[x.index].Box, target: target{label: background}}
	if x.object >= 0 {
		v.give(photo.Objects, int(x.object))
	}
	return v
}

// give sets the target of a sample of an object.
func (v *sample) give(objects []Object, number int) {
	v.box4(objects[number].Box)
	v.label = neither
	if v.box.IoU(objects[number].Box) >= similar {
		v.label = object
	}
}

func (v *sample) box4(b Box) { v.target.box, v.by = true, v.box.correction(b) }

// How far squares around objects are moved, in sides, and scaled, as the logarithm of
// the factor, beside where candidates are.
const (
	shift = 0.08
	scale = 0.12
)

// drawObject draws an object, and one of its candidates or a box near it.
func (e *examples) drawObject(r *splitmix.Source) sample {
	i := r.IntN(len(e.objects))
	if r.Chance(0.75) { // so that crowds do not outweigh all other photographs
		crowd := e.crowds[r.IntN(len(e.crowds))]
		i = crowd[0] + r.IntN(crowd[1])
	}
	x := e.objects[i]
	photo := &e.photos[x.photo]
	if near := e.near[i]; len(near) > 0 && r.Chance(0.5) {
		return e.candidate(example{x.photo, near[r.IntN(len(near))], x.index})
	}
	truth := photo.Objects[x.index].Box
	v := sample{photo: x.photo}
	for try := 8; ; try-- { // the nearer the more often it has failed
		near := float64(try) / 8
		around := e.placed(truth, near, r)
		grow := numeric.Exp(r.Between(-scale, scale) * near)
		v.box = Box{
			around.X + float64(around.Width*float64(r.Between(-shift, shift)*near)), around.Y + float64(around.Height*float64(r.Between(-shift, shift)*near)),
			around.Width * grow, around.Height * grow,
		}
		if try == 0 || v.box.IoU(truth) >= similar {
			break
		}
	}
	v.give(photo.Objects, int(x.index))
	return v
}

// placed returns a box that lies by truth as a random candidate does by its object, so
// that it has the shape of candidates, and is as far off; or nearer, by a factor.
// Without such candidates it is truth.
func (e *examples) placed(truth Box, near float64, r *splitmix.Source) Box {
	if len(e.similar) == 0 {
		return truth
	}
	x := e.similar[r.IntN(len(e.similar))]
	photo := &e.photos[x.photo]
	c, o := photo.Candidates[x.index].Box, photo.Objects[x.object].Box
	return Box{
		truth.X + float64((c.X-o.X)/o.Width*truth.Width*near), truth.Y + float64((c.Y-o.Y)/o.Height*truth.Height*near),
		c.Width / o.Width * truth.Width, c.Height / o.Height * truth.Height,
	}
}
