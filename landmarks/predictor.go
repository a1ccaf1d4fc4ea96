package landmarks

import (
	"image"
	"sync"

	"haarlem/internal/luma"
)

// A Predictor finds points with one model. It may be used by many goroutines at
// once.
type Predictor struct {
	m        *Model
	first    []*Program // what finds the frame in boxes that fit less well
	levels   []*Program
	half     []*Program // the second half of levels
	mirrored []*Program // half, as it sees the object in a mirror; half itself, if that is not symmetric
	works    sync.Pool  // of *Work
}

// NewPredictor returns a predictor for a model, which must not be changed
// afterwards. The error is that of [Model.Check].
func NewPredictor(m *Model) (*Predictor, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	p := &Predictor{m: m}
	for i := range m.Levels {
		p.levels = append(p.levels, NewProgram(&m.Levels[i]))
	}
	p.half = p.levels[(len(p.levels)+1)/2:]
	p.mirrored = p.half
	if partners := partners(m.Mean); partners != nil {
		p.mirrored = nil
		for _, l := range p.half {
			p.mirrored = append(p.mirrored, l.mirrored(partners))
		}
	}
	switch {
	case m.Box.Boxes == Rough && len(m.Coarse) > 0:
		for i := range m.Coarse {
			p.first = append(p.first, NewProgram(&m.Coarse[i]))
		}
	case m.Box.Boxes != Learned:
		p.first = p.levels
	}
	p.works.New = func() any { return NewWork(m) }
	return p, nil
}

// Model returns the predictor's model.
func (p *Predictor) Model() *Model { return p.m }

// Where the frame is found first, points are found once more if it was not yet the right one:
// if that of the points is farther away than settled. A frame as far away as lost is not
// followed.
const (
	settled = 0.08
	lost    = 2
)

// Points appends the points of the object in a frame, which the model's Box
// computes from a detector's box. The plane must not be empty, and the frame
// must have a side; it may lie partly or wholly outside the plane.
func (p *Predictor) Points(dst []Point, g *image.Gray, f Frame) []Point {
	return p.points(dst, g, f, func(image.Rectangle) {})
}

// points is Points. fill is called with each part of the plane before it is read.
func (p *Predictor) points(dst []Point, g *image.Gray, f Frame, fill func(image.Rectangle)) []Point {
	plane, _ := luma.Of(g, nil)
	w := p.works.Get().(*Work)
	defer p.works.Put(w)
	n := len(dst)
	find := func(levels []*Program) (moved float64) {
		fill(f.seen(p.m.Reach, &plane))
		w.begin(&plane, f)
		w.Settle()
		w.run(levels)
		dst = w.Points(dst[:n])
		over := f.over(dst[n:])
		if moved = f.distance(over); !(moved < lost) {
			return 0
		}
		f = over
		return moved
	}
	if p.first != nil {
		find(p.first)
	}
	if moved := find(p.levels); p.first != nil && moved > settled {
		find(p.levels)
	}
	if len(p.half) == 0 {
		return dst
	}
	// The second half of the levels moves the points twice more in the frame that is
	// theirs, the second time as it sees them in a mirror: both have other errors, and the
	// mean has less.
	fill(f.seen(p.m.Reach, &plane))
	w.begin(&plane, f)
	w.Settle()
	w.put(dst[n:])
	w.run(p.half)
	copy(w.before, w.Shape)
	w.run(p.mirrored)
	for i, v := range w.before {
		w.Shape[i].X, w.Shape[i].Y = (w.Shape[i].X+v.X)>>1, (w.Shape[i].Y+v.Y)>>1
	}
	return w.Points(dst[:n])
}

// run moves the points by levels.
func (w *Work) run(levels []*Program) {
	for _, l := range levels {
		w.Move(l)
	}
}

// PointsIn appends the points of the object in a detector's box of g. The box is not
// empty, and the object in it is rotated clockwise by angle degrees. It makes a
// Predictor what the detector's Options.Points wants.
func (p *Predictor) PointsIn(dst []Point, g *image.Gray, box image.Rectangle, angle float64) []Point {
	return p.PointsFilled(dst, g, box, angle, func(image.Rectangle) {})
}

// PointsFilled is PointsIn for a picture whose grey levels are still to be made: fill is
// called with each rectangle of g that is read next, most of which are near the box.
// Coordinates count from the upper left pixel of g.
func (p *Predictor) PointsFilled(dst []Point, g *image.Gray, box image.Rectangle, angle float64, fill func(image.Rectangle)) []Point {
	f := p.m.Box.Frame(box)
	if angle != 0 {
		f = f.about(float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2, angle)
	}
	return p.points(dst, g, f, fill)
}
