package engine

import (
	"context"
	"image"

	"haarlem/integral"
	"haarlem/internal/kernel/resize"
)

// A Window is a window of an image that passed every exit of a cascade.
type Window struct {
	Box    image.Rectangle // in the image's coordinates
	Margin float64         // how far the score at the last exit was above its threshold
	Start  float64         // what the score began with; see cascade.ScaleBias

	// The window stands At in the image scaled to Size, or partly beyond its
	// edge. Before that it was halved so many times; see cascade.Search.
	Size, At image.Point
	Halved   int
}

// Candidate returns what grouping needs to know of w.
func (w *Window) Candidate() Candidate { return Candidate{w.Box, w.Margin} }

// AppendWindows appends the windows of g that pass the cascade to dst, ordered
// by level, row and column, and returns the result.
func (e *Engine) AppendWindows(ctx context.Context, dst []Window, g *image.Gray) ([]Window, error) {
	if err := CheckSize(g.Rect); err != nil {
		return dst, err
	}
	s, ok := e.searches.Get().(*Search)
	if !ok {
		s = e.NewSearch()
	}
	defer e.searches.Put(s)
	p, _ := integral.GreyOf(g, nil)
	if err := s.search(ctx, p); err != nil {
		return dst, err
	}
	for _, h := range s.hits {
		l := &s.plan.levels[levelOf(h.at)]
		x, y := l.place(h.at)
		dst = append(dst, Window{
			Box:    l.candidate(x, y).Add(g.Rect.Min),
			Margin: h.margin,
			Start:  l.start,
			Size:   l.scaled,
			At:     image.Pt(x, y).Sub(l.edge),
			Halved: l.halved,
		})
	}
	return dst, nil
}

// Visits returns how many windows an image of that size has, before OpenCV's rule
// skips any and others off the grid, or between its levels, come to them.
func (e *Engine) Visits(width, height int) int {
	// Without a context that ends, there is no error.
	ls, _ := levels(context.Background(), e.c, &e.o, width, height)
	return visits(ls)
}

// CutWindow sets dst, which has the cascade's size, to the pixels of g that
// stand in window w: those that the detector saw.
func CutWindow(dst, g *image.Gray, w Window) {
	b := dst.Rect.Size()
	in := func(at, size int) int { return min(max(at, 0), size-1) }
	if w.Size == g.Rect.Size() {
		for v := range b.Y {
			row := g.Pix[in(w.At.Y+v, w.Size.Y)*g.Stride:]
			for u := range b.X {
				dst.Pix[v*dst.Stride+u] = row[in(w.At.X+u, w.Size.X)]
			}
		}
		return
	}
	x, y := resize.NewScale(g.Rect.Dx(), w.Size.X).Halved(w.Halved), resize.NewScale(g.Rect.Dy(), w.Size.Y).Halved(w.Halved)
	pixel := func(x, y int) byte { return halvedPixel(g, x, y, w.Halved) }
	for v := range b.Y {
		i, py := y.At(in(w.At.Y+v, w.Size.Y))
		for u := range b.X {
			k, px := x.At(in(w.At.X+u, w.Size.X))
			dst.Pix[v*dst.Stride+u] = resize.Pixel(pixel(k, i), pixel(k+1, i), pixel(k, i+1), pixel(k+1, i+1), px, py)
		}
	}
}
