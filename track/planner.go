package track

import (
	"cmp"
	"fmt"
	"image"
)

// PlanOptions says how a planner divides its work. A nil *PlanOptions and the
// zero value mean the same: every field's default.
type PlanOptions struct {
	// Every is the largest number of frames from one search of the whole picture to the
	// next. 0 means 12; 1 searches the whole picture each time.
	Every int

	// Columns and Rows are how many parts the picture has, of which each
	// quiet frame searches one, in turn. 0 means 4 columns and 3 rows.
	Columns, Rows int

	// Near is how far around a face it is looked for, in widths of the face
	// to each side. 0 means 0.75.
	Near float64
}

// An Area is a part of the picture to search.
type Area struct {
	image.Rectangle

	// MinWidth and MaxWidth bound the width of faces to look for here. 0
	// means that there is no bound.
	MinWidth, MaxWidth int
}

// A Planner says what to search in the next frame. It is used by one goroutine
// at a time.
type Planner struct {
	every, columns, rows int
	near                 float64
	since                int // frames since the whole picture was searched
	part                 int // which comes next
	begun                bool
	bounds               image.Rectangle
}

// NewPlanner returns a planner whose first plan is the whole picture.
func NewPlanner(o *PlanOptions) (*Planner, error) {
	v := *cmp.Or(o, &PlanOptions{})
	p := &Planner{every: 12, columns: 4, rows: 3, near: 0.75}
	for _, set := range []struct {
		name string
		from int
		to   *int
	}{{"Every", v.Every, &p.every}, {"Columns", v.Columns, &p.columns}, {"Rows", v.Rows, &p.rows}} {
		switch {
		case set.from < 0:
			return nil, fmt.Errorf("%w: %s %d is negative", ErrOptions, set.name, set.from)
		case set.from > 0:
			*set.to = set.from
		}
	}
	switch {
	case v.Near != 0 && !(v.Near > 0 && v.Near <= 100):
		return nil, fmt.Errorf("%w: Near %v, want more than 0 and at most 100", ErrOptions, v.Near)
	case v.Near != 0:
		p.near = v.Near
	}
	return p, nil
}

// Plan says what to search in a frame: one area that is the whole picture, or
// several smaller ones that may overlap (see [Distinct]). Tracks are all that
// should be found again, see [Tracker.All], and quiet tells whether nothing
// happened in the last frame, see [Tracker.Quiet].
//
// The whole picture is searched when something happened, when its turn has
// come, when the picture's size changes, and when the areas would be as much
// work.
func (p *Planner) Plan(bounds image.Rectangle, tracks []Track, quiet bool) []Area {
	p.since++
	whole := []Area{{Rectangle: bounds}}
	if !p.begun || !quiet || p.since >= p.every || bounds != p.bounds {
		p.begun, p.since, p.bounds = true, 0, bounds
		return whole
	}
	areas := []Area{{Rectangle: p.next(bounds)}}
	work := area(areas[0].Rectangle)
	for _, t := range tracks {
		side := int(p.near * float64(t.Box.Dx()))
		r := t.Box.Inset(-side).Intersect(bounds)
		if r.Empty() {
			continue
		}
		// A face does not grow by a third from one frame to the next.
		areas = append(areas, Area{r, 2 * t.Box.Dx() / 3, (3*t.Box.Dx() + 1) / 2})
		work += area(r)
	}
	if 10*work > 7*area(bounds) {
		p.since = 0
		return whole
	}
	return areas
}

// next is the part whose turn it is. Parts reach half a part into their
// neighbours: a face on the border between two is whole in one of them if it
// is smaller than a part.
func (p *Planner) next(bounds image.Rectangle) image.Rectangle {
	column, row := p.part%p.columns, p.part/p.columns
	p.part = (p.part + 1) % (p.columns * p.rows)
	w, h := bounds.Dx(), bounds.Dy()
	return image.Rect(
		(2*column-1)*w/(2*p.columns), (2*row-1)*h/(2*p.rows),
		(2*column+3)*w/(2*p.columns), (2*row+3)*h/(2*p.rows),
	).Add(bounds.Min).Intersect(bounds)
}
