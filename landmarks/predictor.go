package landmarks

import (
	"image"
	"sync"

	"haarlem/integral"
)

// A Predictor finds points with one model. It may be used by many goroutines at
// once.
type Predictor struct {
	m      *Model
	levels []*Program
	first  []*Program // what finds the frame, if points are found twice
	works  sync.Pool  // of *Work
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
	p.first = p.levels
	if m.Box.Boxes == Rough && len(m.Coarse) > 0 {
		p.first = nil
		for i := range m.Coarse {
			p.first = append(p.first, NewProgram(&m.Coarse[i]))
		}
	}
	p.works.New = func() any { return NewWork(m) }
	return p, nil
}

// Where points are found twice, they are found a third time if the frame of those found is
// not the one in which they were found: if the distance between both is more than settled,
// and less than lost.
const (
	settled = 0.08
	lost    = 1
)

// Model returns the predictor's model.
func (p *Predictor) Model() *Model { return p.m }

// Points appends the points of the object in a frame, which the model's Box
// computes from a detector's box. The plane must not be empty, and the frame
// must have a side; it may lie partly or wholly outside the plane.
func (p *Predictor) Points(dst []Point, g *integral.Grey, f Frame) []Point {
	w := p.works.Get().(*Work)
	defer p.works.Put(w)
	if p.m.Box.Boxes == Learned {
		return p.once(w, dst, g, f, p.levels)
	}
	n := len(dst)
	dst = p.once(w, dst, g, f, p.first)
	if over := f.over(dst[n:]); over.Side() > 0 {
		f = over
	}
	dst = p.once(w, dst[:n], g, f, p.levels)
	over := f.over(dst[n:])
	if d := f.distance(over); d > settled && d < lost {
		dst = p.once(w, dst[:n], g, over, p.levels)
	}
	return dst
}

func (p *Predictor) once(w *Work, dst []Point, g *integral.Grey, f Frame, levels []*Program) []Point {
	w.Begin(g, f)
	w.Settle()
	for _, l := range levels {
		w.Move(l)
	}
	return w.Points(dst)
}

// PointsIn appends the points of the object in a detector's box of g. The box is not
// empty, and the object in it is rotated clockwise by angle degrees. It makes a
// Predictor what the detector's Options.Points wants.
func (p *Predictor) PointsIn(dst []Point, g *integral.Grey, box image.Rectangle, angle float64) []Point {
	f := p.m.Box.Frame(box)
	if angle != 0 {
		f = f.about(float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2, angle)
	}
	return p.Points(dst, g, f)
}
