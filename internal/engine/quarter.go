package engine

import (
	"haarlem/cascade"
	"haarlem/haar"
)

// Features of upright rectangles can be turned by quarter turns themselves, so that
// objects that are turned so are found in the picture as it is.

// Quarter returns an engine like e for objects that are turned clockwise by a number of
// quarter turns, for one [NewSearch] with e. It returns nil if there is none: such a
// cascade has a square window, upright Haar features and a search of all windows.
func (e *Engine) Quarter(turns int) *Engine {
	c := e.c
	if c.Kind != cascade.Haar || c.Width != c.Height || e.o.Windows != WindowsAll {
		return nil
	}
	t := c.Clone()
	for i := range t.Features {
		f := &t.Features[i]
		if f.Tilted {
			return nil
		}
		for k := range f.Rects[:f.Count()] {
			for range turns % 4 {
				quarter(&f.Rects[k], int32(c.Width))
			}
		}
	}
	q := &Engine{setup: newSetup(t, e.o)}
	q.stopsAfter, q.sweep = e.stopsAfter, e.sweep
	if e.order.make != nil {
		q.order.make = q.stageOrder
	}
	return q
}

// quarter turns a rectangle of a window with these sides clockwise.
func quarter(r *haar.Rect, side int32) {
	r.X, r.Y, r.W, r.H = side-r.Y-r.H, r.X, r.H, r.W
}
