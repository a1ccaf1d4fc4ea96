package engine

import (
	"image"
	"math"
)

// A Frame is the part of an image that is searched: a rectangle around the image's
// centre, turned by an angle with this cosine and sine. It is what a rotated picture
// shows of the original.
type Frame struct {
	Cos, Sin float64
	Size     image.Point // of the rectangle
}

// windows returns the first and the last window of row r of a level's grid whose centres
// lie within the frame, as far from its edge as those of an upright search. The last is
// before the first where there are none.
func (f *Frame) windows(l *level, r int) (first, last int) {
	factor := float64(l.factor)
	// centre returns the distance of the middle of window n of the grid from the
	// centre of the level, in pixels of the image.
	centre := func(n, edge, side, scaled int) float64 {
		return float64((float64(n*l.step-edge) + float64(side-scaled)/2) * factor)
	}
	y := centre(r, l.edge.Y, l.window.Y, l.scaled.Y)
	from, to := math.Inf(-1), math.Inf(1)
	// between keeps the x for which a*x+b is at most half of size, less the distance
	// from the edge.
	between := func(a, b float64, size, side, edge int) {
		limit := float64(size)/2 - float64((float64(side)/2-float64(edge))*factor)
		if a < 0 {
			a, b = -a, -b
		}
		if a < 1e-9 {
			if math.Abs(b) > limit {
				to = math.Inf(-1)
			}
			return
		}
		from, to = max(from, (-limit-b)/a), min(to, (limit-b)/a)
	}
	between(f.Cos, -float64(f.Sin*y), f.Size.X, l.window.X, l.edge.X)
	between(f.Sin, float64(f.Cos*y), f.Size.Y, l.window.Y, l.edge.Y)
	if !(from <= to) {
		return 0, -1
	}
	// The window of a centre.
	zero, apart := centre(0, l.edge.X, l.window.X, l.scaled.X), float64(l.step)*factor
	first = int(max(math.Ceil((from-zero)/apart), 0))
	last = int(min(math.Floor((to-zero)/apart), float64(l.nx-1)))
	return first, last
}
