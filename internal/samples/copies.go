package samples

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"haarlem/internal/copies"
)

// Same are groups of pictures that show the same thing: moved, mirrored, cropped,
// brighter, compressed again. A group is of two at least; groups and their files are
// in the order of the pictures.
type Same struct {
	Groups [][]string

	// Shown are backgrounds that show an object of a photograph. They are in no
	// group.
	Shown []string
}

// Copies finds groups among photographs and backgrounds, all of which an earlier check
// with these options has seen. Its arguments do not change. The error is ctx's, or of
// [CheckOptions.Sketches], without which it panics.
//
// Pictures of a camera that does not move are no copies if their objects have other
// places. A copy is missed if the two have less than a fifth of the picture in common,
// or are turned by more than a few degrees.
func Copies(ctx context.Context, photos []Photo, backgrounds []string, o *CheckOptions) (*Same, error) {
	if o.Sketches == nil {
		panic("samples: Copies without sketches")
	}
	all := slices.Clip(photos)
	for _, f := range backgrounds {
		all = append(all, Photo{File: f})
	}
	summaries, err := o.summaries(ctx, all)
	if err != nil {
		return nil, err
	}
	pairs, err := copies.Find(ctx, len(all), func(i int) (*copies.Sketch, error) { return o.sketch(summaries[i]) }, o.Workers)
	if err != nil {
		return nil, err
	}
	shows := make([]bool, len(all))
	pairs = slices.DeleteFunc(pairs, func(p copies.Pair) bool {
		a, b := summaries[p.A], summaries[p.B]
		if still(&p.Map) && apart(&p.Map, a, b, all[p.A].Objects, all[p.B].Objects) {
			return true
		}
		if p.A >= len(photos) && hasObject(&p.Map, a, b, all[p.B].Objects) { // backgrounds are behind photographs
			shows[p.A] = true
		}
		return false
	})
	s := &Same{}
	root := make([]int, len(all))
	for i := range root {
		root[i] = i
	}
	first := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	for _, p := range pairs {
		if !shows[p.A] && !shows[p.B] {
			a, b := first(p.A), first(p.B)
			root[max(a, b)] = min(a, b)
		}
	}
	groups := make([][]string, len(all))
	for i := range all {
		if shows[i] {
			s.Shown = append(s.Shown, all[i].File)
			continue
		}
		g := first(i)
		groups[g] = append(groups[g], all[i].File)
	}
	s.Groups = slices.DeleteFunc(groups, func(g []string) bool { return len(g) < 2 })
	return s, nil
}

// still reports whether a map leaves everything in its place, as that of two pictures
// of a camera that does not move.
func still(m *copies.Affine) bool {
	const largest = 0.03
	for _, at := range []Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		x, y := m.At(at.X, at.Y)
		if math.Abs(x-at.X) > largest || math.Abs(y-at.Y) > largest {
			return false
		}
	}
	return true
}

// apart reports whether no object of a is where b has one, though one of them has
// objects.
func apart(m *copies.Affine, a, b *summary, of, other []Object) bool {
	if len(of) == 0 && len(other) == 0 {
		return false
	}
	for i := range of {
		e := mapped(m, a, b, of[i].Extent())
		if slices.ContainsFunc(other, func(o Object) bool { return sameBox(e, o.Extent()) }) {
			return false
		}
	}
	return true
}

// hasObject reports whether a picture that m maps into another shows half of one of
// the other's objects.
func hasObject(m *copies.Affine, a, b *summary, objects []Object) bool {
	seen := mapped(m, a, b, image.Rect(0, 0, a.width, a.height))
	return slices.ContainsFunc(objects, func(o Object) bool {
		e := o.Extent()
		in := e.Intersect(seen)
		return !in.Empty() && 2*area(in) >= area(e)
	})
}

// mapped is the box around a mapped box, in pixels of b.
func mapped(m *copies.Affine, a, b *summary, r image.Rectangle) image.Rectangle {
	lo, hi := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, at := range []image.Point{r.Min, r.Max, {r.Min.X, r.Max.Y}, {r.Max.X, r.Min.Y}} {
		x, y := m.At(float64(at.X)/float64(a.width), float64(at.Y)/float64(a.height))
		x, y = x*float64(b.width), y*float64(b.height)
		lo, hi = Point{min(lo.X, x), min(lo.Y, y)}, Point{max(hi.X, x), max(hi.Y, y)}
	}
	return image.Rect(int(math.Round(lo.X)), int(math.Round(lo.Y)), int(math.Round(hi.X)), int(math.Round(hi.Y)))
}

// Copies adds the groups to the report. part returns the part of a division in which
// a file is.
func (r *Report) Copies(s *Same, part func(file string) int) {
	for _, f := range s.Shown {
		r.add(SharedMoved, f)
	}
	for _, g := range s.Groups {
		for _, f := range g[1:] {
			kind, as := Copy, g[0]
			if k := slices.IndexFunc(g, func(o string) bool { return part(o) != part(f) }); k >= 0 {
				kind, as = CopyApart, g[k]
			}
			r.add(kind, fmt.Sprintf("%s (as %s)", f, as))
		}
	}
}
