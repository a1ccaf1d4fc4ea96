package track

import "image"

// Parts of the picture, of which each quiet frame searches one, in turn.
const across, down = 4, 3

// near is how far around a face it is looked for, in widths of the face to each side.
const near = 0.75

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
	every  int
	since  int // frames since the whole picture was searched
	part   int // which comes next
	begun  bool
	bounds image.Rectangle
}

// NewPlanner returns a planner whose first plan is the whole picture, and that searches
// it after so many frames at most; 1 is each time.
func NewPlanner(every int) *Planner { return &Planner{every: every} }

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
		side := int(near * float64(t.Box.Dx()))
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
	column, row := p.part%across, p.part/across
	p.part = (p.part + 1) % (across * down)
	w, h := bounds.Dx(), bounds.Dy()
	return image.Rect(
		(2*column-1)*w/(2*across), (2*row-1)*h/(2*down),
		(2*column+3)*w/(2*across), (2*row+3)*h/(2*down),
	).Add(bounds.Min).Intersect(bounds)
}
